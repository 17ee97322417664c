#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <optional>

#include "apps/plica/commands.hpp"
#include "apps/plica/dump.hpp"
#include "apps/plica/print.hpp"
#include "apps/plica/progress.hpp"
#include "apps/plica/summary.hpp"
#include "core/clock.hpp"
#include "simulation/inside.hpp"

namespace plica::app {
namespace {

// The dump comes before the recording, which replaces what was there.
void start_outputs(const RunOptions& options, Simulation& simulation, std::optional<Dump>& dump) {
    if (!options.dump.empty()) {
        const World& world = simulation.inside().world();
        dump.emplace(options.dump, describe_world(world.model(), world.frame()), &world.model());
        dump->add_frame(0.0, world.state().x, world.frame().values_of("temperature"));
    }
    if (!options.record.empty()) simulation.record(options.record);
}

void add_frame(const Frame& frame, Dump& dump) {
    dump.add_frame(frame.time, frame.positions, frame.values_of("temperature"));
    dump.add_tools(frame.tool_force, frame.tool_torque);
}

std::int64_t count_steps(const RunOptions& options, const SceneDescription& scene) {
    if (options.steps > 0) return options.steps;
    const double seconds = options.seconds > 0.0 ? options.seconds : scene.seconds;
    if (seconds / scene.dt > 1e9) {
        throw Error(
            fmt::format("{} s in steps of {} s are more than a billion steps; expected fewer", seconds, scene.dt));
    }
    return std::max<std::int64_t>(1, std::llround(seconds / scene.dt));
}

Isa choose_isa(const std::string& name) {
    if (name == "best") return best_isa();
    const std::optional<Isa> isa = find_isa(name);
    if (!isa || !is_available(*isa)) {
        throw Error(fmt::format("this machine does not have the instruction set {}; its best is {}", name,
                                isa_name(best_isa())));
    }
    return *isa;
}

const audit::StepFindings& examine(audit::Audit& audit, const World& world) {
    const std::span<const Vec3> trail = world.trail();
    const auto moves = static_cast<int>(trail.size() / world.model().nodes()) - 1;
    return audit.examine(trail, moves, audit.trail_interval());
}

}  // namespace

Status run(const RunOptions& options) {
    const SceneSource source = find_scene(options.scene, options.overrides);
    Simulation simulation =
        make_simulation(open_scene(source), {options.seed, options.threads, choose_isa(options.isa)});
    Simulation::Inside& inside = simulation.inside();
    World& world = inside.world();
    world.stop_on(interrupt_flag());
    const SceneDescription& scene = inside.scene();
    const bool audited = options.audit == "on";
    std::optional<audit::Audit> audit;
    if (audited) {
        audit.emplace(without_edges(world.model().surface), world.model().rest,
                      static_cast<int>(world.model().bodies.size()));
        world.keep_trail(true, audit->trail_interval());
    }
    std::optional<Dump> dump;
    start_outputs(options, simulation, dump);
    Summary summary(world, audited);
    const std::int64_t steps = count_steps(options, scene);
    const double began = wall_seconds();
    watch_for_interrupt();
    if (options.each_frame) options.each_frame(world);
    {
        Progress progress(source.name, steps);
        const auto is_done = [&] { return scene.stop_at_rest && summary.is_at_rest(); };
        for (std::int64_t i = 0; i < steps && !is_interrupted() && summary.is_valid() && !is_done(); ++i) {
            const StepReport& report = inside.step();
            if (report.interrupted) break;
            const bool usable = audited && report.is_valid();
            summary.add(world, report, usable ? &examine(*audit, world) : nullptr);
            if (usable && world.model().detector == DetectorKind::tracked) summary.add(compute_recall(world));
            if (dump && report.is_valid()) add_frame(world.frame(), *dump);  // else it is the one before
            if (options.each_frame) options.each_frame(world);
            progress.update(i + 1);
        }
    }
    simulation.stop_recording();
    if (dump) dump->close();
    if (options.at_end) options.at_end(world);

    nlohmann::ordered_json result{{"scene", source.name}, {"seed", options.seed}, {"threads", options.threads}};
    result.update(summary.to_json(world));
    result["wall_s"] = wall_seconds() - began;
    if (is_interrupted()) result["interrupted"] = true;
    if (options.json) {
        print_json(result);
    } else {
        std::fputs(to_text(result).c_str(), stdout);
    }
    if (!summary.is_valid()) {
        fmt::print(stderr, "plica: the simulation lost validity ({}); the last good state was kept\n",
                   fmt::join(result["flags"].get<std::vector<std::string>>(), ", "));
        return Status::invalid;
    }
    if (summary.fails_audit()) {
        fmt::print(stderr, "{}\n",
                   audit::describe_failure(summary.pass_throughs(), summary.worst(), summary.intersections()));
        return Status::failed;
    }
    return Status::ok;
}

}  // namespace plica::app
