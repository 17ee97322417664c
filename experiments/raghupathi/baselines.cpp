#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "audit/verdict.hpp"
#include "collision/candidates.hpp"
#include "core/clock.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/raghupathi/other_detectors.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"

// What the papers set aside, on the same frames: spheres in voxels (France et al.) and trees of boxes.
namespace plica::experiments {
namespace {

constexpr double near_share = 0.02;  // of the tube's radius: pairs within this gap are wanted
constexpr double fit_for_use = 1.5;  // a refitted tree may test this many times the boxes of a new one

struct Frames {
    const char* name;
    Model model;
    double near = 0.0;  // m
    std::vector<std::vector<Vec3>> positions;
    std::vector<std::vector<PrimitivePair>> wanted;  // brute force
};

Frames record(const char* name, const char* scene_name, double seconds, int every) {
    const SceneSource source = find_scene(scene_name);
    const SceneDescription scene = read_scene(source);
    Built built = build_scene(source, 1);
    Frames frames{name, built.model, near_share * built.model.surface.capsules[0].radius, {}, {}};
    World world(std::move(built.model), std::move(built.state));
    Script script(scene);
    const auto steps = static_cast<int>(seconds / world.model().dt);
    for (int i = 1; i <= steps; ++i) {
        world.step(script.next(world));
        if (i % every == 0) frames.positions.push_back(world.state().x);
    }
    return frames;
}

using Detect = std::function<void(std::span<const Vec3>, Found&)>;

struct Method {
    std::string name;
    Detect detect;
};

// Ours, through the same interface.
using FindPairs = decltype(&find_pairs_brute);
Method wrap(const char* name, FindPairs find, const Frames& frames) {
    struct Tools {
        ThreadPool pool;
        DetectorScratch scratch;
        std::vector<Pair> pairs;
        std::vector<std::uint8_t> enabled;
        std::vector<double> margin;
    };
    auto tools = std::make_shared<Tools>();
    tools->enabled.assign(frames.model.surface.capsules.size(), 1);
    tools->margin.assign(frames.model.nodes(), 0.5 * frames.near);
    const Surface& surface = frames.model.surface;
    return {name, [tools, find, &surface](std::span<const Vec3> x, Found& found) {
                found = {};
                found.parts = primitive_count(surface);
                found.candidates =
                    find({surface, tools->enabled, x}, tools->margin, tools->pool, tools->scratch, tools->pairs);
                for (const Pair& pair : tools->pairs) found.pairs.push_back({pair.a, pair.b});
            }};
}

std::vector<Method> make_methods(const Frames& frames) {
    std::vector<Method> methods{wrap("all pairs (ours)", find_pairs_brute, frames),
                                wrap("grid of boxes (ours)", find_pairs_grid, frames),
                                wrap("tree of eight, refitted (ours)", find_pairs_bvh, frames)};
    const Surface& surface = frames.model.surface;
    const auto add = [&](const char* name, auto detector) {
        methods.push_back({name, [detector, near = frames.near](std::span<const Vec3> x, Found& found) {
                               detector->find(x, near, found);
                           }});
    };
    add("binary tree, refitted", std::make_shared<BinaryTree>(surface, false));
    add("binary tree, built anew", std::make_shared<BinaryTree>(surface, true));
    add("spheres in voxels, covering", std::make_shared<SphereGrid>(surface, VoxelReading::covered));
    add("spheres in voxels, literal", std::make_shared<SphereGrid>(surface, VoxelReading::literal));
    return methods;
}
enum : std::size_t { brute, own_grid, own_tree, refitted, rebuilt, covering, literal };

// A method over all frames; per frame.
struct Score {
    double ms = 0.0;  // fastest of a few repetitions
    double coarse = 0.0, candidates = 0.0, parts = 0.0;
    double late_coarse = 0.0;  // in the last third of the frames, in all
    std::int64_t wanted = 0, missed = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Score, ms, coarse, candidates, parts, late_coarse, wanted, missed)

Score measure(const Method& method, const Frames& frames, int repetitions) {
    Score score;
    const auto count = static_cast<double>(frames.positions.size());
    Found found;
    for (std::size_t f = 0; f < frames.positions.size(); ++f) {
        double fastest = 1e9;
        for (int r = 0; r < repetitions; ++r) {
            const double began = thread_cpu_seconds();
            method.detect(frames.positions[f], found);
            fastest = std::min(fastest, thread_cpu_seconds() - began);
        }
        score.ms += 1e3 * fastest / count;
        score.coarse += static_cast<double>(found.coarse_tests) / count;
        score.candidates += static_cast<double>(found.candidates) / count;
        score.parts += static_cast<double>(found.parts) / count;
        if (3 * f >= 2 * frames.positions.size()) score.late_coarse += static_cast<double>(found.coarse_tests);
        const std::vector<PrimitivePair>& wanted = frames.wanted[f];
        score.wanted += static_cast<std::int64_t>(wanted.size());
        for (const PrimitivePair& pair : wanted) {
            score.missed += std::binary_search(found.pairs.begin(), found.pairs.end(), pair) ? 0 : 1;
        }
    }
    return score;
}

struct Comparison {
    std::vector<std::string> methods;
    std::vector<Score> scores;
    double frames = 0.0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Comparison, methods, scores, frames)

Comparison compare(Frames& frames, int repetitions) {
    Comparison comparison;
    comparison.frames = static_cast<double>(frames.positions.size());
    const std::vector<Method> methods = make_methods(frames);
    for (const std::vector<Vec3>& x : frames.positions) {
        Found found;
        methods[brute].detect(x, found);
        frames.wanted.push_back(std::move(found.pairs));
    }
    for (const Method& method : methods) {
        comparison.methods.push_back(method.name);
        comparison.scores.push_back(measure(method, frames, repetitions));
    }
    return comparison;
}

double missed_share(const Score& s) {
    return static_cast<double>(s.missed) / std::max(1.0, static_cast<double>(s.wanted));
}

Table make_table(const Frames& frames, const Comparison& c) {
    Table table{fmt::format("{}: {} tubes, {} triangles; {} frames with {:.0f} near pairs each", frames.name,
                            frames.model.surface.capsules.size(), frames.model.surface.triangles.size(), c.frames,
                            static_cast<double>(c.scores[brute].wanted) / c.frames),
                {"method", "ms per frame", "parts", "sphere or box tests", "exact tests", "false alarms %", "missed %"},
                {}};
    for (std::size_t m = 0; m < c.scores.size(); ++m) {
        const Score& s = c.scores[m];
        const double kept = static_cast<double>(s.wanted - s.missed) / c.frames;
        table.rows.push_back({c.methods[m], fmt::format("{:.3f}", s.ms), fmt::format("{:.0f}", s.parts),
                              m <= own_tree ? "-" : fmt::format("{:.0f}", s.coarse),
                              fmt::format("{:.0f}", s.candidates),
                              fmt::format("{:.0f}", 100.0 * (1.0 - kept / std::max(1.0, s.candidates))),
                              fmt::format("{:.2f}", 100.0 * missed_share(s))});
    }
    return table;
}

constexpr const char* plot_commands = R"gp(
set title "Detection on the same frames"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 border -1
set logscale y
set ylabel "ms per frame"
set yrange [0.001:*]
set xrange [-0.7:6.7]
set xtics rotate by 20 right noenhanced
set key top left
set bmargin 6
set rmargin 4
plot "raghupathi-baselines.csv" using 2:xtic(1) title columnheader(2), "" using 3 title columnheader(3)
)gp";

Table plot_table(const Comparison& alone, const Comparison& together) {
    Table table{"", {"method", "gut alone", "gut and mesentery"}, {}};
    for (std::size_t m = 0; m < alone.scores.size(); ++m) {
        std::string name = alone.methods[m];
        std::erase(name, ',');
        table.rows.push_back(
            {name, fmt::format("{:.6f}", alone.scores[m].ms), fmt::format("{:.6f}", together.scores[m].ms)});
    }
    return table;
}

std::vector<Claim> make_claims(const Comparison& alone, const Comparison& together) {
    const auto text = [](const Comparison& c, std::size_t m) {
        return fmt::format("{:.2f} ms, {:.1f} % missed", c.scores[m].ms, 100.0 * missed_share(c.scores[m]));
    };
    const Score& spheres = together.scores[covering];
    const char* words =
        "Though this method achieved real-time performances when the intestine alone was used, it failed "
        "when a mesentery surface was added.";
    const char* then = "Real time is a matter of the computer.";
    const Score& refit = together.scores[refitted];
    const Score& fresh = together.scores[rebuilt];
    const bool stale = refit.coarse > fit_for_use * fresh.coarse;
    return {
        compare_not(
            {"Spheres in voxels are real-time for the intestine alone.", "Raghupathi 2003, sec. 2", words, "real-time"},
            fmt::format("covering spheres {}; read literally {}", text(alone, covering), text(alone, literal)), then),
        compare_not(
            {"Spheres in voxels fail when a mesentery is added.", "Raghupathi 2003, sec. 2", words, "failed"},
            fmt::format("covering spheres {}, {:.1f} times the time without, {:.0f} % of their alarms false, {:.1f} "
                        "times the time of our grid; read literally {}",
                        text(together, covering), spheres.ms / alone.scores[covering].ms,
                        100.0 * (1.0 - static_cast<double>(spheres.wanted - spheres.missed) / together.frames /
                                           std::max(1.0, spheres.candidates)),
                        spheres.ms / together.scores[own_grid].ms, text(together, literal)),
            "Neither paper says what failed. Read literally they miss pairs; where spheres cover the membrane and "
            "stand in every voxel they overlap nothing is missed, and how long that may take is a matter of the "
            "computer."),
        judge(
            {"A tree of bounding volumes cannot be updated efficiently when the folds move.",
             "Raghupathi 2004, sec. 2.1",
             "This creates a large scale global deformation, which prevents the BVH from being efficiently updated.",
             "not suitable"},
            fmt::format(
                "a refitted binary tree tests {:.2f} times the boxes of one built anew ({:.2f} in the last third "
                "of the frames), in {:.2f} of its time; our tree {}",
                refit.coarse / fresh.coarse, refit.late_coarse / std::max(1.0, fresh.late_coarse), refit.ms / fresh.ms,
                text(together, own_tree)),
            "a refitted tree over the primitives in their order tests more than 1.5 times the boxes of one built anew",
            stale,
            stale ? "What is near along the organ, and so in this tree, parts as folds move."
                  : "The order along the organ does not change, so that refitting keeps the boxes tight.")};
}

}  // namespace

