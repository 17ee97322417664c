#include "experiments/zhong/heat_trials.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/mesh/shapes.hpp"

namespace plica::experiments {
namespace {

constexpr double step = 0.01;  // s

Dimple measure(const HeatBody& body, std::size_t node, const Vec3& force, double size) {
    Dimple dimple;
    dimple.depth = dot(body.moved(node), normalized(force)) / size;
    dimple.nodes = body.count_moved(0.05 * size);
    dimple.least_stretch = body.work.reached.least_stretch;
    dimple.most_stretch = body.work.reached.most_stretch;
    dimple.volume = body.volume_ratio();
    dimple.tension = body.work.reached.tension;
    return dimple;
}

HeatBody make_heat_liver(int level, double coupling) {
    const SurfaceMesh mesh = make_liver_surface(level);
    const Extent extent = extent_of(mesh);
    const double floor = extent.low.z + (extent.high.z - extent.low.z) / 3.0;
    heat::Settings settings;
    settings.coupling = coupling;
    return {mesh,
            {.settings = heat::scale_settings(settings, extent.half(), 1.0),
             .fixed = [floor](const Vec3& p) { return p.z < floor; },
             .conductivity = {}}};
}

}  // namespace

double Extent::half() const {
    const Vec3 d = high - low;
    return 0.5 * std::max({d.x, d.y, d.z});
}

Extent extent_of(const SurfaceMesh& mesh) {
    Extent e{mesh.nodes[0], mesh.nodes[0]};
    for (const Vec3& p : mesh.nodes) {
        e.low = {std::min(e.low.x, p.x), std::min(e.low.y, p.y), std::min(e.low.z, p.z)};
        e.high = {std::max(e.high.x, p.x), std::max(e.high.y, p.y), std::max(e.high.z, p.z)};
    }
    return e;
}

std::size_t highest(const HeatBody& body) {
    const auto lower = [](const Vec3& a, const Vec3& b) { return a.z < b.z; };
    const auto& rest = body.membrane.rest;
    return static_cast<std::size_t>(std::max_element(rest.begin(), rest.end(), lower) - rest.begin());
}

Dimple press(HeatBody& body, const Vec3& place, const Vec3& force, double seconds) {
    const std::size_t node = body.nearest(place);
    body.push(node, force);
    body.run(seconds, step);
    return measure(body, node, force, 1.0);
}

bool conducts_badly(const Vec3& place) {
    return place.x > 0.25;
}

HeatBody make_paper_plane(heat::Mode mode, double contrast_power) {
    const SurfaceMesh mesh = make_plane(2.0, 2.0, 20, 20);
    heat::Settings settings;
    if (mode != heat::Mode::complete) settings = paper_settings(mode, 1.0, 10.0, mesh);
    settings.contrast_power = contrast_power;
    return {mesh,
            {.settings = settings,
             .fixed = [](const Vec3& p) { return std::max(std::abs(p.x), std::abs(p.y)) > 0.999; },
             .conductivity = [](const Vec3& p) { return conducts_badly(p) ? 0.001 : 0.4; }}};
}

PlaneTrial measure_plane(const HeatBody& body) {
    PlaneTrial trial;
    int low = 0, normal = 0;
    for (std::size_t n = 0; n < body.x.size(); ++n) {
        const double x = body.membrane.rest[n].x;
        if (std::abs(x - 0.4) < 1e-6) {
            trial.low += body.moved(n).z;
            ++low;
        } else if (std::abs(x + 0.4) < 1e-6) {
            trial.normal += body.moved(n).z;
            ++normal;
        }
    }
    trial.low /= low;
    trial.normal /= normal;
    trial.ratio = trial.low / trial.normal;
    return trial;
}

PlaneTrial pull_plane(heat::Mode mode, double contrast_power, double seconds) {
    HeatBody body = make_paper_plane(mode, contrast_power);
    body.push(body.nearest({}), {0, 0, 10});
    body.run(seconds, step);
    return measure_plane(body);
}

LoadCurve load_slowly(double damping, double rate, heat::Mode mode) {
    const SurfaceMesh mesh = paper_superquadric();
    HeatBody body(mesh, paper_setup(paper_settings(mode, 1.0, damping, mesh)));
    const std::size_t top = body.nearest(paper_top);
    const double h = rate > 0.1 ? 0.005 : step;
    const auto steps = std::lround(9.9 / (rate * h));
    LoadCurve curve;
    double last = 0.0, at_four = 0.0;
    for (long i = 1; i <= steps; ++i) {
        const double force = rate * h * static_cast<double>(i);
        body.push(top, {0, 0, -force});
        body.step(h);
        const double depth = -body.moved(top).z;
        curve.rises = curve.rises && depth >= last;
        last = depth;
        if (force <= 4.0) at_four = depth;
        if (i % std::max(1L, steps / 198) != 0 && i != steps) continue;
        curve.force.push_back(force);
        curve.depth.push_back(depth);
    }
    curve.exponent = std::log(last / at_four) / std::log(9.9 / 4.0);
    return curve;
}

// m x'' + g x' = r t: x = (r / g) (t^2 / 2 - (m / g) t + (m / g)^2 (1 - exp(-g t / m))), m = 1 kg.
double null_depth(double damping, double rate, double force) {
    const double t = force / rate, lag = 1.0 / damping;
    return rate / damping * (0.5 * t * t - lag * t + lag * lag * (1.0 - std::exp(-t / lag)));
}

Standing press_and_hold(heat::Mode mode, double force, double seconds) {
    const SurfaceMesh mesh = paper_superquadric();
    HeatBody body(mesh, paper_setup(paper_settings(mode, 1.0, 10.0, mesh)));
    const std::size_t top = body.nearest(paper_top);
    body.push(top, {0, 0, force});
    Standing standing;
    for (long i = 0; i < std::lround(seconds / step); ++i) {
        const Vec3 before = body.x[top];
        body.step(step);
        standing.speed = distance(body.x[top], before) / step;
        standing.least_stretch = std::min(standing.least_stretch, body.work.reached.least_stretch);
    }
    standing.depth = body.moved(top).z * (force < 0.0 ? -1.0 : 1.0);
    standing.nodes = body.count_moved(0.05);
    return standing;
}

PaperTrial run_paper(heat::Mode mode, double h) {
    const SurfaceMesh mesh = paper_superquadric();
    HeatBody body(mesh, paper_setup(paper_settings(mode, 1.0, 10.0, mesh)));
    const std::size_t top = body.nearest(paper_top);
    body.push(top, {0, 0, -10});
    PaperTrial trial;
    for (long i = 0; i < std::lround(1.2 / h); ++i) {
        body.step(h);
        trial.least_stretch = std::min(trial.least_stretch, body.work.reached.least_stretch);
        if (trial.collapse == 0.0 && trial.least_stretch < 0.1) trial.collapse = h * static_cast<double>(i);
    }
    trial.place = body.moved(top).z;
    return trial;
}

double cycle(double period, double damping, double sign) {
    const SurfaceMesh mesh = paper_superquadric();
    HeatBody body(mesh, paper_setup(paper_settings(heat::Mode::complete, 0.1, damping, mesh)));
    const std::size_t top = body.nearest(paper_top);
    const auto steps = std::lround(period / step);
    double work = 0.0;
    for (int c = 0; c < 6; ++c) {
        work = 0.0;
        for (long i = 0; i < steps; ++i) {
            const double phase = (static_cast<double>(i) + 0.5) / static_cast<double>(steps);
            const double force = -3.0 * (1.0 - std::cos(2.0 * std::numbers::pi * phase));
            const double before = body.x[top].z;
            body.push(top, {0, 0, force});
            body.step(step);
            work += sign * force * (body.x[top].z - before);
        }
    }
    return work;
}

LiverTrial press_liver(int level, double force, double coupling) {
    HeatBody body = make_heat_liver(level, coupling);
    const double size = extent_of(make_liver_surface(level)).half();
    const std::size_t top = highest(body);
    const Vec3 load{0, 0, force};
    body.push(top, load);
    body.run(15.0, step);
    LiverTrial trial{measure(body, top, load, size)};
    body.clear_loads();
    body.run(30.0, step);
    trial.left = body.most_moved() / size / trial.depth;
    return trial;
}

double press_liver_patch(int level) {
    HeatBody body = make_heat_liver(level, 7.5);
    const double size = extent_of(make_liver_surface(level)).half();
    const std::size_t top = highest(body);
    body.push_patch(body.membrane.rest[top], 0.2 * size, {0, 0, -1});
    body.run(30.0, step);
    return -body.moved(top).z / size;
}

}  // namespace plica::experiments
