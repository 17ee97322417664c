#include "experiments/raghupathi/pair_plot.hpp"

#include <algorithm>
#include <set>

#include "experiments/common/numbers.hpp"

namespace plica::experiments {
namespace {

constexpr double frame_rate = 30.0;  // Hz
constexpr int seeds = 5;

enum Kind { near_pair, colliding_pair, missed_pair, active_pair };  // as the plot's script numbers them

// One instant: the tracked detector's pairs after following the motion up to it.
struct Instant {
    std::size_t frame = 0;
    std::vector<Pair> near;  // every pair under the papers' threshold
    CollidingPairs truth;
    std::vector<ActivePair> active;
    RecallCount recall;
    bool active_are_near = true;
};

std::vector<Pair> find_near(const Motion& motion, const std::vector<Vec3>& x) {
    const TrackSettings settings;
    CandidateList list;
    list.margin.assign(x.size(), (settings.near - 1.0) * motion.surface.capsules[0].radius);
    ThreadPool pool;
    DetectorScratch scratch;
    rebuild(list, DetectorKind::brute, {motion.surface, motion.enabled, x}, pool, scratch);
    return list.pairs;
}

bool all_are_in(const std::vector<ActivePair>& active, const std::vector<Pair>& near) {
    return std::all_of(active.begin(), active.end(), [&](const ActivePair& a) {
        Pair pair;
        pair.a = a.a;
        pair.b = a.b;
        return std::binary_search(near.begin(), near.end(), pair);
    });
}

Instant look_at(const Motion& motion, std::size_t frame, int draws) {
    TrackSettings settings;
    settings.draws = draws;
    Random random{1};
    TrackScratch scratch;
    std::vector<Pair> colliding;
    std::vector<ActivePair> active;
    for (std::size_t i = 0; i <= frame; ++i) {
        track(motion.view(motion.frames[i]), settings, random, active, scratch, colliding);
    }
    const std::vector<Vec3>& x = motion.frames[frame];
    Instant instant{
        frame, find_near(motion, x), find_colliding(motion.view(x), settings, DetectorKind::brute), active, {}, true};
    instant.recall = instant.truth.count(active, colliding).tubes;
    instant.active_are_near = all_are_in(active, instant.near);
    return instant;
}

// Regions without an active pair, by the pair that stands for them.
std::set<std::size_t> find_missed(const Instant& instant) {
    const std::vector<Pair>& pairs = instant.truth.pairs();
    std::set<std::size_t> missed;
    for (std::size_t i = 0; i < pairs.size(); ++i) missed.insert(instant.truth.region(i));
    for (const ActivePair& a : instant.active) {
        Pair pair;
        pair.a = a.a;
        pair.b = a.b;
        const auto place = std::lower_bound(pairs.begin(), pairs.end(), pair);
        if (place == pairs.end() || !same_pair(*place, pair)) continue;
        missed.erase(instant.truth.region(static_cast<std::size_t>(place - pairs.begin())));
    }
    return missed;
}

void add_points(const Instant& instant, int panel, Table& data) {
    const auto add = [&](Kind kind, std::int32_t i, std::int32_t j) {
        data.rows.push_back({count(panel), count(kind), count(i), count(j)});
    };
    for (const Pair& p : instant.near) add(near_pair, p.a, p.b);
    const std::set<std::size_t> missed = find_missed(instant);
    for (std::size_t i = 0; i < instant.truth.pairs().size(); ++i) {
        const Pair& p = instant.truth.pairs()[i];
        add(missed.count(instant.truth.region(i)) > 0 ? missed_pair : colliding_pair, p.a, p.b);
    }
    for (const ActivePair& p : instant.active) add(active_pair, p.a, p.b);
}

std::string seconds_at(std::size_t frame) {
    return number((static_cast<double>(frame) + 1.0) / frame_rate, 1);
}

std::vector<std::string> plot_pairs(const std::string& folder, const std::array<Instant, 2>& instants, int segments,
                                    int draws) {
    Table data{"", {"panel", "kind", "i", "j"}, {}};
    std::string script = fmt::format(
        "set terminal pngcairo size 1400,720 font 'sans,13' background 'white'\n"
        "set multiplot layout 1,2 margins 0.055,0.98,0.10,0.94 spacing 0.07\n"
        "set size square\nset xrange [0:{0}]\nset yrange [0:{0}]\nset grid\nset xlabel 'segment i'\n"
        "set ylabel 'segment j' offset 1,0\nset key at graph 0.98,0.04 right bottom vertical Left reverse samplen 1 "
        "spacing "
        "1.15\n",
        segments);
    for (int panel = 0; panel < 2; ++panel) {
        const Instant& instant = instants[static_cast<std::size_t>(panel)];
        add_points(instant, panel, data);
        script += fmt::format("set title '{} s: n = {} holds {} of {} regions with {} active pairs'\n",
                              seconds_at(instant.frame), draws, instant.recall.held, instant.recall.regions,
                              instant.active.size());
        const auto series = [&](int kind, const char* look, const char* title) {
            return fmt::format("'pairs.csv' u ($1=={} && $2=={} ? $3 : NaN):4 skip 1 w p {} t '{}'", panel, kind, look,
                               title);
        };
        script += "plot " + series(near_pair, "pt 6 ps 0.7 lw 1 lc rgb '#9acd9a'", "O(n^2): under the threshold") +
                  ", \\\n " + series(colliding_pair, "pt 7 ps 1.0 lc rgb '#4daf4a'", "colliding, region held") +
                  ", \\\n " + series(missed_pair, "pt 7 ps 1.4 lc rgb '#e41a1c'", "colliding, region missed") +
                  ", \\\n " +
                  series(active_pair, "pt 7 ps 0.75 lc rgb '#10207e'", "active pair of the tracked detector") + "\n";
    }
    return plot(folder, "pairs", data, script + "unset multiplot\n");
}

struct Sweep {
    Table table;
    Measurements found;  // share of the regions, for several n/N
};
constexpr double swept[] = {0.1, 0.5, 1.0, 2.0, 10.0};  // n/N

// Regions without an active pair at the two instants, for the same n.
Measurements sweep_instants(const Motion& motion, const PairPlot& plan) {
    Measurements missed;
    for (const double factor : swept) {
        const int draws = static_cast<int>(factor * motion.tubes());
        Measurements both{{"factor", factor}};
        for (const std::size_t frame : plan.instants) {
            const RecallCount found = look_at(motion, frame, draws).recall;
            both["regions"].push_back(found.regions);
            both["held"].push_back(found.held);
        }
        missed.push_back(both);
    }
    return missed;
}

// Over the whole motion, for several n.
Sweep sweep_draws(const Motion& motion, const std::vector<CollidingPairs>& truth) {
    const int segments = motion.tubes();
    Sweep sweep{{fmt::format("Over all {} frames, {} seeds, {} segments", motion.frames.size(), seeds, segments),
                 {"n/N", "distance tests", "regions found", "pairs delivered"},
                 {}},
                {}};
    for (const double factor : swept) {
        TrackPlan plan;
        plan.draws = static_cast<int>(factor * segments);
        plan.seeds = seeds;
        const Finding finding = measure_tracked(motion, motion.frames, truth, plan);
        const Share share = tube_share(finding.recall);
        sweep.table.rows.push_back(
            {number(factor), count(finding.cost.tests), percent(share.regions), percent(share.pairs)});
        sweep.found.push_back({{"factor", factor}, {"regions", share.regions}});
    }
    return sweep;
}

Table instant_table(const std::array<Instant, 2>& instants, int draws) {
    Table table{
        fmt::format("At the two instants, n = {}", draws),
        {"time (s)", "pairs under the threshold", "active pairs", "regions", "held", "colliding pairs", "delivered"},
        {}};
    const auto whole = [](std::int64_t value) { return fmt::format("{}", value); };
    for (const Instant& i : instants) {
        table.rows.push_back({seconds_at(i.frame), fmt::format("{}", i.near.size()), fmt::format("{}", i.active.size()),
                              whole(i.recall.regions), whole(i.recall.held), whole(i.recall.pairs),
                              whole(i.recall.delivered)});
    }
    return table;
}

}  // namespace

Result compare_pairs(const ExperimentOptions& options, const Motion& motion, const PairPlot& plan) {
    const std::array<Instant, 2> instants{look_at(motion, plan.instants[0], plan.draws),
                                          look_at(motion, plan.instants[1], plan.draws)};
    const std::vector<CollidingPairs> truth = find_truth(motion, motion.frames, DetectorKind::brute);
    const Sweep sweep = sweep_draws(motion, truth);
    const RecallCount exact = measure_scratch(motion, motion.frames, truth).recall.tubes;
    Result result;
    result.tables = {instant_table(instants, plan.draws), sweep.table};
    double near = 0.0;
    double active = 0.0;
    bool inside = true;
    for (const Instant& i : instants) {
        near += static_cast<double>(i.near.size());
        active += static_cast<double>(i.active.size());
        inside = inside && i.active_are_near;
    }
    result.measured = {{"found", sweep.found}, {"near", near},
                       {"active", active},     {"inside", inside},
                       {"held", exact.held},   {"regions", exact.regions},
                       {"wrong", exact.wrong}, {"instants", sweep_instants(motion, plan)}};
    result.plots = plot_pairs(options.folder, instants, motion.tubes(), plan.draws);
    return result;
}

namespace {

// As the papers looked: at what is plotted.
Claim judge_plotted(const PairSayings& sayings, const Measurements& instants) {
    bool all = false;
    std::string summary;
    for (const auto& n : instants) {
        const auto held = n.at("held").get<std::vector<int>>(), regions = n.at("regions").get<std::vector<int>>();
        all = all || held == regions;
        summary += fmt::format("{}n = {:g} N: {} of {} and {} of {}", summary.empty() ? "" : ", ",
                               n.at("factor").get<double>(), held.at(0), regions.at(0), held.at(1), regions.at(1));
    }
    return judge({"Every colliding region of the plots is found.", sayings.where, sayings.plotted, "all"}, summary,
                 "at both instants every region that brute force finds holds an active pair, with some n up to 10 N "
                 "(the paper does not say which)",
                 all, "With fewer draws some are not; over all frames see the next claim.");
}

Claim judge_all(const PairSayings& sayings, const Measurements& found) {
    double most = 0.0;
    std::string summary;
    for (const auto& each : found) {
        const double regions = each.at("regions");
        most = std::max(most, regions);
        summary += fmt::format("{}n = {:g} N: {}", summary.empty() ? "" : ", ", each.at("factor").get<double>(),
                               percent(regions));
    }
    return judge({"All colliding regions are found.", sayings.always, sayings.all, "all"}, summary,
                 "every region of every frame holds an active pair, with some n up to 10 N", most >= 1.0,
                 "Regions that have just formed, or whose tracker slid into another one, have no active pair.");
}

}  // namespace

std::vector<Claim> judge_pairs(const PairSayings& sayings, const Measurements& m) {
    const double near = m.at("near"), active = m.at("active"), held = m.at("held"), regions = m.at("regions");
    const bool inside = m.at("inside");
    return {judge_plotted(sayings, m.at("instants")), judge_all(sayings, m.at("found")),
            judge({"It considers far fewer pairs than the naive method.", sayings.where, sayings.fewer,
                   "fewer points in the plot"},
                  fmt::format("{:.0f} active pairs for {:.0f} under the threshold", active, near), "less than half",
                  active < 0.5 * near),
            promise("Every active pair is one that the double loop finds under the threshold.", "",
                    inside ? fmt::format("all {:.0f}", active) : "some are not", inside),
            promise("The exact detector finds every region in every frame.", "",
                    fmt::format("{:.0f} of {:.0f}", held, regions), held == regions && m.at("wrong") == 0)};
}

}  // namespace plica::experiments
