#include <algorithm>
#include <cmath>

#include "audit/audit.hpp"
#include "engine/world.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/raghupathi/detection.hpp"
#include "experiments/raghupathi/recall_parts.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"

namespace plica::experiments {
namespace {

struct SelfContactRow {
    bool on = false;
    double others = 0.0, self = 0.0;  // pairs that touch at the end of a step: mean, by the audit
    int pass_throughs = 0;            // of the mesentery through itself
    double seconds = 0.0;             // of a step, median
};

bool is_triangle_pair(const std::array<std::int32_t, 2>& pair, const Surface& surface) {
    return static_cast<std::size_t>(pair[0]) >= surface.capsules.size();
}

// The audit looks at the mesentery against itself in either case.
SelfContactRow run_mesentery(const char* name, bool on, bool quick) {
    const SceneDescription scene =
        read_scene(find_scene(name, {std::string("gut.mesentery_self_contact=") + (on ? "true" : "false")}));
    Built built = build_scene(scene, 1);
    World world(std::move(built.model), std::move(built.state));
    world.keep_trail(true);
    Surface surface = without_edges(world.model().surface);
    for (Triangle& t : surface.triangles) t.sheet = true;
    audit::Audit audit(surface, world.model().rest, static_cast<int>(world.model().bodies.size()));
    Script script(scene);
    const int steps = quick ? 10 : static_cast<int>(std::lround(scene.seconds / scene.dt));
    SelfContactRow row{on};
    std::vector<double> seconds;
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(script.next(world));
        const audit::StepFindings& found = audit.examine(world.trail(), report.substeps);
        const int self = audit.touching(1, 1);
        row.self += static_cast<double>(self) / steps;
        row.others += static_cast<double>(found.touching - self) / steps;
        for (const auto& pair : audit.crossings()) row.pass_throughs += is_triangle_pair(pair, surface) ? 1 : 0;
        seconds.push_back(report.seconds);
    }
    row.seconds = median(seconds);
    return row;
}

}  // namespace

Table self_contact_table(bool quick, const Tick& tick) {
    Table table{
        "The mesentery against itself, which the papers leave out: of the pairs that touch, by the audit, the share "
        "that contact answers",
        {"scene", "mesentery_self_contact", "gut-gut, gut-mesentery", "mesentery-mesentery", "answered",
         "mesentery through itself", "step, ms (median)"},
        {}};
    for (const char* scene : {"intestine-plane", "intestine"}) {
        for (const bool on : {false, true}) {
            const SelfContactRow row = run_mesentery(scene, on, quick);
            const double all = row.others + row.self;
            const double answered = on || all == 0.0 ? 1.0 : row.others / all;
            table.rows.push_back({scene, on ? "true" : "false", count(row.others), count(row.self), percent(answered),
                                  std::to_string(row.pass_throughs), milliseconds(row.seconds)});
            tick(static_cast<double>(table.rows.size()) / 4.0);
        }
    }
    return table;
}

}  // namespace plica::experiments
