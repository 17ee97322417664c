#include "engine/step/detect.hpp"

#include <algorithm>

#include "engine/step/features.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/couplings.hpp"

namespace plica {
namespace {

// A candidate list should last for at least so many substeps, and for as long as things move this share of the thinnest
// pair of tubes on average, but no longer than this: longer ones would hold too many pairs.
constexpr double fewest_substeps = 4.0;
constexpr double most_for_tools = 12.0;  // substeps, for rigid tools: they have many triangles, and may be fast
constexpr double average_travel = 0.08;
constexpr double longest_window = 0.1;  // s

void track_pairs(StepContext& c) {
    DetectScratch& detect = c.scratch.detect;
    const TrackedView view{c.model.surface, c.model.neighbours, detect.capsule_enabled, c.scratch.p};
    std::vector<Pair>& found = detect.detector.merged;
    c.report.distance_tests +=
        track(view, c.model.tracking, c.state.random, c.state.active, detect.tracker, found).tests;
    ++c.report.rebuilds;
    replace_pairs(c.state.candidates, found, c.scratch.p);
    forget_pairs(contact_world(c), c.scratch.contact);
}

}  // namespace

void set_margins(const StepContext& c, std::vector<double>& margin) {
    const std::vector<Vec3>&x = c.state.x, &v = c.state.v, &p = c.scratch.p;
    const Vec3 travel = mean_displacement(x, p);
    const Vec3 velocity = travel / c.h;
    double speed = 0.0;
    for (const Vec3& each : v) speed += norm(each - velocity);
    speed /= std::max(1.0, static_cast<double>(v.size()));
    const double slow = average_travel * c.model.thinnest_tube;
    const double t = std::max(fewest_substeps * c.h, std::min(slow / std::max(speed, 1e-9), longest_window));
    const double base = 0.04 * c.model.thinnest_tube + std::min(0.6 * norm(c.inputs.gravity) * t * t, 0.5 * slow);
    margin.resize(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const bool tool = i >= c.model.tissue_nodes && !(c.model.inverse_mass[i] > 0.0);
        const double window = tool ? std::min(t, most_for_tools * c.h) : t;
        margin[i] = base + std::max(1.2 * norm(v[i] - velocity) * window, 1.5 * norm(p[i] - x[i] - travel));
    }
}

void detect(StepContext& c, bool with_features) {
    if (c.model.detector == DetectorKind::tracked) return;
    if (!c.model.contact.enabled) return;
    if (with_features) follow_contact(c);
    State& state = c.state;
    DetectScratch& scratch = c.scratch.detect;
    const Surface& surface = c.model.surface;
    const bool plain = plain_capsules(surface) > 0 && !is_complete(state.candidates, c.scratch.p, c.moving());
    const bool features = with_features && scratch.features && find_feature_pairs(c);
    if (!plain && !features) return;
    ContactWorld contact = contact_world(c);
    release_pairs(contact, c.scratch.contact);
    if (plain) {
        set_margins(c, state.candidates.margin);
        c.report.distance_tests += rebuild(state.candidates, c.model.detector,
                                           {surface, scratch.capsule_enabled, state.x}, c.pool, scratch.detector, true);
        ++c.report.rebuilds;
    }
    if (features)
        replace_feature_pairs(surface, scratch.features->tree.pairs(), state.candidates, c.pool,
                              scratch.detector.merged);
    adopt_pairs(contact, c.scratch.contact);
}

void detect_ahead(StepContext& c) {
    if (!c.model.contact.enabled) return;
    if (c.model.detector == DetectorKind::tracked) return track_pairs(c);
    const ResponseKind response = c.model.contact.response;
    if (response == ResponseKind::penalty || response == ResponseKind::reaction) detect(c, true);
}

}  // namespace plica
