#include "bench/contact/accordion.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "geometry/mesh/write_mesh.hpp"

namespace plica::bench {
namespace {

constexpr double length = 0.087, width = 0.096;       // m, of a layer
constexpr double thickness = 0.006, bend = 0.0045;    // m; radius of the middle of a bend: 3 mm of air between layers
constexpr double ripple = 0.001, wavelength = 0.024;  // m: crests of one layer face crests of the next
constexpr double bend_length = std::numbers::pi * bend;
// Layers are not each other's mirror images, which no two surfaces are that were not made so: half a cell along the
// ribbon and, by running askew, 0.4 across it. Nodes that lie on nodes exactly would touch the whole fan around these.
constexpr double offset = 0.25, skew = 0.006;

constexpr double press = 0.005;  // m, of 6 mm of air in all

// A place on the ribbon's middle, and the direction across it.
struct Section {
    double x, z;
    double nx, nz;
    double height;  // m, of the ripples there: none in the bends
};

Section section_at(double s) {
    const double period = length + bend_length;
    const int layer = static_cast<int>(s / period);
    const double in = s - layer * period;
    const double side = layer % 2 == 0 ? 1.0 : -1.0;  // to the right or to the left
    const double z = 2.0 * bend * layer;
    if (in <= length) {
        const double from_middle = 2.0 * in / length - 1.0;
        return {side * (in - 0.5 * length), z, 0.0, side, ripple * (1.0 - std::pow(from_middle, 4.0))};
    }
    const double angle = (in - length) / bend;
    return {side * (0.5 * length + bend * std::sin(angle)), z + bend * (1.0 - std::cos(angle)), -std::sin(angle),
            side * std::cos(angle), 0.0};
}

constexpr const char* accordion_scene = R"(plica = 1
title = "A soft ribbon in folds is pressed together"
seconds = 0.2

[solver]
dt = 0.0025
substeps = 1

[contact]
friction = 0.1

[[body]]
name = "ribbon"
tissue = "tled"
mesh = "{}"
element = "h8"
material = {{ young = 3000, poisson = 0.4, density = 1000 }}
damping = 10.0
fixed = [ {{ box = [[-1, -1, -1], [1, 1, {}]] }} ]
motion = [ {{ box = [[-1, -1, {}], [1, 1, 1]], by = [0, 0, {}], until = 0.15 }} ]

[environment]
gravity = [0, 0, 0]
)";

}  // namespace

VolumeMesh make_accordion(const Accordion& shape) {
    const double cell = length / shape.along;
    const int bend_cells = std::max(4, static_cast<int>(std::lround(bend_length / cell)));
    std::vector<double> stations;
    for (int layer = 0; layer < shape.layers; ++layer) {
        const double start = layer * (length + bend_length);
        for (int i = 0; i < shape.along; ++i) stations.push_back(start + (i + offset) * cell);
        if (layer + 1 == shape.layers) {
            stations.push_back(start + length);
            break;
        }
        for (int i = 0; i < bend_cells; ++i) stations.push_back(start + length + i * bend_length / bend_cells);
    }
    VolumeMesh mesh;
    const int rows = shape.across + 1, plies = shape.thick + 1;
    for (const double s : stations) {
        const Section at = section_at(s);
        for (int j = 0; j < rows; ++j) {
            const double y = width * j / shape.across - 0.5 * width + skew * s;
            const double rise = at.height * std::cos(2.0 * std::numbers::pi * y / wavelength);
            for (int k = 0; k < plies; ++k) {
                const double up = rise + thickness * (static_cast<double>(k) / shape.thick - 0.5);
                mesh.nodes.push_back({at.x + up * at.nx, y, at.z + up * at.nz});
            }
        }
    }
    const auto node = [&](int i, int j, int k) { return (i * rows + j) * plies + k; };
    for (int i = 0; i + 1 < static_cast<int>(stations.size()); ++i) {
        for (int j = 0; j < shape.across; ++j) {
            for (int k = 0; k < shape.thick; ++k) {
                mesh.hexahedra.push_back({node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k),
                                          node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1),
                                          node(i, j + 1, k + 1)});
            }
        }
    }
    return mesh;
}

std::string write_accordion(const Accordion& shape, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw Error(folder + ": cannot create this folder: " + error.message(), Status::environment);
    write_vtk(make_accordion(shape), folder + "/accordion.vtk");
    // The outer half of the ripples on the lowest and on the uppermost face.
    const double held = 0.5 * ripple, top = 2.0 * bend * (shape.layers - 1);
    AtomicFile file(folder + "/accordion.toml");
    file.write(
        fmt::format(accordion_scene, "accordion.vtk", held - 0.5 * thickness, top - held + 0.5 * thickness, -press));
    file.commit();
    return folder + "/accordion.toml";
}

}  // namespace plica::bench
