#include <algorithm>
#include <cmath>

#include "experiments/common/numbers.hpp"
#include "experiments/common/pictures.hpp"
#include "experiments/common/registry.hpp"
#include "experiments/common/stage.hpp"
#include "experiments/raghupathi/governed.hpp"
#include "render/tube_cells.hpp"

// The coarsest and the finest picture, their frame rates, and how two laws hold a frame rate.
namespace plica::experiments {
namespace {

constexpr double frozen_at = 2.0;                     // s, of intestine
constexpr double in_time = 1.0;                       // s, the paper's
constexpr double near_least = 0.8, near_most = 1.25;  // of the target: settled

int finest() {
    return static_cast<int>(render::detail_levels().size()) - 1;
}

struct Levels {
    std::vector<std::size_t> triangles;  // of tubes
    std::vector<double> seconds;         // a frame; empty without graphics
};

std::vector<std::size_t> count_triangles(const render::Drawing& drawing, const Frame& frame) {
    std::vector<std::size_t> triangles;
    std::vector<render::AxisFrame> frames;
    for (const render::Detail& detail : render::detail_levels()) {
        find_axis_frames(drawing.tubes, frame.positions, detail.largest_turn, frames);
        triangles.push_back(2 * (frames.size() - drawing.tubes.size()) * static_cast<std::size_t>(detail.sides) *
                            static_cast<std::size_t>(detail.rings));
    }
    return triangles;
}

Table level_table(const Levels& levels) {
    Table table{
        "levels of detail", {"level", "sides", "rings a cell", "triangles of tubes", "frame ms", "frames/s"}, {}};
    for (std::size_t i = 0; i < levels.triangles.size(); ++i) {
        const render::Detail& d = render::detail_levels()[i];
        const bool timed = i < levels.seconds.size();
        table.rows.push_back({fmt::format("{}", i), fmt::format("{}", d.sides), fmt::format("{}", d.rings),
                              fmt::format("{}", levels.triangles[i]),
                              timed ? number(1e3 * levels.seconds[i]) : "not drawn",
                              timed ? number(1.0 / levels.seconds[i]) : "not drawn"});
    }
    return table;
}

// What either law can reach, frames/s.
struct Range {
    double slowest, fastest;
};

std::string text(const Range& range) {
    return fmt::format("{:.1f} to {:.1f} frames/s", range.slowest, range.fastest);
}

// Amid what both can reach.
double choose_target(const Range& a, const Range& b) {
    return std::sqrt(std::max(a.slowest, b.slowest) * std::min(a.fastest, b.fastest));
}

constexpr double any = 1e9;

std::string settled_text(const Run& run, double target, double most = near_most) {
    const double since = run.settled(target, near_least, most);
    return since < 0.0 ? "not settled" : number(since, 2) + " s";
}

// Frames/s in the last third of the run.
double late_rate(const Run& run) {
    const double end = run.frames.back().time;
    return run.rate_between(end / 1.5, end);
}

// The paper's threshold, first and last.
std::string eps_text(const Run& run) {
    if (run.frames.front().eps == 0.0) return "none";
    return fmt::format("{:.4f} to {:.4f}", run.frames.front().eps, run.frames.back().eps);
}

Table law_table(const std::vector<Run>& runs, double target) {
    Table table{fmt::format("laws, target {:.1f} frames/s", target),
                {"law", "within 80 to 125 % after", "not below 80 % after", "frames/s, last third", "level at first",
                 "at the end", "eps", "changes after 2 s"},
                {}};
    for (const Run& run : runs) {
        table.rows.push_back({run.name, settled_text(run, target), settled_text(run, target, any),
                              number(late_rate(run)), count(run.frames.front().level), count(run.frames.back().level),
                              eps_text(run), count(run.changes_after(2.0))});
    }
    return table;
}

std::vector<std::string> plot_runs(const ExperimentOptions& options, const std::vector<Run>& runs, double target) {
    Table data{"", {"run", "time", "frame ms", "level"}, {}};
    std::string times, levels;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        for (const GovernedFrame& f : runs[i].frames) {
            data.rows.push_back({fmt::format("{}", i), number(f.time, 4), number(1e3 * f.seconds, 3), count(f.level)});
        }
        const std::string what = fmt::format("\"laws.csv\" every ::1 using ($1=={}?$2:1/0)", i);
        times += fmt::format("{}:3 with points pt 7 ps 0.4 lc {} title \"{}\", \\\n", what, i + 1, runs[i].name);
        levels += fmt::format("{}{}:4 with steps lw 2 lc {} notitle", i > 0 ? ", \\\n" : "", what, i + 1);
    }
    return plot(options.folder, "laws", data,
                fmt::format("set terminal pngcairo size 1000,800 font 'sans,13' background 'white'\n"
                            "set multiplot layout 2,1 title 'Two laws that hold a frame rate'\n"
                            "set lmargin at screen 0.10\nset rmargin at screen 0.68\n"
                            "set ylabel 'frame ms'\nset logscale y\nset key outside right\n"
                            "plot {}{} with lines dt 2 lc rgb 'black' title 'target'\n"
                            "unset logscale y\nset xlabel 's'\nset ylabel 'level; the paper: n'\nset yrange [-1:12]\n"
                            "plot {}\nunset multiplot",
                            times, 1e3 / target, levels));
}

// How far off the target a pair of runs ends: 0 at it, 1 at twice or half of it, mean of both.
double miss(const Run& a, const Run& b, double target) {
    return 0.5 * (std::abs(std::log2(late_rate(a) / target)) + std::abs(std::log2(late_rate(b) / target)));
}

std::vector<Claim> law_claims(const std::vector<Run>& runs, double target, bool quick) {
    const auto in_a_second = [&](const Run& run, double most) {
        const double since = run.settled(target, near_least, most);
        return since >= 0.0 && since <= in_time;
    };
    const auto say = [&](const Run& a, const Run& b, double most) {
        return fmt::format("{}: {}; {}: {}", a.name, settled_text(a, target, most), b.name,
                           settled_text(b, target, most));
    };
    const double papers = miss(runs[0], runs[1], target), ours = miss(runs[2], runs[3], target);
    return {{"2004, sec. 5.3: the tessellation stabilizes itself at the desired frame rate in less than a second",
             "< 1 s", say(runs[0], runs[1], near_most) + " (within 80 to 125 % of it)",
             in_a_second(runs[0], near_most) && in_a_second(runs[1], near_most),
             "alpha = 1e-4 s is made for hundreds of frames a second; and where eps moves, n follows it the wrong way"},
            {"ours: within a second no slower than 80 % of the desired frame rate", "< 1 s", say(runs[2], runs[3], any),
             in_a_second(runs[2], any) && in_a_second(runs[3], any),
             "the first frame of the finest level alone may take longer, where other programs want the processor"},
            {"ours ends nearer to the desired frame rate than the paper's law, from the same two ends", "",
             fmt::format("off by 2^{:.2f}, the paper's by 2^{:.2f}", ours, papers), ours < papers, "", !quick}};
}

Claim rate_claim(const Range& ours, const Range& papers) {
    const double ratio = papers.fastest / papers.slowest;
    return {"2004, fig. 12: the fine tessellation has half the frame rate of the coarse one", "900 and 460 frames/s",
            fmt::format("the paper's two parameters: {:.1f} and {:.1f} frames/s, {:.1f} times; our levels, which add "
                        "shadows and the like: {:.1f} and {:.1f}",
                        papers.fastest, papers.slowest, ratio, ours.fastest, ours.slowest),
            ratio <= 2.5, "from n = 0 to n = 5; the figure's are not published, and its GeForce 4 is no processor"};
}

void add_pictures(const ExperimentOptions& options, const render::Drawing& drawing, const Frame& frame,
                  Result& result) {
    Studio studio(drawing, options.quick ? 80 : 640, options.quick ? 60 : 480);
    std::vector<render::Picture> both;
    for (const int level : {0, finest()}) {
        both.push_back(studio.draw(frame, frame_tissue(studio.drawing(), frame, 0.6), style_of_level(level)));
    }
    add_picture(options, "coarse-fine", side_by_side(both), result);
}

void compare_laws(const ExperimentOptions& options, Load& load, Levels& levels, Result& result) {
    const int frames = options.quick ? 1 : 9;
    for (int i = 0; i <= finest(); ++i) {
        if (options.quick && i % finest() != 0) continue;
        levels.seconds.push_back(load.measure(style_of_level(i), frames));
    }
    const Range ours{1.0 / levels.seconds.back(), 1.0 / levels.seconds.front()};
    const Range papers{1.0 / load.measure(style_of_paper(0.0, 5), frames),
                       1.0 / load.measure(style_of_paper(1.1, 0), frames)};
    options.progress(0.4);
    const double target = choose_target(ours, papers);
    const double seconds = options.quick ? 0.05 : 9.0;
    std::vector<Run> runs;
    runs.push_back(run_paper(load, "the paper's, from n = 0", target, 0.5, seconds));
    runs.push_back(run_paper(load, "the paper's, from n = 5", target, 5.5, seconds));
    options.progress(0.7);
    runs.push_back(run_ours(load, "ours, from the coarsest", target, 0, seconds));
    runs.push_back(run_ours(load, "ours, from the finest", target, finest(), seconds));
    result.tables.push_back(law_table(runs, target));
    for (std::string& file : plot_runs(options, runs, target)) result.plots.push_back(std::move(file));
    result.claims.push_back(rate_claim(ours, papers));
    for (Claim& claim : law_claims(runs, target, options.quick)) result.claims.push_back(std::move(claim));
    result.notes.push_back(
        fmt::format("Within reach: ours {}, the paper's {}. Times are until all is drawn, with the "
                    "OpenGL of this machine (without a graphics card: a software renderer).",
                    text(ours), text(papers)));
}

}  // namespace

