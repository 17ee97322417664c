#include <cmath>
#include <memory>
#include <optional>

#include "bench/common/bench.hpp"
#include "bench/common/machine.hpp"
#include "bench/common/machine_limits.hpp"
#include "bench/tled/solid_block.hpp"
#include "bench/tled/solid_costs.hpp"
#include "bench/tled/textbook_tled.hpp"
#include "bench/tled/tled_report.hpp"
#include "bench/tled/world_memory.hpp"
#include "core/statistics.hpp"

// Solid organs: complete steps of blocks by every kernel and by the textbook's version, taking turns.
namespace plica::bench {
namespace {

using tled::ElementKind;

constexpr double largest_difference = 3e-5;  // of forces, in shares of the largest
constexpr double largest_drift = 1e-3;       // of displacements after a round, in shares of the largest
const std::vector<int> thread_counts{1, 2};

std::vector<Isa> available_sets() {
    std::vector<Isa> sets;
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        if (is_available(isa)) sets.push_back(isa);
    }
    return sets;
}

struct Runner {
    std::optional<Isa> isa;  // none: the textbook's
    int threads = 1;
    std::unique_ptr<SolidRun> ours;
    std::vector<double> seconds;  // of a step, per round
};

// A block with all that take part.
class Contest {
public:
    Contest(ElementKind kind, int side, const std::vector<Isa>& sets)
        : m_block(make_solid_block(kind, side)),
          m_textbook(m_block.mesh, m_block.material, kind, m_block.organ.settings.hourglass) {
        m_runners.push_back({{}, 1, nullptr, {}});
        for (const int threads : thread_counts) {
            for (const Isa isa : sets)
                m_runners.push_back({isa, threads, std::make_unique<SolidRun>(m_block, isa, threads), {}});
        }
    }

    [[nodiscard]] const SolidBlock& block() const { return m_block; }
    [[nodiscard]] const std::vector<Runner>& runners() const { return m_runners; }

    // Everybody's forces at the start against the textbook's.
    double compare_forces() {
        rewind_textbook();
        m_textbook.compute_forces();
        const std::vector<Vec3> reference = m_textbook.forces();
        double worst = 0.0;
        for (const Runner& each : m_runners) {
            if (!each.isa || each.threads > 1) continue;
            worst = std::max(worst, relative_difference(solid_forces(m_block, *each.isa), reference));
        }
        return worst;
    }

    void run_round(int steps) {
        for (Runner& each : m_runners) {
            each.ours ? each.ours->rewind() : rewind_textbook();
            step(each);  // caches and branches as they will be
            const double began = seconds_for(each.threads);
            for (int i = 0; i < steps; ++i) step(each);
            each.seconds.push_back((seconds_for(each.threads) - began) / steps);
        }
    }

    // After a round: all of ours must be at the same places, bit for bit, and near the textbook's.
    [[nodiscard]] double find_drift() const {
        const std::vector<Vec3> reference = m_textbook.displacements();
        const std::vector<Vec3>& x = m_runners[1].ours->x();
        std::vector<Vec3> u(x.size());
        for (std::size_t n = 0; n < x.size(); ++n) u[n] = x[n] - m_block.mesh.nodes[n];
        for (const Runner& each : m_runners) {
            if (each.ours && each.ours->x() != x) return HUGE_VAL;
        }
        return relative_difference(reference, u);
    }

private:
    void rewind_textbook() {
        m_textbook.start(m_block.mesh.nodes, m_block.x, m_block.v, m_block.w, m_block.gravity, m_block.h);
    }
    void step(Runner& runner) { runner.ours ? runner.ours->step() : m_textbook.step(); }

