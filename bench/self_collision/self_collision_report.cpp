#include "bench/self_collision/self_collision_report.hpp"

#include <fmt/format.h>

namespace plica::bench {
namespace {

// "4 steps a frame, iterations 10, erp 0.2": a program's own words for its own settings.
std::string describe_setting(const Json& setting) {
    std::string text = fmt::format("{} steps a frame", setting.at("steps").get<int>());
    for (const auto& [key, value] : setting.items()) {
        if (key == "steps" || key == "work") continue;
        text += ", " + key + " " + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    return text;
}

std::string row_text(const Json& row) {
    const Json& p = row["penetration"];
    std::string text = fmt::format(
        "  {:<14} {:>9.4f} {:>7} {:>9.2f} {:>9.2f}   {:>6.3f} {:>6.3f} {:>6.3f} {:>6} {:>8.0f} {:>7.1f} % {:>6.1f}   "
        "{}",
        row["program"].get<std::string>() + " " + row["version"].get<std::string>(),
        row["seconds_per_second"].get<double>(),
        row["ratio"].is_null() ? "-" : fmt::format("{:.1f}", row["ratio"].get<double>()),
        row["frame_ms"]["p50"].get<double>(), row["frame_ms"]["p99"].get<double>(), p["worst"].get<double>(),
        p["settled"].get<double>(), p["frame_p99"].get<double>(), row["pass_throughs"].get<int>(),
        row["touching"].get<double>(), 100.0 * row["stretch"].get<double>(), 1e3 * row["joint_gap"].get<double>(),
        describe_setting(row["setting"]));
    if (!row["counts"].get<bool>()) {
        const std::string state = row["state"].get<std::string>();
        text += state == "done" ? "   [no setting tried is within the depth: the least deep]"
                                : fmt::format("   [{}: the time does not count]",
                                              row["why"].is_null() ? state : row["why"].get<std::string>());
    }
    return text + "\n";
}

std::string rule_title(const Json& size, std::size_t rule) {
    const double depth = size["rules"][rule].get<double>();
    if (rule == 0) return fmt::format("fastest setting with a penetration of at most {} of the radius\n", depth);
    return fmt::format("fastest setting with a penetration of at most {:.3f}, that of Plica at its default settings\n",
                       depth);
}

}  // namespace

Json to_json(const Trial& trial, const RopeCase& rope) {
    const Verdict& v = trial.verdict;
    return {{"setting", trial.setting},
            {"state", trial.state},
            {"why", trial.why.empty() ? Json(nullptr) : Json(trial.why)},
            {"seconds_per_second", trial.cost},
            {"frame_ms", {{"p50", trial.frame_p50}, {"p99", trial.frame_p99}}},
            {"penetration", {{"worst", v.worst}, {"settled", v.settled}, {"frame_p99", v.frame_p99}}},
            {"pass_throughs", v.pass_throughs},
            {"touching", v.touching},
            {"stretch", v.stretch},
            {"squeeze", v.squeeze},
            {"joint_gap", trial.joint_gap},
            {"outside", v.outside},
            {"counts", counts(trial, rope, 0.5)}};
}

std::string to_text(const Json& result) {
    std::string text;
    for (const Json& size : result["sizes"]) {
        text += fmt::format("self-collision: {} segments, {} s simulated, one thread\n", size["segments"].get<int>(),
                            size["simulated_s"].get<double>());
        text += fmt::format("  {:<14} {:>9} {:>7} {:>9} {:>9}   {:>6} {:>6} {:>6} {:>6} {:>8} {:>9} {:>6}   setting\n",
                            "", "s per s", "ratio", "p50 ms", "p99 ms", "worst", "settl", "p99", "passes", "touching",
                            "stretch", "gap mm");
        for (std::size_t rule = 0; rule < size["rules"].size(); ++rule) {
            text += rule_title(size, rule);
            for (const Json& row : size["rows"]) {
                if (row["rule"] == rule) text += row_text(row);
            }
        }
        for (const Json& peer : size["missing"]) {
            text += fmt::format("  {:<14} not available: {}\n", peer["program"].get<std::string>(),
                                peer["why"].get<std::string>());
        }
        text += "\n";
    }
    return text;
}

std::string to_csv(const Json& result) {
    std::string text =
        "segments,depth_allowed,program,version,counts,seconds_per_second,ratio,frame_ms_p50,frame_ms_p99,"
        "worst,settled,frame_p99,pass_throughs,touching,stretch,joint_gap_m,setting\n";
    for (const Json& size : result["sizes"]) {
        for (const Json& row : size["rows"]) {
            const Json& p = row["penetration"];
            text += fmt::format(
                "{},{:.6g},{},{},{},{:.6g},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{},{:.6g},{:.6g},{:.6g},\"{}\"\n",
                size["segments"].get<int>(), size["rules"][row["rule"].get<std::size_t>()].get<double>(),
                row["program"].get<std::string>(), row["version"].get<std::string>(), row["counts"].get<bool>() ? 1 : 0,
                row["seconds_per_second"].get<double>(),
                row["ratio"].is_null() ? "" : fmt::format("{:.4g}", row["ratio"].get<double>()),
                row["frame_ms"]["p50"].get<double>(), row["frame_ms"]["p99"].get<double>(), p["worst"].get<double>(),
                p["settled"].get<double>(), p["frame_p99"].get<double>(), row["pass_throughs"].get<int>(),
                row["touching"].get<double>(), row["stretch"].get<double>(), row["joint_gap"].get<double>(),
                describe_setting(row["setting"]));
        }
    }
    return text;
}

std::string plot_commands() {
    return "set title 'Rope dropped into a bowl, penetration at most half a radius'\n"
           "set xlabel 'segments'\nset ylabel 's of CPU per simulated second'\nset logscale xy\nset key left top\n"
           "set datafile separator ','\nset datafile missing NaN\n"
           "plot for [name in 'plica bullet mujoco mujoco-tree newton'] csv using "
           "1:(stringcolumn(3) eq name && $5 == 1 && $2 == 0.5 ? $6 : NaN) with linespoints title name\n";
}

}  // namespace plica::bench
