#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "engine/world.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/common/stage.hpp"
#include "experiments/raghupathi/detection.hpp"

// What the mesentery's contact with itself does to the gut, which the papers neglect: some seeds of one scene with and
// without. Where it does nothing, two guts of which one has it are no further apart than two that both have it or both
// have not. Next to it what it does to leave out all contact.
namespace plica::experiments {
namespace {

constexpr double gut_radius = 0.02;  // m, of the scene
constexpr double same_place = 0.5;   // radii: a gut nearer than this to where it would be is "hardly affected"
constexpr double rarely = 0.05;      // of the ways to divide the runs: chance does it
constexpr double effect_ends = 12.0, effect_rests = 2.0, effect_falls = 0.5;  // s: the whole, its end, its beginning
constexpr std::array<double, 2> sheet_thicknesses{0.01, 0.002};               // m: as printed, and thin

struct GutPath {
    std::vector<std::vector<Vec3>> frames;  // of the gut's nodes
    double seconds = 0.0;                   // CPU, of a frame, median
};

GutPath follow_gut(const std::vector<std::string>& overrides, int seed, bool quick) {
    const SceneSource source = plane_scene(overrides);
    Built built = build_scene(source, static_cast<std::uint64_t>(seed));
    World world(std::move(built.model), std::move(built.state));
    Script script(read_scene(source));
    const Body& gut = world.model().bodies.front();
    GutPath path;
    std::vector<double> seconds;
    const auto steps = static_cast<int>(std::lround((quick ? 0.2 : effect_ends) / world.model().dt));
    for (int i = 0; i < steps; ++i) {
        seconds.push_back(world.step(script.next(world)).seconds);
        const auto first = world.frame().positions.begin() + gut.first_node;
        path.frames.emplace_back(first, first + gut.nodes);
    }
    path.seconds = median(seconds);
    return path;
}

GutPath follow_sheet(double thickness, const char* setting, int seed, bool quick) {
    return follow_gut({"gut.preset=paper", fmt::format("gut.mesentery_thickness={}", thickness), setting}, seed, quick);
}

// In radii, rms over the nodes.
double apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double square = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) square += squared_norm(a[i] - b[i]);
    return std::sqrt(square / static_cast<double>(a.size())) / gut_radius;
}

double mean_of(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// How far apart guts are, mean over pairs of runs: in each frame, over all, in the beginning and at the end.
struct GutsApart {
    std::vector<double> frames;
    double mean = 0.0, start = 0.0, end = 0.0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GutsApart, mean, start, end)

using GutPairs = std::vector<std::array<const GutPath*, 2>>;
GutsApart compare_guts(const GutPairs& pairs) {
    GutsApart result;
    const std::size_t count = pairs.front()[0]->frames.size();
    for (std::size_t i = 0; i < count; ++i) {
        double sum = 0.0;
        for (const auto& [a, b] : pairs) sum += apart(a->frames[i], b->frames[i]);
        result.frames.push_back(sum / static_cast<double>(pairs.size()));
    }
    const auto frames_in = [&](double seconds) {
        return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(count) * seconds / effect_ends));
    };
    const std::span<const double> all(result.frames);
    result.mean = mean_of(all);
    result.start = mean_of(all.first(frames_in(effect_falls)));
    result.end = mean_of(all.last(frames_in(effect_rests)));
    return result;
}

