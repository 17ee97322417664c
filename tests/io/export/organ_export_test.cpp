#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "core/error.hpp"
#include "geometry/mesh/quality.hpp"
#include "geometry/mesh/read_mesh.hpp"
#include "io/export/organ_vtk.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"
#include "tests/scene/file/nifty/nifty_models.hpp"
#include "tests/support/temp_folder.hpp"

namespace plica::testing {
namespace {

using OrganExport = TempFolderTest;

constexpr double stretch = 1.3;

// A cube that is drawn to 1.3 times its length and has come to rest.
World drawn_cube(const std::string& type) {
    const VolumeMesh mesh = make_cube(type == "H8", 2);
    const std::string text = model_text(
        mesh_text(mesh, type) + material_text() + rollers(mesh) +
        constraint_text("Type=\"Disp\" DOF=\"0\"", nodes_at(mesh, 0, side), uniform((stretch - 1.0) * side)) +
        system_text(2.0, 1e-2, 20.0));
    const SceneSource source{"cube", "cube.xml", text, {}};
    const SceneDescription scene = read_scene(source);
    Built built = build_scene(source, 1);
    World world(std::move(built.model), std::move(built.state), 1);
    Script script(scene);
    for (int i = 0; i < static_cast<int>(std::lround(3.0 / scene.dt)); ++i) world.step(script.next(world));
    return world;
}

// The numbers behind a line that begins so.
std::vector<double> values_of(const std::string& path, const std::string& line, std::size_t count) {
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::size_t at = bytes.find("\n" + line);
    if (at == bytes.npos) return {};
    at = bytes.find('\n', at + 1) + 1;
    if (bytes.compare(at, 12, "LOOKUP_TABLE") == 0) at = bytes.find('\n', at) + 1;
    std::vector<double> values(count);
    for (double& value : values) {
        std::uint64_t word = 0;
        for (int k = 0; k < 8; ++k) word = (word << 8U) | static_cast<unsigned char>(bytes.at(at++));
        std::memcpy(&value, &word, 8);
    }
    return values;
}

TEST_F(OrganExport, TheFileHoldsTheClosedForm) {
    const double b = free_width(mu, stretch);
    const Stresses piola = neo_hookean(mu, stretch, b);
    const double cauchy = piola.along / (b * b);
    for (const char* type : {"H8", "T4", "T4ANP"}) {
        const World world = drawn_cube(type);
        write_organ_vtk(file("a.vtk"), world, 0);
        VolumeMesh mesh = read_volume_mesh(file("a.vtk"));
        const std::size_t cells = mesh.cells(), nodes = mesh.nodes.size();
        EXPECT_EQ(cells, world.model().of<Solids>()[0].cells());
        EXPECT_EQ(mesh.region_names.size(), 1U);
        EXPECT_EQ(mesh.hexahedra.empty(), std::string(type) != "H8");
        for (std::size_t n = 0; n < nodes; ++n) EXPECT_EQ(distance(mesh.nodes[n], world.state().x[n]), 0.0);
        const double volume = side * side * side, ratio = stretch * b * b;
        EXPECT_NEAR(repair_mesh(mesh, "a").volume, ratio * volume, 1e-4 * volume);
        const std::vector<double> stress = values_of(file("a.vtk"), "TENSORS stress", 9 * cells);
        const std::vector<double> strain = values_of(file("a.vtk"), "TENSORS strain", 9 * cells);
        const std::vector<double> mises = values_of(file("a.vtk"), "SCALARS von_mises", cells);
        const std::vector<double> ratios = values_of(file("a.vtk"), "SCALARS volume_ratio", cells);
        for (std::size_t c = 0; c < cells; ++c) {
            EXPECT_NEAR(stress[9 * c], cauchy, 1e-3 * cauchy) << type;
            for (std::size_t k = 1; k < 9; ++k) EXPECT_NEAR(stress[9 * c + k], 0.0, 1e-3 * cauchy) << type;
            EXPECT_NEAR(strain[9 * c], 0.5 * (stretch * stretch - 1.0), 1e-4);
            EXPECT_NEAR(strain[9 * c + 4], 0.5 * (b * b - 1.0), 1e-4);
            EXPECT_NEAR(mises[c], cauchy, 1e-3 * cauchy);
            EXPECT_NEAR(ratios[c], ratio, 1e-4);
        }
        double energy = 0.0, pull = 0.0, push = 0.0;
        for (const double each : values_of(file("a.vtk"), "SCALARS energy", cells)) energy += each;
        const double i1 = stretch * stretch + 2.0 * b * b;
        const double density =
            0.5 * mu * (std::pow(ratio, -2.0 / 3.0) * i1 - 3.0) + 0.5 * kappa * std::pow(ratio - 1.0, 2);
        EXPECT_NEAR(energy, density * volume, 1e-3 * density * volume) << type;
        const std::vector<double> reactions = values_of(file("a.vtk"), "VECTORS reaction", 3 * nodes);
        const std::vector<double> moved = values_of(file("a.vtk"), "VECTORS displacement", 3 * nodes);
        const std::vector<double> speed = values_of(file("a.vtk"), "VECTORS velocity", 3 * nodes);
        for (std::size_t n = 0; n < nodes; ++n) {
            (reactions[3 * n] > 0.0 ? pull : push) += reactions[3 * n];
            EXPECT_EQ(moved[3 * n], world.state().x[n].x - world.model().rest[n].x);
            EXPECT_LT(std::abs(speed[3 * n]), 1e-4);
        }
        EXPECT_NEAR(pull, piola.along * side * side, 1e-3 * piola.along * side * side) << type;
        EXPECT_NEAR(push, -pull, 1e-3 * pull) << type;
        // Another stretch would not do.
        EXPECT_GT(std::abs(neo_hookean(mu, 1.302, free_width(mu, 1.302)).along - piola.along), 2e-3 * piola.along);
    }
}

TEST_F(OrganExport, NothingHoldsABodyBeforeTheFirstStep) {
    const VolumeMesh mesh = make_cube(true, 1);
    const SceneSource source{
        "cube",
        "cube.xml",
        model_text(mesh_text(mesh, "H8") + material_text() + rollers(mesh) + system_text(1.0, 1e-2, 0.0)),
        {}};
    Built built = build_scene(source, 1);
    const World world(std::move(built.model), std::move(built.state), 1);
    write_organ_vtk(file("a.vtk"), world, 0);
    for (const double each : values_of(file("a.vtk"), "VECTORS reaction", 24)) EXPECT_EQ(each, 0.0);
    for (const double each : values_of(file("a.vtk"), "SCALARS volume_ratio", 1)) EXPECT_NEAR(each, 1.0, 1e-6);
    EXPECT_THROW(write_organ_vtk(file("none/a.vtk"), world, 0), Error);
}

}  // namespace
}  // namespace plica::testing
