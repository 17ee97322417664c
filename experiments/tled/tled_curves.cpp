#include "experiments/tled/tled_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plica::experiments {
namespace {

std::string text_of(double value) {
    return fmt::format("{:.6g}", std::abs(value) < 1e-12 ? 0.0 : value);
}
// A logarithmic axis has no zero: what is less than rounding is drawn there.
std::string text_of_error(double value) {
    return fmt::format("{:.3g}", std::max(std::abs(value), 1e-16));
}

// Of every plot here: one look for each kind of cell.
const std::string look =
    "set style line 1 lc rgb '#d95f02' lw 2 pt 6 ps 2\n"
    "set style line 2 lc rgb '#1b9e77' lw 2 pt 4 ps 1.2\n"
    "set style line 3 lc rgb '#4b5fc4' lw 2 pt 2 ps 1.1\n"
    "set style line 4 lc rgb '#808080' lw 2 dt 2\n"
    "set style line 5 lc rgb '#000000' lw 1.5\n"
    "set grid lc rgb '#dddddd'\n";

}  // namespace

Bending bend_bars(const std::vector<int>& across, const std::function<void(double)>& progress) {
    Bending bending{{0.3, 0.45, 0.49}, across, {}};
    const double all = static_cast<double>(3 * 3 * across.size());
    for (const double poisson : bending.poisson) {
        for (const tled::ElementKind kind : element_kinds) {
            for (const int n : across) {
                bending.ratio.push_back(find_tip_ratio(kind, poisson, n));
                progress(static_cast<double>(bending.ratio.size()) / all);
            }
        }
    }
    return bending;
}

