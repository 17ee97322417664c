#include <fmt/format.h>

#include "apps/plica/commands.hpp"
#include "apps/plica/print.hpp"
#include "apps/plica/progress.hpp"
#include "apps/plica/recorded.hpp"
#include "simulation/check_recording.hpp"
#include "simulation/inside.hpp"

namespace plica::app {

Status replay(const ReplayOptions& options) {
    RecordingReader reader(options.recording);
    warn_if_cut(reader);
    Simulation simulation =
        make_simulation(open_scene(source_of(reader.header())), {reader.header().seed, options.threads});
    Simulation::Inside& inside = simulation.inside();
    check_world(reader.header(), inside.model(), options.recording);
    const auto total = static_cast<std::int64_t>(reader.step_count());
    std::int64_t done = 0;
    std::int64_t wrong = -1;
    inside.world().stop_on(interrupt_flag());
    watch_for_interrupt();
    {
        Progress progress("replay", total);
        RecordedStep step;
        while (wrong < 0 && !is_interrupted() && reader.next(step)) {
            check_inputs(step.inputs, reader.header().nodes, options.recording);
            const StepReport& report = inside.step(step.inputs);
            if (report.interrupted) break;
            if (report.hash != step.hash) {
                wrong = done;
            } else {
                progress.update(++done);
            }
        }
    }
    if (static_cast<std::uint64_t>(total) != reader.step_count()) warn_if_cut(reader);  // found while reading
    const bool cut_short = wrong < 0 && done < total && is_interrupted();
    const bool matches = wrong < 0 && done > 0 && done == total && !reader.damaged();
    if (options.json) {
        Json j{{"recording", options.recording},
               {"scene", reader.header().scene_name},
               {"seed", reader.header().seed},
               {"steps", total},
               {"verified", done},
               {"matches", matches},
               {"first_difference", nullptr},
               {"truncated", reader.truncated()},
               {"damaged", reader.damaged()},
               {"hash", to_hex(compute_hash(inside.world().state()))}};
        if (wrong >= 0) j["first_difference"] = wrong;
        if (cut_short) j["interrupted"] = true;
        print_json(j);
    } else if (matches) {
        fmt::print("{}: {} of {} steps re-run{}, every hash matches\n", options.recording, done, total,
                   reader.truncated() ? " (the recording is cut)" : "");
    } else if (wrong >= 0) {
        fmt::print("{}: step {} differs from the recording\n", options.recording, wrong);
    } else if (!cut_short) {
        fmt::print("{}: {} of {} steps could be read and match\n", options.recording, done, total);
    }
    if (cut_short) {
        fmt::print(stderr, "{}: interrupted after {} of {} steps, whose hashes match\n", options.recording, done,
                   total);
        return interrupted_status;
    }
    return matches ? Status::ok : Status::failed;
}

}  // namespace plica::app
