#include "experiments/zhong/width_trials.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/mesh/shapes.hpp"

namespace plica::experiments {
namespace {

// Both are 0.1 m or so in half size, held at their lowest third.
SurfaceMesh make_body_mesh(const WidthTrial& trial) {
    if (trial.liver) return make_liver_surface(trial.level);
    return make_superquadric(10 * (1 << (2 * trial.level)) + 2, 0.5, {0.1, 0.1, 0.1});
}

Width measure_dimple(const HeatBody& body, std::size_t top, const Vec3& along, double size) {
    Width width;
    width.nodes = static_cast<int>(body.x.size());
    width.depth = dot(body.moved(top), along) / size;
    width.volume = body.volume_ratio();
    double half = 0.0, sum = 0.0, squares = 0.0;
    for (std::size_t n = 0; n < body.x.size(); ++n) {
        const double u = dot(body.moved(n), along) / size, area = body.membrane.conduction.area[n] / (size * size);
        if (u > 0.5 * width.depth) half += area;
        sum += std::max(u, 0.0) * area;
        squares += u > 0.0 ? u * u * area : 0.0;
        width.moved += norm(body.moved(n)) > 0.05 * size ? 1 : 0;
        width.along += u > 0.05 ? 1 : 0;
    }
    width.half = std::sqrt(half / std::numbers::pi);
    width.mean = sum / std::sqrt(squares * std::numbers::pi);
    return width;
}

}  // namespace

Width measure_width(const WidthTrial& trial) {
    const SurfaceMesh mesh = make_body_mesh(trial);
    const Extent extent = extent_of(mesh);
    const double floor = extent.low.z + (extent.high.z - extent.low.z) / 3.0, size = extent.half();
    heat::Settings settings;
    settings.coupling = trial.coupling;
    settings.bulk *= trial.bulk;
    HeatBody body(mesh, {.settings = heat::scale_settings(settings, size, 1.0),
                         .fixed = [floor](const Vec3& p) { return p.z < floor; },
                         .conductivity = {}});
    const std::size_t top = highest(body);
    const Vec3 load{0, 0, trial.force};
    if (trial.patch > 0.0) {
        body.push_patch(body.membrane.rest[top], trial.patch * size, load);
    } else {
        body.push(top, load);
    }
    body.run(15.0, 0.01);
    return measure_dimple(body, top, normalized(load), size);
}

WidthPair compare_widths(WidthTrial trial) {
    WidthPair pair{trial, measure_width(trial), {}};
    trial.coupling = 0.0;
    pair.cold = measure_width(trial);
    return pair;
}

}  // namespace plica::experiments
