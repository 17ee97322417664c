#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "bench/common/bench.hpp"
#include "bench/common/machine.hpp"
#include "core/clock.hpp"
#include "core/statistics.hpp"
#include "geometry/mesh/shapes.hpp"
#include "tissue/heat/march.hpp"
#include "tissue/heat/step.hpp"

// A body of heat tissue under a push: what one conduction of heat and one substep of the motion cost, and the linear
// solves in them beside Eigen's factor and conjugate gradients, in turns.
namespace plica::bench {
namespace {

constexpr double dt = 0.01;  // s

// A superquadric that stands, pushed in around its top.
struct Body {
    explicit Body(int nodes)
        : mesh(make_superquadric(nodes, 0.5, {1, 1, 1})), fixed(mesh.nodes.size(), 0), load(mesh.nodes.size()) {
        std::vector<std::size_t> pushed;
        for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
            fixed[n] = mesh.nodes[n].z < -0.8 ? 1 : 0;
            if (distance(mesh.nodes[n], {0, 0, 1}) < 0.2) pushed.push_back(n);
        }
        for (const std::size_t n : pushed) load[n].z = -10.0 / static_cast<double>(pushed.size());
        membrane = heat::build_membrane(mesh, {}, {}, fixed, fixed, {});
        for (std::size_t n = 0; n < membrane.size(); ++n) w.push_back(fixed[n] != 0 ? 0.0 : 1.0 / membrane.mass[n]);
        x = membrane.rest;
        v.resize(x.size());
        p.resize(x.size());
        heat::prepare(membrane, dt, work, state);
    }

    // CPU seconds.
    double conduct() {
        state.touch = load;
        const double began = thread_cpu_seconds();
        heat::conduct(membrane, dt, x, state, work);
        return thread_cpu_seconds() - began;
    }
    double step() {
        const double began = thread_cpu_seconds();
        heat::step_membrane(membrane, {x, v, w, load, {}, 0.0, dt}, state, work, p);
        const double took = thread_cpu_seconds() - began;
        for (std::size_t n = 0; n < x.size(); ++n) v[n] = (p[n] - x[n]) / dt;
        x = p;
        return took;
    }

    SurfaceMesh mesh;
    std::vector<std::uint8_t> fixed;
    std::vector<Vec3> load;  // N
    heat::Membrane membrane;
    std::vector<double> w;
    std::vector<Vec3> x, v, p;
    heat::MembraneState state;
    heat::Workspace work;
};

// The heat's equations alone: A T = b, A of the body, by our factor, by Eigen's and by conjugate gradients from the
// last temperatures.
struct Solves {
    explicit Solves(const Body& body) : matrix(body.membrane.conduction.stiffness), factor(matrix) {
        const auto rows = static_cast<Eigen::Index>(matrix.rows());
        std::vector<Eigen::Triplet<double>> entries;
        for (std::size_t r = 0; r < matrix.rows(); ++r) {
            for (std::int32_t k = matrix.first[r]; k < matrix.first[r + 1]; ++k) {
                const auto at = static_cast<std::size_t>(k);
                if (matrix.column[at] == static_cast<std::int32_t>(r)) {
                    matrix.value[at] += (1.0 / dt + 1.0) * body.membrane.conduction.area[r];
                }
                entries.emplace_back(static_cast<int>(r), matrix.column[at], matrix.value[at]);
            }
        }
        Eigen::SparseMatrix<double> theirs(rows, rows);
        theirs.setFromTriplets(entries.begin(), entries.end());
        eigen.compute(theirs);
        factor.factorize(matrix);
        right = Eigen::VectorXd::Constant(rows, 1e-6);
        right[rows / 2] = 1.0;
        guess.assign(matrix.rows(), 0.0);
    }
    double ours() {
        std::vector<double> values(right.data(), right.data() + right.size());
        const double began = thread_cpu_seconds();
        factor.solve(values);
        const double took = thread_cpu_seconds() - began;
        ours_result = values;
        return took;
    }
    double theirs() {
        const double began = thread_cpu_seconds();
        const Eigen::VectorXd result = eigen.solve(right);
        const double took = thread_cpu_seconds() - began;
        difference = 0.0;
        for (std::size_t i = 0; i < ours_result.size(); ++i) {
            difference = std::max(difference, std::abs(result[static_cast<Eigen::Index>(i)] - ours_result[i]));
        }
        return took;
    }
    double gradients() {
        right[0] += 1e-4;  // a little further, as from step to step
        const double began = thread_cpu_seconds();
        heat::solve_by_gradients(matrix, {right.data(), matrix.rows()}, 1e-8, 10000, scratch, guess);
        return thread_cpu_seconds() - began;
    }

