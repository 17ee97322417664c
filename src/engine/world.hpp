#pragma once
#include <atomic>
#include <memory>
#include <span>

#include "core/bytes.hpp"
#include "core/parallel.hpp"
#include "engine/frame.hpp"
#include "engine/inputs.hpp"
#include "engine/report.hpp"
#include "engine/scratch.hpp"

namespace plica {

// One world of nodes. Owns its state and advances it; the model may be shared by several worlds, on several threads.
class World {
public:
    // The instruction set is the vector kernels'; results depend neither on it nor on the number of threads.
    World(std::shared_ptr<const Model> model, State state, int threads = 1, Isa isa = best_isa());
    World(Model model, State state, int threads = 1, Isa isa = best_isa());

    [[nodiscard]] const Model& model() const { return *m_model; }  // the scene's, whatever the inputs tune
    [[nodiscard]] const std::shared_ptr<const Model>& shared_model() const { return m_model; }
    [[nodiscard]] const State& state() const { return m_state; }
    [[nodiscard]] const Frame& frame() const { return m_frame; }
    [[nodiscard]] int threads() const { return m_pool->threads(); }
    [[nodiscard]] Isa isa() const { return m_isa; }
    // What a tissue found out in the last substep, e.g. the forces in solids.
    template <class Group>
    [[nodiscard]] const typename Group::Work& work() const {
        return m_scratch.of<Group>();
    }

    // Advances by model().dt. Never throws, but what a tissue from outside does, which leaves a state in the middle of
    // a step: who lets such tissues in must load() the one of before. Allocates nothing once warm but where the tuning
    // changes, prints nothing.
    StepReport step(const Inputs& inputs);

    // A step in which this becomes true, on whatever thread or in a handler of signals, is given up at its next pass
    // over the rows: state and frame stay as they were, and its report says `interrupted`. Null: none is. Must outlive
    // the world's steps.
    void stop_on(const std::atomic<bool>* stop) { m_stop = stop; }

    // s of wall time that a step should end in; 0: it takes what it takes. One that falls behind takes one pass over
    // contact in each substep that is left: what passes do not part, certify holds. Its report says from which substep
    // on; a step with that in its inputs is the same, bit for bit, whatever the clock says. Only steps whose inputs say
    // by_budget look at it.
    void set_budget(double seconds) { m_budget = seconds; }

    // Goes on from a state. What led there is not known: where features of solids are near each other, the steps that
    // follow may have other bits than those of the run it came from; load() goes on with the same.
    void restore(const State& state);
    // The state, what the search for pairs remembers, and what tools felt: a world of the same model that loads it goes
    // on bit for bit, also in the middle of contact. A reader is first asked without storing: whatever the bytes are,
    // they are refused (ok() is false) or make a world that can be stepped.
    void save(ByteWriter& archive) const;
    void load(ByteReader& archive, std::uint64_t step);  // one of another step is refused
    // Positions at the start and after each substep of the last step, for independent checks; with an interval, after
    // every so many substeps and after the last.
    void keep_trail(bool keep, int interval = 1);
    [[nodiscard]] std::span<const Vec3> trail() const { return m_scratch.trail.positions; }
    // Stage times are CPU time of the calling thread, for measurements beside other work; reading that clock takes
    // longer than reading the one on the wall.
    void time_stages_by_cpu(bool by_cpu) { m_stages_by_cpu = by_cpu; }
    // What the search for pairs of features has done so far; null: there are no features.
    [[nodiscard]] const TreeCounts* tree_counts() const {
        return m_scratch.detect.features ? &m_scratch.detect.features->tree.counts() : nullptr;
    }
    // Frames tell where bodies press on each other; the one that is there does at once.
    void mark_contacts(bool mark);

private:
    template <class Self, class Archive>
    static void visit(Self& self, std::uint64_t step, Archive& archive);
    [[nodiscard]] const Model& in_force() const { return m_tuned ? *m_tuned : *m_model; }
    [[nodiscard]] double seconds() const;
    void take_tuning(const Tuning& tuning);
    static bool advance(StepContext& c);
    StepReport give_up(StepReport& report, double began);
    void take_back(const State& state);
    bool hold_step(StepContext& c, bool pushed);
    void publish_frame();

    std::shared_ptr<const Model> m_model;
    State m_state;
    Scratch m_scratch;
    Frame m_frame;
    Isa m_isa;
    std::unique_ptr<ThreadPool> m_pool;
    Tuning m_tuning;
    std::unique_ptr<Model> m_tuned;  // the model as m_tuning has it; none before the first change
    const std::atomic<bool>* m_stop = nullptr;
    double m_budget = 0.0;
    bool m_marking = false;
    bool m_stages_by_cpu = false;
};

}  // namespace plica