Result run_raghupathi_baselines(const ExperimentOptions& options) {
    Frames alone = record("gut alone", "intestine-pile", options.quick ? 0.3 : 6.0, options.quick ? 3 : 4);
    options.progress(0.2);
    Frames together = record("gut and mesentery", "intestine", options.quick ? 0.15 : 8.0, options.quick ? 3 : 6);
    options.progress(0.6);
    const int repetitions = options.quick ? 1 : 5;
    const Comparison without = compare(alone, repetitions);
    const Comparison with = compare(together, repetitions);
    options.progress(1.0);

    Result result;
    result.tables = {make_table(alone, without), make_table(together, with)};
    result.plots = plot(options.folder, "raghupathi-baselines", plot_table(without, with), plot_commands);
    result.measured = {{"alone", without}, {"together", with}};
    result.notes = {
        "Near: a gap of at most 2 % of the tube's radius. Missed: found by all pairs, not by the method.",
        "False alarms: pairs that spheres or boxes report and the exact test refuses.",
        "Ours work on eight boxes or pairs at a time; the binary trees and the spheres on one. Compare their tests."};
    return result;
}

std::vector<Claim> judge_raghupathi_baselines(const Measurements& m) {
    return make_claims(m.at("alone"), m.at("together"));
}

}  // namespace plica::experiments