    heat::SymmetricMatrix matrix;
    heat::Factor factor;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> eigen;
    Eigen::VectorXd right;
    std::vector<double> guess, ours_result;
    heat::GradientScratch scratch;
    double difference = 0.0;  // of ours and theirs, largest
};

Json milliseconds(const std::vector<double>& seconds) {
    return {{"p50", 1e3 * percentile(seconds, 0.5)}, {"p99", 1e3 * percentile(seconds, 0.99)}};
}

Json measure(int nodes, int rounds, const Hooks& hooks) {
    Body body(nodes);
    Solves solves(body);
    std::vector<double> conduct, step, both, ours, theirs, gradients;
    for (int i = -20; i < rounds && !hooks.is_interrupted(); ++i) {
        const double heat = body.conduct(), motion = body.step();
        const double a = solves.ours(), b = solves.theirs(), c = solves.gradients();
        if (i < 0) continue;  // warm first
        conduct.push_back(heat);
        step.push_back(motion);
        both.push_back(heat + motion);
        ours.push_back(a);
        theirs.push_back(b);
        gradients.push_back(c);
    }
    double depth = 0.0;
    for (std::size_t n = 0; n < body.x.size(); ++n) depth = std::max(depth, body.mesh.nodes[n].z - body.x[n].z);
    return {{"nodes", nodes},
            {"heat_ms", milliseconds(conduct)},
            {"motion_ms", milliseconds(step)},
            {"both_ms", milliseconds(both)},
            {"solve_ms", milliseconds(ours)},
            {"eigen_solve_ms", milliseconds(theirs)},
            {"gradients_ms", milliseconds(gradients)},
            {"eigen_over_ours", percentile(theirs, 0.5) / percentile(ours, 0.5)},
            {"gradients_over_ours", percentile(gradients, 0.5) / percentile(ours, 0.5)},
            {"difference", solves.difference},
            {"depth", depth}};
}

std::string to_text(const Json& j) {
    std::string text = fmt::format(
        "a body of heat tissue under a push, CPU time of one thread, {}; load {:.2f}\n"
        "{:>8} {:>20} {:>20} {:>20} {:>7} {:>11} {:>13} {:>10}\n",
        j["processor"].get<std::string>(), j["load"].get<double>(), "nodes", "heat, ms p50/p99", "motion, ms p50/p99",
        "both, ms p50/p99", "p99/50", "solve, ms", "Eigen LDLT x", "CG x");
    const auto pair = [](const Json& ms) {
        return fmt::format("{:.4f} / {:.4f}", ms["p50"].get<double>(), ms["p99"].get<double>());
    };
    for (const Json& row : j["rows"]) {
        const double p50 = row["both_ms"]["p50"].get<double>(), p99 = row["both_ms"]["p99"].get<double>();
        text += fmt::format("{:>8} {:>20} {:>20} {:>20} {:>7.2f} {:>11.4f} {:>13.2f} {:>10.1f}\n",
                            row["nodes"].get<int>(), pair(row["heat_ms"]), pair(row["motion_ms"]), pair(row["both_ms"]),
                            p99 / p50, row["solve_ms"]["p50"].get<double>(), row["eigen_over_ours"].get<double>(),
                            row["gradients_over_ours"].get<double>());
    }
    return text;
}

std::string to_csv(const Json& j) {
    std::string csv = "nodes,heat_p50_ms,motion_p50_ms,both_p50_ms,both_p99_ms,solve_ms,eigen_ms,gradients_ms\n";
    for (const Json& row : j["rows"]) {
        csv += fmt::format("{},{},{},{},{},{},{},{}\n", row["nodes"].get<int>(), row["heat_ms"]["p50"].get<double>(),
                           row["motion_ms"]["p50"].get<double>(), row["both_ms"]["p50"].get<double>(),
                           row["both_ms"]["p99"].get<double>(), row["solve_ms"]["p50"].get<double>(),
                           row["eigen_solve_ms"]["p50"].get<double>(), row["gradients_ms"]["p50"].get<double>());
    }
    return csv;
}

}  // namespace

Result run_heat(const Options& options, const Hooks& hooks) {
    std::vector<int> sizes = options.sizes;
    if (sizes.empty()) sizes = options.quick ? std::vector<int>{400} : std::vector<int>{400, 2500, 10000};
    Result result;
    result.json = {{"benchmark", "heat"}, {"processor", processor_name()}, {"load", load_average()}, {"dt", dt}};
    result.json["rows"] = Json::array();
    bool same = true;
    for (std::size_t i = 0; i < sizes.size() && !hooks.is_interrupted(); ++i) {
        hooks.progress("heat", static_cast<std::int64_t>(i), static_cast<std::int64_t>(sizes.size()));
        const int rounds =
            options.quick ? 100 : static_cast<int>(std::max(300.0, 40000.0 / std::sqrt(static_cast<double>(sizes[i]))));
        result.json["rows"].push_back(measure(sizes[i], rounds, hooks));
        same = same && result.json["rows"].back()["difference"].get<double>() < 1e-8;
    }
    result.text = to_text(result.json);
    result.csv = to_csv(result.json);
    result.gnuplot =
        "set datafile separator ','\nset logscale xy\nset xlabel 'nodes'\nset ylabel 'ms'\nset key left top\n"
        "plot csv using 1:4 with linespoints title 'heat and motion, median', "
        "'' using 1:5 with linespoints title 'p99', '' using 1:6 with linespoints title 'one solve', "
        "'' using 1:7 with linespoints title 'by Eigen', '' using 1:8 with linespoints title 'by gradients'\n";
    result.status = same ? Status::ok : Status::failed;
    return result;
}

}  // namespace plica::bench
