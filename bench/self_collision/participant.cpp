#include "bench/self_collision/participant.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/common/programs.hpp"
#include "bench/detection/pile.hpp"
#include "core/statistics.hpp"

namespace plica::bench {
namespace {

Json sorted_by_work(const Json& settings) {
    std::vector<std::pair<double, std::size_t>> order;  // settings of equal work stay as they were given
    order.reserve(settings.size());
    for (std::size_t i = 0; i < settings.size(); ++i) order.emplace_back(settings[i].at("work").get<double>(), i);
    std::sort(order.begin(), order.end());
    Json sorted = Json::array();
    for (const auto& [work, i] : order) sorted.push_back(settings[i]);
    return sorted;
}

void take_times(const std::vector<double>& frame_ms, int frames_per_second, Trial& trial) {
    const double simulated = static_cast<double>(frame_ms.size()) / frames_per_second;
    trial.cost = simulated > 0.0 ? 1e-3 * sum(frame_ms) / simulated : 0.0;
    trial.frame_p50 = percentile(frame_ms, 0.50);
    trial.frame_p99 = percentile(frame_ms, 0.99);
}

Trial run_plica(int segments, const RopeCase& rope, const Json& setting, const std::string& folder) {
    std::vector<std::string> overrides = pile_overrides(segments, Growth::segment);
    overrides.emplace_back("gut.bending_stiffness=0");  // the peers' joints have none: a limp rope for all
    overrides.push_back(fmt::format("solver.substeps={}", setting.at("steps").get<int>()));
    const PileRun run = run_pile(overrides, rope.seconds, [](int) { return true; });
    Trial trial;
    trial.setting = setting;
    if (!run.valid) trial.state = "exploded";
    std::vector<double> ms;
    ms.reserve(run.seconds.size());
    for (const double s : run.seconds) ms.push_back(1e3 * s);
    take_times(ms, rope.frames_per_second, trial);
    TrajectoryWriter writer(folder, rope);
    for (std::size_t i = 0; i < run.trajectory.frames(); ++i) {
        writer.add(static_cast<double>(i) / rope.frames_per_second, run.trajectory.frame(i));
    }
    writer.close();
    trial.verdict = judge(run.trajectory, rope);
    return trial;
}

Json describe(const std::string& program, const RopeCase& rope) {
    try {
        return run_program(program, {"describe", std::to_string(rope.segments())});
    } catch (const Error& error) {  // the first line of what a script says is enough
        const std::string why = error.what();
        throw Error(why.substr(0, why.find('\n')), error.status());
    }
}

Trial run_peer(const std::string& program, const std::string& case_file, const RopeCase& rope, const Json& setting,
               const std::string& folder, const Limits& limits) {
    Trial trial;
    trial.setting = setting;
    Json answer;
    try {
        answer = run_program(program, {"run", case_file, folder, fmt::format("{}", limits.seconds),
                                       fmt::format("{}", limits.depth), setting.dump()});
    } catch (const Error& error) {  // it gave up; the benchmark goes on and shows why
        trial.state = "failed";
        trial.why = error.what();
        return trial;
    }
    trial.state = answer.at("state").get<std::string>();
    trial.joint_gap = answer.at("joint_gap").is_number() ? answer.at("joint_gap").get<double>() : 0.0;
    take_times(answer.at("frame_ms").get<std::vector<double>>(), rope.frames_per_second, trial);
    const Trajectory trajectory = read_trajectory(folder);
    if (trajectory.frames() > 1) trial.verdict = judge(trajectory, rope);
    return trial;
}

}  // namespace

bool counts(const Trial& trial, const RopeCase& rope, double depth) {
    const Verdict& v = trial.verdict;
    return trial.state == "done" && v.worst <= depth && v.pass_throughs == 0 && v.outside < rope.radius;
}

Participant make_plica(int segments, const RopeCase& rope) {
    Json settings = Json::array();
    for (const int steps : {3, 5, 10, 20, 40}) settings.push_back({{"steps", steps}, {"work", steps}});
    return {"plica", PLICA_VERSION, "springs and bending solved implicitly, exact detection, exact bowl", settings,
            [segments, rope](const Json& setting, const std::string& folder, const Limits&) {
                return run_plica(segments, rope, setting, folder);
            }};
}

Participant make_peer(const std::string& programs, const std::string& name, const std::string& case_file,
                      const RopeCase& rope) {
    const std::string program = find_peer(programs, name);
    if (program.empty()) throw Error("its program was not built", Status::environment);
    const Json about = describe(program, rope);
    return {about.at("name").get<std::string>(), about.at("version").get<std::string>(),
            about.at("setup").get<std::string>(), sorted_by_work(about.at("settings")),
            [=](const Json& setting, const std::string& folder, const Limits& limits) {
                return run_peer(program, case_file, rope, setting, folder, limits);
            }};
}

}  // namespace plica::bench
