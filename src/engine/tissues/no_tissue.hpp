#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "core/isa.hpp"

namespace plica {

class ThreadPool;
struct Model;
struct State;
struct Scratch;
struct Tuning;
struct Frame;
struct Field;
struct StepContext;

struct Preparation {
    const Model& model;
    Isa isa;
    ThreadPool& pool;
    State& state;
    Scratch& scratch;
};

inline constexpr double safe_share = 0.9;  // of the longest stable substep: what explicit tissues ask for

struct SubstepNeed {
    int stable = 1;   // no fewer, or the tissue explodes
    int contact = 1;  // no fewer, or what touches it does not come to rest; where contact may ask for more
    int most = 0;     // a step that needs more is not tried with them; 0: any number

    [[nodiscard]] SubstepNeed with(const SubstepNeed& other) const {
        return {std::max(stable, other.stable), std::max(contact, other.contact), std::max(most, other.most)};
    }
};

struct Rest {
    bool any = false;  // something relaxes
    bool all = true;   // and has come to rest

    [[nodiscard]] Rest with(const Rest& other) const { return {any || other.any, all && other.all}; }
};

// A tissue that does nothing: groups are made from it and replace the verbs they need (tissues.hpp).
struct NoTissue {
    struct Models {};
    struct States {};
    struct Work {};

    static void prepare(Preparation&) {}
    static void tune(const Model&, const Tuning&, Model&) {}
    static void retune(const Model&, Scratch&) {}
    static SubstepNeed count_substeps(const Model&, const State&) { return {}; }
    static void learn(const Model&, const State&, State&) {}
    static void begin_step(StepContext&) {}
    static bool predict(StepContext&) { return true; }
    static void answer_to_contact(StepContext&) {}
    static void keep_motions(StepContext&) {}
    static void after_contact(StepContext&) {}
    static bool end_step(StepContext&) { return true; }
    static void flag(StepContext&, bool) {}
    static Rest find_rest(const Model&, const State&) { return {}; }
    static std::size_t field_count(const Model&) { return 0; }
    static void publish_fields(const Model&, const State&, std::span<Field>) {}
    template <class States, class Visit>
    static void visit_state(States&, Visit&&) {}
};

}  // namespace plica