Result run_raghupathi2004_fig12(const ExperimentOptions& options) {
    Stage stage(options.quick ? plane_scene({}) : find_scene("intestine"));
    stage.run_to(options.quick ? 0.0 : frozen_at);
    const render::Drawing drawing = render::make_drawing(stage.world().model());
    const Frame& frame = stage.world().frame();
    options.progress(0.2);
    Result result;
    Levels levels{count_triangles(drawing, frame), {}};
    if (has_graphics()) {
        add_pictures(options, drawing, frame, result);
        Load load(drawing, frame, options.quick ? 64 : 640, options.quick ? 48 : 480);
        compare_laws(options, load, levels, result);
    } else {
        result.notes.emplace_back(no_graphics);
    }
    const bool grows = std::is_sorted(levels.triangles.begin(), levels.triangles.end()) &&
                       std::adjacent_find(levels.triangles.begin(), levels.triangles.end()) == levels.triangles.end();
    result.claims.push_back({"each level of detail has more triangles than the one before", "",
                             fmt::format("{} to {}", levels.triangles.front(), levels.triangles.back()), grows, "",
                             true});
    if (options.quick) levels.seconds.clear();
    result.tables.insert(result.tables.begin(), level_table(levels));
    return result;
}

}  // namespace plica::experiments