Table bending_table(const Bending& bending) {
    Table table{"tip of a bar over Timoshenko's beam", {"cells across"}, {}};
    for (const double poisson : bending.poisson) {
        for (const auto kind : element_kinds) {
            table.columns.push_back(fmt::format("{} nu {:.2f}", element_name(kind), poisson));
        }
    }
    for (std::size_t n = 0; n < bending.across.size(); ++n) {
        std::vector<std::string> row{fmt::format("{}", bending.across[n])};
        for (std::size_t p = 0; p < bending.poisson.size(); ++p) {
            for (std::size_t k = 0; k < 3; ++k) row.push_back(fmt::format("{:.3f}", bending.at(p, k, n)));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<std::string> plot_bending(const Bending& bending, const std::string& folder) {
    std::string commands = "set terminal pngcairo size 1200,480 font 'sans,13' background 'white'\n" + look +
                           "set multiplot layout 1,3 margins 0.06,0.985,0.13,0.83 spacing 0.035 "
                           "title \"A bar bent by a load at its end: tip over Timoshenko's beam\"\n"
                           "set xlabel 'cells across'\nset xrange [1.5:8.5]\nset yrange [0:1.1]\nset xtics 2,2,8\n"
                           "set key bottom right samplen 2\n";
    for (std::size_t p = 0; p < bending.poisson.size(); ++p) {
        commands += fmt::format("set title \"Poisson's ratio {:.2f}\"\n", bending.poisson[p]);
        if (p == 1) commands += "unset key\nset format y ''\n";
        commands += "plot 1 ls 4 notitle";
        for (std::size_t k = 0; k < 3; ++k) {
            commands += fmt::format(", 'bending.csv' using 1:{} with linespoints ls {} title '{}'", 2 + 3 * p + k,
                                    k + 1, element_name(element_kinds[k]));
        }
        commands += "\n";
    }
    return plot(folder, "bending", bending_table(bending), commands + "unset multiplot\n");
}

Energies vibrate_blocks(const std::vector<double>& shares, double seconds) {
    Energies energies{shares, {}};
    for (std::size_t k = 0; k < 3; ++k) {
        for (const double share : shares) {
            energies.seen[k].push_back(vibrate_block(element_kinds[k], share, seconds, true));
        }
    }
    return energies;
}

Table energy_table(const Energies& energies) {
    Table table{"energy of a free block, nu 0.49, largest deviation", {"step / safe step"}, {}};
    for (const auto kind : element_kinds) table.columns.emplace_back(element_name(kind));
    for (const auto kind : element_kinds) table.columns.push_back(fmt::format("{} drift", element_name(kind)));
    for (std::size_t i = 0; i < energies.share.size(); ++i) {
        std::vector<std::string> row{text_of(energies.share[i])};
        for (const auto& seen : energies.seen) row.push_back(fmt::format("{:.2e}", seen[i].deviation));
        for (const auto& seen : energies.seen) row.push_back(fmt::format("{:.1e}", seen[i].drift));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<std::string> plot_energies(const Energies& energies, const std::string& folder) {
    const double anchor = energies.seen[0][0].deviation / (energies.share[0] * energies.share[0]);
    std::string commands = "set terminal pngcairo size 760,520 font 'sans,13' background 'white'\n" + look +
                           "set title 'A free block vibrates: largest deviation of its energy'\n"
                           "set logscale xy\nset xlabel 'step / safe step of the fastest cell'\n"
                           "set ylabel 'deviation / first energy'\nset format y '10^{%L}'\nset key top left samplen 2\n"
                           "set xrange [0.08:1.2]\nset xtics (0.1, 0.2, 0.5, 1)\n";
    commands += fmt::format("plot {:.4g} * x**2 ls 4 title 'square of the step'", anchor);
    for (std::size_t k = 0; k < 3; ++k) {
        commands += fmt::format(", 'energy.csv' using 1:{} with linespoints ls {} title '{}'", k + 2, k + 1,
                                element_name(element_kinds[k]));
    }
    return plot(folder, "energy", energy_table(energies), commands + "\n");
}

Falls fall_all(const std::vector<double>& dt) {
    Falls falls{dt, {}, {}, {}};
    for (const double step : dt) {
        falls.single.push_back(fall_freely(step, false) / 0.02 - 1.0);
        falls.exact.push_back(fall_freely(step, true) / 0.02 - 1.0);
        falls.late.push_back(fall_freely_late(step) / 0.02 - 1.0);
    }
    return falls;
}

Table fall_table(const Falls& falls) {
    Table table{"free fall of 20 mm in 0.2 s: relative error",
                {"step s", "single", "double", "first increment whole (control)"},
                {}};
    for (std::size_t i = 0; i < falls.dt.size(); ++i) {
        table.rows.push_back({text_of(falls.dt[i]), text_of_error(falls.single[i]), text_of_error(falls.exact[i]),
                              text_of_error(falls.late[i])});
    }
    return table;
}

std::vector<std::string> plot_falls(const Falls& falls, const std::string& folder) {
    const std::string commands =
        "set terminal pngcairo size 760,520 font 'sans,13' background 'white'\n" + look +
        "set title 'A free block falls 20 mm in 0.2 s: relative error'\n"
        "set logscale xy\nset xlabel 'step (s)'\nset ylabel '|error|'\nset format xy '10^{%L}'\n"
        "set yrange [1e-17:1e-1]\nset xrange [6e-6:1.6e-3]\nset key bottom left samplen 2\n"
        "plot 1e-4 ls 4 title 'accepted', "
        "'fall.csv' using 1:4 with linespoints ls 5 pt 6 title 'control: first increment whole', "
        "'fall.csv' using 1:2 with linespoints ls 1 title 'single precision', "
        "'fall.csv' using 1:3 with linespoints ls 3 title 'double precision'\n";
    return plot(folder, "fall", fall_table(falls), commands);
}

std::vector<Draw> draw_blocks(const std::vector<double>& stretches) {
    std::vector<Draw> draws;
    for (const double poisson : {0.3, 0.49}) {
        const tled::Material material = make_neo_hookean(3000.0, poisson);
        for (const double stretch : stretches) {
            Draw draw{poisson, stretch, solve_stretching(material, stretch), {}};
            for (std::size_t k = 0; k < 3; ++k) {
                draw.ours[k] = stretch_block(element_kinds[k], material, stretch, true);
            }
            draws.push_back(draw);
        }
    }
    return draws;
}

Table draw_table(const std::vector<Draw>& draws) {
    Table table{"a block of 0.1 m, E = 3 kPa, drawn: force N and stretch across",
                {"nu", "stretch", "theory N", "t4 N", "t4anp N", "h8 N", "theory across", "t4 across", "t4anp across",
                 "h8 across"},
                {}};
    for (const Draw& draw : draws) {
        std::vector<std::string> row{text_of(draw.poisson), text_of(draw.stretch), text_of(draw.theory.force)};
        for (const Stretching& ours : draw.ours) row.push_back(text_of(ours.force));
        row.push_back(text_of(draw.theory.lateral));
        for (const Stretching& ours : draw.ours) row.push_back(text_of(ours.lateral));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<std::string> plot_draws(const std::vector<Draw>& draws, const std::string& folder) {
    // The theory as a fine curve, in the script itself.
    std::string commands = "set terminal pngcairo size 1100,520 font 'sans,13' background 'white'\n" + look;
    for (const double poisson : {0.3, 0.49}) {
        commands += fmt::format("$theory{:.0f} << EOD\n", 100 * poisson);
        for (int i = 0; i <= 100; ++i) {
            const double stretch = 0.55 + 0.011 * i;
            const Stretching theory = solve_stretching(make_neo_hookean(3000.0, poisson), stretch);
            commands += fmt::format("{:.5g},{:.6g},{:.6g}\n", stretch, theory.force, theory.lateral);
        }
        commands += "EOD\n";
    }
    commands +=
        "set multiplot layout 1,2 margins 0.07,0.985,0.12,0.83 spacing 0.08 "
        "title 'A block drawn and pressed, its sides free'\n"
        "set xlabel 'stretch'\nset xrange [0.52:1.7]\nset key bottom right samplen 2\n";
    const auto panel = [&](const char* title, int theory, int first) {
        commands += fmt::format("set title '{}'\n", title);
        commands += fmt::format(
            "plot $theory30 using 1:{} with lines ls 5 title 'theory, nu 0.30', $theory49 using 1:{} with lines ls 5 "
            "dt 3 title 'theory, nu 0.49'",
            theory, theory);
        for (std::size_t k = 0; k < 3; ++k) {
            commands += fmt::format(", 'stretch.csv' using 2:{} with points ls {} title '{}'",
                                    static_cast<std::size_t>(first) + k, k + 1, element_name(element_kinds[k]));
        }
        commands += "\n";
    };
    panel("force (N)", 2, 4);
    commands += "set key top right\n";
    panel("stretch across", 3, 8);
    return plot(folder, "stretch", draw_table(draws), commands + "unset multiplot\n");
}

Fadings fade_all(double h, int steps) {
    Fadings fadings;
    for (std::size_t k = 0; k < 3; ++k) fadings.seen[k] = watch_stress_fade(element_kinds[k], h, steps, true);
    return fadings;
}

Table fading_table(const Fadings& fadings) {
    Table table{"stress of a stretched viscous block over the instantaneous one",
                {"time s", "theory", "t4", "t4anp", "h8"},
                {}};
    for (std::size_t i = 0; i < fadings.seen[0].size(); ++i) {
        std::vector<std::string> row{text_of(fadings.seen[0][i].time), text_of(fadings.seen[0][i].theory)};
        for (const auto& seen : fadings.seen) row.push_back(text_of(seen[i].ours));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<std::string> plot_fadings(const Fadings& fadings, const std::string& folder) {
    std::string commands =
        "set terminal pngcairo size 760,520 font 'sans,13' background 'white'\n" + look +
        "set title 'A viscous block held stretched: stress over the instantaneous one'\n"
        "set xlabel 'time (s)'\nset ylabel 'stress / instantaneous stress'\nset yrange [0.2:1.05]\n"
        "set key top right samplen 2\nset samples 600\n"
        "plot 1 - 0.3*(1-exp(-x/0.05)) - 0.4*(1-exp(-x/0.5)) ls 5 title 'theory: two exponentials', 0.3 ls 4 title "
        "'what remains'";
    for (std::size_t k = 0; k < 3; ++k) {
        commands += fmt::format(", 'relaxation.csv' using 1:{} with points ls {} title '{}'", k + 3, k + 1,
                                element_name(element_kinds[k]));
    }
    return plot(folder, "relaxation", fading_table(fadings), commands + "\n");
}

}  // namespace plica::experiments
