#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/common/errata.hpp"
#include "experiments/common/numbers.hpp"

// Eq. 10 scales the response that matches velocities by g / Delta_close: all of it at the rim of the layer and nothing
// at contact, the opposite of what the text says. A node that approaches a wall, in one dimension; lengths in
// Delta_close, speed 1.
namespace plica::experiments {
namespace {

enum class Factor { printed, corrected };

double weight(Factor factor, double gap) {
    if (gap < 0.0 || gap >= 1.0) return 0.0;
    return factor == Factor::printed ? gap : 1.0 - gap;
}

struct Passage {
    double first = 0.0;                        // share of the speed that goes in the first step inside
    double most = 0.0;                         // in any step
    double stops = 0.0;                        // gap where no more than a thousandth of the speed is left
    std::vector<std::array<double, 2>> track;  // gap, speed
};

// `steps` of the layer's width with the first speed; `phase` of a step when it comes in.
Passage approach(Factor factor, int steps, double phase) {
    const double dt = 1.0 / steps;
    double gap = 1.0 - phase * dt, speed = 1.0;
    Passage passage;
    passage.track.push_back({gap + dt, speed});
    for (int i = 0; i < 200 * steps && speed > 1e-3 && gap > 0.0; ++i) {
        const double w = weight(factor, gap);
        if (i == 0) passage.first = w;
        passage.most = std::max(passage.most, w);
        passage.track.push_back({gap, speed});
        speed *= 1.0 - w;
        gap -= speed * dt;
        passage.track.push_back({gap, speed});
    }
    passage.stops = std::max(gap, 0.0);
    return passage;
}

// Speed that is left to a node that leaves contact and goes out through the layer, when the response also acts on what
// parts: as printed, there is no condition.
double leave(Factor factor, int steps) {
    double gap = 0.5 / steps, speed = 1.0;
    for (int i = 0; i < 1000 * steps && gap < 1.0 && speed > 1e-6; ++i) {
        speed *= 1.0 - weight(factor, gap);
        gap += speed / steps;
    }
    return speed <= 1e-6 ? 0.0 : speed;
}

struct RateRow {
    int steps;
    double least[2], most[2], stops[2];  // per factor: first step, least and most over phases; mean gap at the stop
    double left[2];
};

constexpr Factor factors[] = {Factor::printed, Factor::corrected};

RateRow measure_rate(int steps, int phases) {
    RateRow row{steps, {1.0, 1.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    for (int f = 0; f < 2; ++f) {
        for (int i = 0; i < phases; ++i) {
            const Passage p = approach(factors[f], steps, (i + 0.5) / phases);
            row.least[f] = std::min(row.least[f], p.first);
            row.most[f] = std::max(row.most[f], p.first);
            row.stops[f] += p.stops / phases;
        }
        row.left[f] = leave(factors[f], steps);
    }
    return row;
}

Table rate_table(const std::vector<RateRow>& rows) {
    Table t{
        "Eq. 10: a node enters the layer; share of its speed that goes in the first step, where it stops (in "
        "Delta_close), and what is left of its speed when it leaves contact",
        {"steps per layer", "printed: first step", "1 - g/D: first step", "printed: stops at", "1 - g/D: stops at",
         "printed: left", "1 - g/D: left", "1 - g/D, approaching only: left"},
        {}};
    for (const RateRow& r : rows) {
        const auto range = [&](int f) {
            return fmt::format("{:.1f} .. {:.1f} %", 100.0 * r.least[f], 100.0 * r.most[f]);
        };
        t.rows.push_back({fmt::format("{}", r.steps), range(0), range(1), number(r.stops[0], 3), number(r.stops[1], 3),
                          percent(r.left[0]), percent(r.left[1]), "100 %"});
    }
    return t;
}

std::vector<std::string> plot_rate_tracks(const std::string& folder) {
    Table data{"", {"gap printed", "speed printed", "gap corrected", "speed corrected"}, {}};
    const auto printed = approach(Factor::printed, 50, 0.5).track,
               corrected = approach(Factor::corrected, 50, 0.5).track;
    for (std::size_t i = 0; i < std::max(printed.size(), corrected.size()); ++i) {
        const auto& p = printed[std::min(i, printed.size() - 1)];
        const auto& c = corrected[std::min(i, corrected.size() - 1)];
        data.rows.push_back({number(p[0], 5), number(p[1], 5), number(c[0], 5), number(c[1], 5)});
    }
    return plot(folder, "rate", data,
                "set title 'A node comes into the layer of the rate response, 50 steps per layer (eq. 10)'\n"
                "set xlabel 'gap / Delta_close' noenhanced\nset ylabel 'speed / first speed'\n"
                "set xrange [1.02:0.75]\nset yrange [-0.03:1.08]\nset grid lc rgb '#dddddd'\nset key top right\n"
                "plot 'rate.csv' using 1:2 with linespoints lw 2 pt 7 ps 0.8 lc rgb '#d95f02' title 'as printed: g/D', "
                "'' using 3:4 with linespoints lw 2 pt 6 ps 0.8 lc rgb '#1b9e77' title 'corrected: 1 - g/D'\n");
}

// At gaps of 0, 1/4, 1/2 and 3/4 of the layer: all of the speed at contact, and less the further away.
bool grows_to_contact(const std::vector<double>& factor) {
    return factor.front() == 1.0 && std::is_sorted(factor.rbegin(), factor.rend()) && factor.back() < 1.0;
}

}  // namespace

void add_rate_layer(const ExperimentOptions& options, Result& result) {
    std::vector<RateRow> rows;
    for (const int steps : {5, 50, 500}) rows.push_back(measure_rate(steps, options.quick ? 20 : 200));
    result.tables.push_back(rate_table(rows));
    add_plot(result, plot_rate_tracks(options.folder));
    Measurements& measured = result.measured["rate"];
    std::vector<double> stops, left;
    for (const RateRow& r : rows) {
        stops.push_back(r.stops[1]);
        left.push_back(100.0 * r.left[1]);
        measured["printed_first"].push_back(r.least[0]);
        measured["corrected_first"].push_back(r.most[1]);
    }
    for (const double gap : {0.0, 0.25, 0.5, 0.75}) {
        measured["printed_factor"].push_back(weight(Factor::printed, gap));
        measured["corrected_factor"].push_back(weight(Factor::corrected, gap));
    }
    result.notes.push_back(fmt::format(
        "Corrected, a node still stops at {} Delta_close (5, 50, 500 steps per layer): the layer acts as an "
        "extra gap, and the shorter the step the more so. Without the condition that surfaces approach, "
        "{} % of the speed are left to a node that leaves contact: it is glued.",
        joined(stops, 3), joined(left, 1)));
    options.progress(1.0);
}

std::vector<Claim> judge_rate_layer(const Measurements& m) {
    const auto printed = m.at("printed_factor").get<std::vector<double>>(),
               corrected = m.at("corrected_factor").get<std::vector<double>>(),
               first = m.at("printed_first").get<std::vector<double>>(),
               later = m.at("corrected_first").get<std::vector<double>>();
    const double most = *std::max_element(later.begin(), later.end());
    return {
        judge({"The rate response grows as the distance falls, and matches velocities fully at distance zero.",
               "Johnsen 2012, sec. 2.3, eq. 10",
               "The force gradually increases as the distance between the surfaces decreases, and full "
               "velocity-matching is performed when there is zero distance between the slave node and its projection "
               "onto the master surface.",
               "all of it at distance zero"},
              fmt::format("eq. 10 takes {} of the speed at 0, 1/4, 1/2 and 3/4 of the layer, and at least {} in the "
                          "first step inside",
                          joined(printed, 2), percent(*std::min_element(first.begin(), first.end()))),
              "the factor is 1 at contact and falls with the distance", grows_to_contact(printed),
              "The factor is the wrong way round: g/Delta_close for 1 - g/Delta_close."),
        promise("With 1 - g/Delta_close the response grows so, and the first step inside takes at most a step's share "
                "of the layer.",
                "a fifth with 5 steps per layer",
                fmt::format("{} of the speed; at most {} in the first step", joined(corrected, 2), percent(most)),
                grows_to_contact(corrected) && most <= 0.2 + 1e-9)};
}

}  // namespace plica::experiments
