#include <algorithm>

#include "core/index.hpp"
#include "engine/step/detect.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/rigids.hpp"

namespace plica {
namespace {

// The tracked detector misses pairs; what watches over it must not. How deep things get by that is to be seen.
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

int certify_once(StepContext& c) {
    return c.model.detector == DetectorKind::tracked ? certify_watched(c) : certify_pairs(c);
}

// What was held for its depth alone keeps its speed, as what is pushed out does: rows answer to it.
void slow_down(StepContext& c) {
    const CertifyScratch& s = c.scratch.certify;
    for (std::size_t n = 0; n < c.state.x.size(); ++n) {
        const bool slowed = s.slowed[n] != 0 || !(c.model.inverse_mass[n] > 0.0);
        if (s.kept[n] < 1.0 && slowed) c.state.v[n] = (c.scratch.p[n] - c.state.x[n]) / c.h;
    }
}

// Where it began, the substep is free of intersections.
void hold_all(StepContext& c) {
    CertifyScratch& s = c.scratch.certify;
    s.kept.assign(c.state.x.size(), 0.0);
    s.slowed.assign(c.state.x.size(), 1);
    s.gave_up = true;
    c.scratch.p.assign(c.state.x.begin(), c.state.x.end());
    hold_rigids(c);
    slow_down(c);
}

void name_what_is_held(StepContext& c) {
    const std::vector<double>& kept = c.scratch.certify.kept;
    for (std::size_t b = 0; b < c.model.bodies.size(); ++b) {
        const Body& body = c.model.bodies[b];
        const auto first = kept.begin() + body.first_node;
        const bool held = std::any_of(first, first + body.nodes, [](double share) { return share == 0.0; });
        if (held) c.scratch.shortfalls.held[b] = 1;
    }
}

}  // namespace

void certify(StepContext& c) {
    if (!c.model.certify || !c.model.contact.enabled || c.model.surface.capsules.empty()) return;
    constexpr int patience = 4;  // looks; a tool that turns and stays behind is not quite where its nodes' straight
                                 // ways have it, so that all is looked at again
    limit_travel(c);
    c.scratch.certify.gave_up = false;
    for (int look = 0;; ++look) {
        const int held = certify_once(c);
        c.report.held += held;
        if (held == 0) break;
        const bool tools = hold_rigids(c);
        if (tools) place_rigids(c.model, c.scratch);
        slow_down(c);
        if (c.scratch.certify.gave_up) name_what_is_held(c);
        if (!tools) break;
        if (look < patience) continue;
        hold_all(c);
        name_what_is_held(c);
        break;
    }
}

}  // namespace plica