// Runs in two halves, the first of which differ from the second in something. The share of all ways to halve them that
// part them as far as this one, by the mean distance across less the mean distance within: what chance alone would do.
double find_chance(const std::vector<const GutPath*>& runs) {
    const std::size_t n = runs.size();
    std::vector<double> between(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            between[i * n + k] = between[k * n + i] = compare_guts({{runs[i], runs[k]}}).mean;
        }
    }
    const auto parts = [&](unsigned half) {
        double across = 0.0, within = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t k = 0; k < i; ++k) {
                ((half >> i & 1U) == (half >> k & 1U) ? within : across) += between[i * n + k];
            }
        }
        const double m = 0.5 * static_cast<double>(n);
        return across / (m * m) - within / (m * (m - 1.0));
    };
    const unsigned first_half = (1U << n / 2) - 1U;
    const double wanted = parts(first_half) * (1.0 - 1e-9);
    double ways = 0.0, as_far = 0.0;
    for (unsigned half = 1; half < 1U << n; half += 2) {
        if (static_cast<std::size_t>(std::popcount(half)) != n / 2) continue;
        ways += 1.0;
        as_far += half == first_half || parts(half) >= wanted ? 1.0 : 0.0;
    }
    return as_far / ways;
}

struct SheetEffect {
    double thickness = 0.0;       // m
    GutsApart self, alike, none;  // one touches itself and one does not; both alike; contact and none at all
    double chance = 1.0;          // of what contact with itself does
    double seconds_on = 0.0, seconds_off = 0.0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SheetEffect, thickness, self, alike, none, chance, seconds_on, seconds_off)

SheetEffect measure_effect(double thickness, bool quick, const std::function<void()>& tick) {
    const int seeds = quick ? 2 : 6;
    std::vector<GutPath> on, off;
    for (int seed = 1; seed <= seeds; ++seed) {
        on.push_back(follow_sheet(thickness, "gut.mesentery_self_contact=true", seed, quick));
        tick();
        off.push_back(follow_sheet(thickness, "gut.mesentery_self_contact=false", seed, quick));
        tick();
    }
    const GutPath none = follow_sheet(thickness, "contact.enabled=false", 1, quick);
    std::vector<const GutPath*> all;
    for (const GutPath& path : on) all.push_back(&path);
    for (const GutPath& path : off) all.push_back(&path);
    GutPairs self, alike;
    for (std::size_t i = 0; i < off.size(); ++i) {
        for (const GutPath& other : off) self.push_back({&on[i], &other});
        for (std::size_t k = 0; k < i; ++k) {
            alike.push_back({&off[i], &off[k]});
            alike.push_back({&on[i], &on[k]});
        }
    }
    return {thickness,        compare_guts(self), compare_guts(alike), compare_guts({{&none, &off.front()}}),
            find_chance(all), on.front().seconds, off.front().seconds};
}

std::string millimetres(double thickness) {
    return fmt::format("{:g} mm", 1e3 * thickness);
}

Table effect_table(const std::vector<SheetEffect>& effects) {
    Table table{"how far apart two guts are, in radii (rms over the nodes): first half second / 12 s / last 2 s, means",
                {"mesentery", "one touches itself, one does not", "both alike, another seed", "contact and none at all",
                 "chance parts them as far", "frame ms, with", "without"},
                {}};
    const auto cell = [](const GutsApart& a) {
        return number(a.start, 2) + " / " + number(a.mean, 2) + " / " + number(a.end, 2);
    };
    for (const SheetEffect& e : effects) {
        table.rows.push_back({millimetres(e.thickness), cell(e.self), cell(e.alike), cell(e.none), percent(e.chance),
                              number(1e3 * e.seconds_on, 2), number(1e3 * e.seconds_off, 2)});
    }
    return table;
}