    SolidBlock m_block;
    TextbookTled m_textbook;
    std::vector<Runner> m_runners;
};

// Fractions come later, when the machine's limits are known.
Json describe(const Contest& contest) {
    const auto cells = static_cast<double>(contest.block().cells());
    const auto best_of = [](const Runner& r) { return percentile(r.seconds, 0.0); };
    const double reference = best_of(contest.runners()[0]);
    const double reference_median = percentile(contest.runners()[0].seconds, 0.5);
    Json rows = Json::array();
    for (const Runner& each : contest.runners()) {
        const double best = best_of(each), median = percentile(each.seconds, 0.5);
        rows.push_back({{"method", each.isa ? isa_name(*each.isa) : "textbook"},
                        {"threads", each.threads},
                        {"step_ms", {{"best", 1e3 * best}, {"median", 1e3 * median}}},
                        {"million_per_s", {{"best", 1e-6 * cells / best}, {"median", 1e-6 * cells / median}}},
                        {"times_textbook", {{"best", reference / best}, {"median", reference_median / median}}}});
    }
    return rows;
}

struct Plan {
    std::vector<int> sides;
    int rounds;
    double cells_a_round;
};

Plan make_plan(const Options& options) {
    Plan plan{{}, options.quick ? 2 : 9, options.quick ? 2e4 : 4.8e6};
    for (const int tetrahedra : options.sizes) {
        plan.sides.push_back(std::max(2, static_cast<int>(std::lround(std::cbrt(tetrahedra / 6.0)))));
    }
    if (plan.sides.empty()) plan.sides = options.quick ? std::vector{6} : std::vector{20, 40, 60};
    return plan;
}

Json run_case(ElementKind kind, int side, const Plan& plan, const std::vector<Isa>& sets, MachineLimits& limits,
              const Hooks& hooks) {
    Contest contest(kind, side, sets);
    const double tetrahedra = 6.0 * side * side * side;
    const int steps = std::max(3, static_cast<int>(plan.cells_a_round / tetrahedra));
    Json result{{"element", tled::element_name(kind)},
                {"cells", contest.block().cells()},
                {"nodes", contest.block().nodes()},
                {"step_s", contest.block().h},
                {"steps_a_round", steps},
                {"operations_per_cell", operations_a_cell(kind)},
                {"bytes_per_cell", bytes_a_cell(contest.block())},
                {"force_difference", contest.compare_forces()},
                {"drift", nullptr},
                {"problem", nullptr},
                {"rows", Json::array()}};
    if (!(result["force_difference"].get<double>() <= largest_difference)) {
        result["problem"] = "the textbook's forces are not ours: nothing was timed";
        return result;
    }
    for (int round = 0; round < plan.rounds && !hooks.is_interrupted(); ++round) {
        limits.measure();
        contest.run_round(steps);
        hooks.progress(std::string("tled ") + tled::element_name(kind) + " " + std::to_string(contest.block().cells()),
                       round + 1, plan.rounds);
    }
    const double drift = contest.find_drift();
    result["drift"] = drift;
    const tled::Extremes extremes = contest.runners()[1].ours->extremes();
    result["volume_ratio"] = {extremes.least, extremes.most};
    if (!(drift <= largest_drift) || !(extremes.least > 0.1 && extremes.most < 10.0)) {
        result["problem"] = "the runs came apart: their times do not count";
        return result;
    }
    result["rows"] = describe(contest);
    return result;
}

void add_fractions(const MachineLimits& limits, Json& result) {
    for (Json& block : result["blocks"]) {
        const double bytes = block["bytes_per_cell"].get<double>();
        const double operations = block["operations_per_cell"].get<double>();
        for (Json& row : block["rows"]) {
            const double rate = 1e6 * row["million_per_s"]["best"].get<double>();
            const int threads = row["threads"].get<int>();
            const std::optional<Isa> isa = find_isa(row["method"].get<std::string>());
            // The textbook's: one of four lanes of the same units; its own arrays are larger, its work is the same.
            const double peak = isa ? limits.arithmetic(*isa, threads) : limits.arithmetic(Isa::base, threads) / 4.0;
            row["share_of_arithmetic"] = rate * operations / peak;
            row["share_of_memory"] = isa ? Json(rate * bytes / limits.memory(threads)) : Json(nullptr);
        }
    }
}

Json describe_limits(const MachineLimits& limits, const std::vector<Isa>& sets) {
    Json memory = Json::array(), arithmetic = Json::array();
    for (const int threads : thread_counts) {
        memory.push_back({{"threads", threads}, {"gigabytes_per_s", 1e-9 * limits.memory(threads)}});
        for (const Isa isa : sets) {
            arithmetic.push_back({{"instructions", isa_name(isa)},
                                  {"threads", threads},
                                  {"billion_per_s", 1e-9 * limits.arithmetic(isa, threads)}});
        }
    }
    return {{"array_bytes", limits.array_bytes()}, {"memory", memory}, {"arithmetic", arithmetic}};
}

}  // namespace

Result run_tled(const Options& options, const Hooks& hooks) {
    const Plan plan = make_plan(options);
    const std::vector<Isa> sets = available_sets();
    Result result;
    result.json = {{"benchmark", "tled"},
                   {"processor", processor_name()},
                   {"load_before", load_average()},
                   {"rounds", plan.rounds},
                   {"blocks", Json::array()}};
    result.json["memory"] = measure_world_memory(*std::max_element(plan.sides.begin(), plan.sides.end()));
    MachineLimits limits(sets, thread_counts, options.quick);
    for (const int side : plan.sides) {
        for (const ElementKind kind : {ElementKind::t4, ElementKind::t4anp, ElementKind::h8}) {
            if (hooks.is_interrupted()) break;
            Json block = run_case(kind, side, plan, sets, limits, hooks);
            if (!block["problem"].is_null()) result.status = Status::failed;
            result.json["blocks"].push_back(std::move(block));
        }
    }
    result.json["load_after"] = load_average();
    result.json["limits"] = describe_limits(limits, sets);
    add_fractions(limits, result.json);
    result.json["targets"] = compare_with_targets(result.json);
    result.text = tled_text(result.json);
    result.csv = tled_csv(result.json);
    result.gnuplot = tled_plot();
    return result;
}

}  // namespace plica::bench
