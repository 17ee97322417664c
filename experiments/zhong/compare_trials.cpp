#include "experiments/zhong/compare_trials.hpp"

#include <algorithm>
#include <cmath>

#include "core/clock.hpp"
#include "core/index.hpp"
#include "experiments/tled/specimen.hpp"
#include "experiments/zhong/heat_body.hpp"
#include "experiments/zhong/linear_solid.hpp"
#include "experiments/zhong/spring_body.hpp"
#include "tissue/tled/limit.hpp"

namespace plica::experiments {
namespace {

constexpr double frame = 0.01;   // s
constexpr double poisson = 0.3;  // of solids: cells of constant strain lock when nearly incompressible
// N/m: those of heat tissue's edges and anchors at 400 nodes.
constexpr double edge_spring = 19.0, home_spring = 0.87;
constexpr double ramp = 4.0;        // s, of TLED's push: a sudden one would go twice as deep on its way
constexpr int factor_most = 30000;  // unknowns: beyond it a factor of a solid takes longer than all else here

std::vector<Vec3> push_of(const ComparePart& part, const Problem& problem) {
    std::vector<Vec3> load;
    for (const double share : part.share) load.push_back(turn(problem.pose, Vec3{0.0, 0.0, -problem.force * share}));
    return load;
}

std::vector<Vec3> turned(std::vector<Vec3> places, const Pose& pose) {
    for (Vec3& p : places) p = apply(pose, p);
    return places;
}

std::vector<double> home_of(const ComparePart& part, const Problem& problem) {
    std::vector<double> home(part.nodes.size(), home_spring * problem.stiffness);
    if (problem.model == Model::solid_springs) return {};
    if (problem.model == Model::surface_springs) return home;
    std::vector<double> area(part.nodes.size(), 0.0);
    double sum = 0.0;
    for (const auto& t : part.triangles) {
        const Vec3& p = part.nodes[at(t[0])];
        const double third = norm(cross(part.nodes[at(t[1])] - p, part.nodes[at(t[2])] - p)) / 6.0;
        for (const std::int32_t n : t) area[at(n)] += third;
        sum += 3.0 * third;
    }
    for (std::size_t n = 0; n < home.size(); ++n) home[n] *= area[n] / (sum / 400.0);
    return home;
}

// CPU seconds of one call, the median of some.
template <class Call>
double time_of(int rounds, Call&& call) {
    std::vector<double> seconds;
    for (int i = 0; i < rounds; ++i) {
        const double began = thread_cpu_seconds();
        call();
        seconds.push_back(thread_cpu_seconds() - began);
    }
    std::nth_element(seconds.begin(), seconds.begin() + rounds / 2, seconds.end());
    return seconds[static_cast<std::size_t>(rounds / 2)];
}

// What 10 ms take, here and on a body of a tenth of the size, whose waves need a tenth of the time.
void add_times(double limit, double seconds, Settled& found) {
    const auto substeps = [&](double size) {
        return std::max(1, static_cast<int>(std::ceil(frame / (0.9 * limit * size))));
    };
    found.substeps = substeps(1.0);
    found.step = found.substeps * seconds;
    found.small_step = substeps(0.1) * seconds;
}

Settled settle_springs(const CompareBody& body, const Problem& problem) {
    const ComparePart& part = part_of(body, problem.model);
    const bool solid = problem.model == Model::solid_springs;
    const double stiffness = problem.stiffness * (solid ? 1.0 : edge_spring);
    Settled found;
    const double began = thread_cpu_seconds();
    SpringBody springs(
        part.nodes, solid ? find_edges(body.cells, part.nodes.size()) : find_edges(part.triangles, part.nodes.size()),
        stiffness, home_of(part, problem), part.held);
    springs.load = push_of(part, problem);
    springs.x = turned(part.nodes, problem.pose);
    found.made = thread_cpu_seconds() - began;
    constexpr int most = 20000;
    found.steps = springs.relax(1e-4, most);
    found.fine = found.steps < most;
    found.seconds = thread_cpu_seconds() - began;
    found.x = springs.x;
    const double mass = compare_mass / static_cast<double>(part.nodes.size());
    const double limit = springs.find_limit(mass);
    add_times(limit, time_of(9, [&] { springs.step(0.5 * limit, 1.0 / mass); }), found);
    return found;
}

Settled settle_linear(const CompareBody& body, const Problem& problem) {
    const ComparePart& part = body.solid;
    Settled found;
    const double began = thread_cpu_seconds();
    LinearSolid solid(part.nodes, body.cells, part.held, problem.stiffness, poisson);
    if (3 * part.nodes.size() <= factor_most) found.fine = solid.factorize();
    found.made = thread_cpu_seconds() - began;
    const std::vector<Vec3> load = push_of(part, problem);
    std::vector<Vec3> u(part.nodes.size());
    for (std::size_t n = 0; n < u.size(); ++n) {
        if (part.held[n] != 0) u[n] = apply(problem.pose, part.nodes[n]) - part.nodes[n];
    }
    found.fine = solid.solve(load, u) && found.fine;
    found.seconds = thread_cpu_seconds() - began;
    found.step = found.small_step = found.seconds - found.made;
    found.steps = 1;
    for (std::size_t n = 0; n < u.size(); ++n) found.x.push_back(part.nodes[n] + u[n]);
    return found;
}

std::vector<Load> loads_of(const Specimen& specimen, const std::vector<Vec3>& push) {
    std::vector<Load> loads;
    for (std::size_t n = 0; n < specimen.x.size(); ++n) {
        const Vec3& force = push[at(specimen.order[n])];
        if (squared_norm(force) == 0.0) continue;
        Load load;
        load.value = force;
        load.ramp.end = ramp;
        load.nodes = {static_cast<std::int32_t>(n)};
        loads.push_back(load);
    }
    return loads;
}

// Steps of eight tenths of the longest stable one, which gets shorter where cells are pressed flat. In double precision
// of the fastest cell's at rest, which is shorter and the same however the body lies: what differs then is the forces.
int relax(Specimen& specimen, bool exact, int most) {
    const auto find_limit = [&] {
        return exact ? tled::bound_step(specimen.organ).seconds : specimen.find_limit(0.02);
    };
    double limit = find_limit();
    for (int i = 1; i <= most; ++i) {
        specimen.step(0.8 * limit, {}, i % 20 == 0);
        if (specimen.state.numbers.calm >= tled::calm_steps) return i;
        if (i % 100 == 0) limit = find_limit();
    }
    return most;
}

Settled settle_tled(const CompareBody& body, const Problem& problem) {
    const ComparePart& part = body.solid;
    Settled found;
    const double began = thread_cpu_seconds();
    VolumeMesh mesh;
    mesh.nodes = part.nodes;
    mesh.tetrahedra = body.cells;
    const double density = compare_mass / find_volume(part, part.nodes);
    Specimen specimen(std::move(mesh), {make_neo_hookean(problem.stiffness, poisson, density)},
                      {.tetrahedra = tled::ElementKind::t4, .exact = problem.exact});
    specimen.organ.loads = loads_of(specimen, push_of(part, problem));
    specimen.organ.relax = true;
    specimen.x = turned(specimen.x, problem.pose);
    for (std::size_t n = 0; n < specimen.w.size(); ++n) {
        if (part.held[at(specimen.order[n])] != 0) specimen.w[n] = 0.0;
    }
    found.made = thread_cpu_seconds() - began;
    constexpr int most = 20000;
    found.steps = relax(specimen, problem.exact, most);
    found.fine = found.steps < most;
    found.seconds = thread_cpu_seconds() - began;
    found.x.resize(part.nodes.size());
    for (std::size_t n = 0; n < found.x.size(); ++n) found.x[at(specimen.order[n])] = specimen.x[n];
    const double limit = specimen.find_limit(0.02);
    add_times(limit, time_of(9, [&] { specimen.step(0.5 * limit); }), found);
    return found;
}

Settled settle_heat(const CompareBody& body, const Problem& problem) {
    const ComparePart& part = body.surface;
    Settled found;
    const double began = thread_cpu_seconds();
    HeatBodySetup setup = paper_setup({});
    setup.weld = !problem.loose;
    HeatBody heat({part.nodes, part.triangles}, setup);
    heat.x = turned(heat.x, problem.pose);
    heat.load = push_of(part, problem);
    found.made = thread_cpu_seconds() - began;
    double before = 0.0;
    // At rest when a second makes no difference.
    for (double t = 1.0; t <= problem.seconds; t += 1.0) {
        heat.run(1.0, frame);
        found.steps += static_cast<int>(std::lround(1.0 / frame));
        const double depth = find_depth(part, turned(heat.x, invert(problem.pose)));
        if (std::abs(depth - before) < 1e-4 * depth) break;
        before = depth;
    }
    found.fine = heat.fine;
    found.seconds = thread_cpu_seconds() - began;
    found.x = heat.x;
    found.step = found.small_step = time_of(9, [&] { heat.step(frame); });
    return found;
}

}  // namespace

const char* model_name(Model model) {
    switch (model) {
        case Model::surface_springs:
            return "springs, surface";
        case Model::area_springs:
            return "springs, surface, by area";
        case Model::solid_springs:
            return "springs, solid";
        case Model::linear:
            return "linear finite elements";
        case Model::tled:
            return "TLED";
        case Model::heat:
            return "heat";
    }
    return "";
}

Settled settle(const CompareBody& body, const Problem& problem) {
    Settled found = problem.model == Model::linear ? settle_linear(body, problem)
                    : problem.model == Model::tled ? settle_tled(body, problem)
                    : problem.model == Model::heat ? settle_heat(body, problem)
                                                   : settle_springs(body, problem);
    found.x = turned(std::move(found.x), invert(problem.pose));
    found.depth = find_depth(part_of(body, problem.model), found.x);
    return found;
}

double find_stiffness(const CompareBody& body, Problem problem, double depth) {
    double exponent = -1.0;  // d ln depth / d ln stiffness; exact for linear ones
    double last = 0.0, last_stiffness = 0.0;
    for (int i = 0; i < 12; ++i) {
        const double found = settle(body, problem).depth;
        if (std::abs(found / depth - 1.0) < 1e-3) break;
        if (last > 0.0 && found != last)
            exponent = std::clamp(std::log(found / last) / std::log(problem.stiffness / last_stiffness), -3.0, -0.3);
        last = found;
        last_stiffness = problem.stiffness;
        problem.stiffness *= std::pow(depth / found, 1.0 / exponent);
    }
    return problem.stiffness;
}

CellShape find_cell_shape(const CompareBody& body, const std::vector<Vec3>& x) {
    CellShape shape;
    const auto six = [](const std::vector<Vec3>& p, const std::array<std::int32_t, 4>& c) {
        const Vec3& o = p[at(c[0])];
        return dot(p[at(c[1])] - o, cross(p[at(c[2])] - o, p[at(c[3])] - o));
    };
    for (const auto& cell : body.cells) {
        const double left = six(x, cell) / six(body.solid.nodes, cell);
        shape.least = std::min(shape.least, left);
        shape.inverted += left <= 0.0 ? 1 : 0;
    }
    return shape;
}

}  // namespace plica::experiments
