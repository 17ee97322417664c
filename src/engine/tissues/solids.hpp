#pragma once
#include <vector>

#include "engine/tissues/no_tissue.hpp"
#include "tissue/tled/step.hpp"

namespace plica {

// Solid organs of finite elements, explicit: they say how long a substep may be, and take a step back that was too
// long.
struct Solids : NoTissue {
    using Models = std::vector<tled::Organ>;
    using States = std::vector<tled::OrganState>;
    struct Work {
        std::vector<tled::Workspace> organs;  // internal and external forces of the last substep, N, and more
        std::vector<tled::Extremes> seen;     // over the substeps of the step
    };

    // Work arrays, and the longest stable substep of each organ that does not know its own.
    static void prepare(Preparation& p);
    static void tune(const Model& scene, const Tuning& tuning, Model& tuned);
    // Each at most 0.9 of the longest stable one.
    static SubstepNeed count_substeps(const Model& model, const State& state);
    static void learn(const Model& model, const State& failed, State& from);
    // Internal forces, loads and gravity. False when a cell is lost: what follows would be an explosion.
    static bool predict(StepContext& c);
    static void keep_motions(StepContext& c);
    // Have organs borne the substeps? Looks again at the longest stable one now and then.
    static bool end_step(StepContext& c);
    // Names the cells that are lost in organs that did not bear the substeps.
    static void flag(StepContext& c, bool failed);
    static Rest find_rest(const Model& model, const State& state);
    template <class AnyStates, class Visit>
    static void visit_state(AnyStates& states, Visit&& visit) {
        for (auto& organ : states) {
            visit(std::span(organ.history.single));
            visit(std::span(organ.history.exact));
            visit(std::span(organ.mode));
            visit(std::span(&organ.numbers, 1));
        }
    }
};

}  // namespace plica
