#include "engine/step/detect.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/rigids.hpp"

namespace plica {
namespace {

// The tracked detector misses pairs; what watches over it must not.
int certify_watched(StepContext& c) {
    DetectScratch& detect = c.scratch.detect;
    CandidateList& list = detect.watched;
    const Surface& surface = c.model.surface;
    if (!is_complete(list, c.scratch.p)) {
        set_margins(c, list.margin);
        rebuild(list, best_detector(surface), {surface, detect.capsule_enabled, c.state.x}, c.pool, detect.detector);
        detect.watched_distance = least_margin(surface, list);
    }
    return certify(surface, list, detect.watched_distance, c.state.x, c.scratch.p, c.scratch.certify);
}

int certify_pairs(StepContext& c) {
    detect(c, c.scratch.contact.outcome.corrected);  // the sweeps may have gone beyond the list
    ContactWorld contact = contact_world(c);
    return certify(contact, c.scratch.contact, c.scratch.certify);
}

}  // namespace

void certify(StepContext& c) {
    if (!c.model.certify || !c.model.contact.enabled || c.model.surface.capsules.empty()) return;
    const int held = c.model.detector == DetectorKind::tracked ? certify_watched(c) : certify_pairs(c);
    if (held == 0) return;
    c.report.held += held;
    if (hold_rigids(c)) place_rigids(c.model, c.scratch);
    for (std::size_t n = 0; n < c.state.x.size(); ++n) {
        if (c.scratch.certify.kept[n] < 1.0) c.state.v[n] = (c.scratch.p[n] - c.state.x[n]) / c.h;
    }
}

}  // namespace plica
