#pragma once
#include <tuple>
#include <type_traits>

#include "engine/frame.hpp"
#include "engine/tissues/heat_surfaces.hpp"
#include "engine/tissues/own_tissues.hpp"
#include "engine/tissues/solids.hpp"
#include "engine/tissues/springs.hpp"

// The one seam between the step and tissues. A group is all bodies of one tissue: a struct with
//
//   Models, States, Work   what it keeps in Model, State and Scratch
//
// and the verbs below as static functions; those of NoTissue do nothing. The step calls each verb for every group, in
// the order of the list, never for single bodies, nodes or cells, and names no tissue itself.
namespace plica {

template <class... Group>
struct TissueList {
    using Models = std::tuple<typename Group::Models...>;
    using States = std::tuple<typename Group::States...>;
    using Work = std::tuple<typename Group::Work...>;

    template <class Wanted>
    static constexpr std::size_t index = [] {
        constexpr bool same[] = {std::is_same_v<Wanted, Group>...};
        std::size_t i = 0;
        while (!same[i]) ++i;
        return i;
    }();

    // Once, before the first step.
    static void prepare(Preparation& p) { (Group::prepare(p), ...); }
    // Gives `tuned`, a copy of the scene's model, the values that the tuning asks for.
    static void tune(const Model& scene, const Tuning& tuning, Model& tuned) {
        (Group::tune(scene, tuning, tuned), ...);
    }
    // What was computed from the model before it was tuned is of no use any more.
    static void retune(const Model& tuned, Scratch& scratch) { (Group::retune(tuned, scratch), ...); }

    // How many substeps of the step to come are stable, and how many contact asks for.
    static SubstepNeed count_substeps(const Model& model, const State& state) {
        SubstepNeed most;
        ((most = most.with(Group::count_substeps(model, state))), ...);
        return most;
    }
    // `from`, to which a step is taken back, learns from the state in which the failed attempt ended.
    static void learn(const Model& model, const State& failed, State& from) {
        (Group::learn(model, failed, from), ...);
    }

    static void begin_step(StepContext& c) { (Group::begin_step(c), ...); }
    // Where the nodes go if nothing touches them, from free flight. False: the substep was too long to go on.
    static bool predict(StepContext& c) {
        bool sound = true;
        ((sound = Group::predict(c) && sound), ...);
        return sound;
    }
    // The same once more for tissues that are solved implicitly, with what contact is expected to give already in p.
    static void answer_to_contact(StepContext& c) { (Group::answer_to_contact(c), ...); }
    // Contact may have moved what a prescribed motion rules.
    static void keep_motions(StepContext& c) { (Group::keep_motions(c), ...); }
    // p is final but for certify.
    static void after_contact(StepContext& c) { (Group::after_contact(c), ...); }
    // False: the step's substeps were too long after all.
    static bool end_step(StepContext& c) {
        bool held = true;
        ((held = Group::end_step(c) && held), ...);
        return held;
    }

    // Raises flags. `failed`: no number of substeps did.
    static void flag(StepContext& c, bool failed) { (Group::flag(c, failed), ...); }
    // Of tissues that relax towards rest.
    static Rest find_rest(const Model& model, const State& state) {
        Rest rest;
        ((rest = rest.with(Group::find_rest(model, state))), ...);
        return rest;
    }
    static void publish_fields(const Model& model, const State& state, Frame& frame) {
        frame.fields.resize(0 + (Group::field_count(model) + ...));
        std::size_t next = 0;
        ((Group::publish_fields(model, state, std::span(frame.fields).subspan(next, Group::field_count(model))),
          next += Group::field_count(model)),
         ...);
    }
    // visit(span) for every array that changes.
    template <class AnyStates, class Visit>
    static void visit_state(AnyStates& states, Visit&& visit) {
        (Group::visit_state(std::get<index<Group>>(states), visit), ...);
    }
};

using Tissues = TissueList<Springs, Solids, HeatSurfaces, OwnTissues>;

}  // namespace plica