Table plot_effect(const std::vector<SheetEffect>& effects) {
    Table table{"", {"time"}, {}};
    for (const SheetEffect& e : effects) {
        table.columns.push_back(fmt::format("{}: one touches itself and one does not", millimetres(e.thickness)));
        table.columns.push_back(fmt::format("{}: both alike but for the seed", millimetres(e.thickness)));
    }
    table.columns.emplace_back("contact and none at all");
    for (std::size_t i = 0; i < effects.front().self.frames.size(); ++i) {
        std::vector<std::string> row{number(static_cast<double>(i + 1) / 30.0, 4)};
        for (const SheetEffect& e : effects) {
            row.push_back(number(e.self.frames[i], 4));
            row.push_back(number(e.alike.frames[i], 4));
        }
        row.push_back(number(effects.front().none.frames[i], 4));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string effect_commands(std::size_t columns) {
    return "set terminal pngcairo size 1100,600 font 'sans,13' background 'white'\n"
           "set title 'How far apart two guts are that differ in this'\nset grid\nset xrange [0:12]\n"
           "set logscale y\nset yrange [0.01:30]\nset xlabel 'time (s); the probe pulls from 5 to 8 s'\n"
           "set ylabel 'distance / radius (rms over the nodes)'\nset bmargin 8\n"
           "set key at screen 0.5,0.02 center bottom maxrows 3 Left reverse\n"
           "set linetype 1 lc rgb '#c04000' dt 1\nset linetype 2 lc rgb '#c04000' dt 2\n"
           "set linetype 3 lc rgb '#1f5fae' dt 1\nset linetype 4 lc rgb '#1f5fae' dt 2\n"
           "set linetype 5 lc rgb '#333333' dt 3\n" +
           fmt::format(
               "plot for [i=2:{}] 'raghupathi-mesentery.csv' using 1:i with lines lt i-1 lw 2 "
               "title columnheader(i)\n",
               columns);
}

bool is_hardly_affected(const SheetEffect& e) {
    return std::max(e.self.mean, e.self.end) <= same_place || e.chance > rarely;
}

std::string describe_effect(const SheetEffect& e) {
    return fmt::format(
        "{}: {:.1f} r apart in the mean, {:.1f} r at rest (both alike: {:.1f} and {:.1f} r), which {:.1f} "
        "% of all ways to halve the runs do",
        millimetres(e.thickness), e.self.mean, e.self.end, e.alike.mean, e.alike.end, 100.0 * e.chance);
}

}  // namespace

Result run_raghupathi_mesentery(const ExperimentOptions& options) {
    const int runs = static_cast<int>(sheet_thicknesses.size()) * (options.quick ? 4 : 12);
    int done = 0;
    std::vector<SheetEffect> effects;
    for (const double thickness : sheet_thicknesses) {
        effects.push_back(
            measure_effect(thickness, options.quick, [&] { options.progress(static_cast<double>(++done) / runs); }));
    }
    Result result;
    result.tables = {effect_table(effects)};
    const Table data = plot_effect(effects);
    result.plots = plot(options.folder, "raghupathi-mesentery", data, effect_commands(data.columns.size()));
    result.measured = {{"effects", effects}};
    result.notes = {
        "intestine-plane with the paper's anatomy, capsules against triangles, our response; with and without "
        "`mesentery_self_contact`, six seeds of a random velocity of 1 cm/s at the start, all pairs of runs.",
        "A gut in contact is chaotic: what another seed does is what no viewer can tell from chance."};
    return result;
}

std::vector<Claim> judge_raghupathi_mesentery(const Measurements& m) {
    const std::vector<SheetEffect> effects = m.at("effects");
    std::string ours;
    for (const SheetEffect& e : effects) ours += (ours.empty() ? "" : "; ") + describe_effect(e);
    const SheetEffect& printed = effects.front();
    return {judge(
        {"Collisions of the mesentery with itself have almost no effect on the gut.", "Raghupathi 2004, sec. 4.1",
         "First, since the mesentery is very thin and soft compared to the intestine, its self-collisions "
         "will have almost no effect on the overall behavior of the system.",
         "almost none"},
        ours,
        "at the printed 1 cm and at 2 mm runs with them and runs without are no further apart than half a radius, or "
        "than more than 5 % of the ways to halve the runs make them by chance, in the mean over the run",
        std::all_of(effects.begin(), effects.end(), is_hardly_affected),
        fmt::format("In the first half second, before chance has its way, it is {:.2f} r with one and without "
                    "the other, {:.2f} r where both are alike. Without any contact the gut is {:.1f} r away.",
                    printed.self.start, printed.alike.start, printed.none.mean))};
}

}  // namespace plica::experiments
