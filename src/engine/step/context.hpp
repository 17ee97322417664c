#pragma once
#include <atomic>
#include <span>
#include <vector>

#include "core/parallel.hpp"
#include "core/profile.hpp"
#include "engine/inputs.hpp"
#include "engine/model.hpp"
#include "engine/report.hpp"
#include "engine/scratch.hpp"
#include "engine/state.hpp"

namespace plica {

// Nodes that a thread takes at a time, where little is done to each.
inline constexpr std::size_t nodes_a_piece = 2048;

// One go at a step, and where in it we are: what every verb of it is given.
struct StepContext {
    const Model& model;  // as the inputs tune it
    const Inputs& inputs;
    ThreadPool& pool;
    State& state;
    Scratch& scratch;
    StepReport& report;
    StageClock<stage_count>& clock;
    const std::atomic<bool>* stop = nullptr;  // becomes true when the step is to be given up; none: never
    double budget = 0.0;                      // s of wall time that the step should end in; 0: it takes what it takes
    double began = 0.0;                       // s, by wall_seconds()

    int substeps = 1;         // of the step
    double h = 0.0;           // s, a substep
    double last_h = 0.0;      // s, the one before; 0: there was none
    int k = 0;                // the present one, from 1; 0: before the first
    double furthest = 0.0;    // m, that nodes may go in a substep
    double crush = 0.0;       // of the squeeze that tissue bears, the most in the last substep; tools stop at 1
    int begun = 0;            // substeps, of all tries
    bool late = false;        // from here on they take one pass over contact each
    bool tools_wait = false;  // rigid tools stay where they are: the step did not hold when they went on

    // How much of the step is over when the present substep ends, in (0, 1].
    [[nodiscard]] double share() const { return static_cast<double>(k) / substeps; }
    // s, since the scene began, after `done` substeps.
    [[nodiscard]] double time_after(int done) const { return static_cast<double>(state.step) * model.dt + done * h; }
    // The nodes that a substep has to look at: all in the first, where what stands is put in its place.
    [[nodiscard]] std::span<const NodeRange> moving() const { return k > 1 ? scratch.moving : scratch.all; }
    // Calls body(n) for each of them, side by side where there are threads.
    template <class Body>
    void for_moving(const Body& body) const {
        for (const NodeRange& range : moving()) {
            pool.for_pieces(range.last - range.first, nodes_a_piece, [&](std::size_t begin, std::size_t end) {
                for (std::size_t n = range.first + begin; n < range.first + end; ++n) body(n);
            });
        }
    }
    // Copies what belongs to them; both have a value a node.
    void copy_moving(const std::vector<Vec3>& from, std::vector<Vec3>& to) const {
        to.resize(from.size());
        for_moving([&](std::size_t n) { to[n] = from[n]; });
    }
    // Is the step to be given up? What it has done so far does not count then, and the report says so.
    [[nodiscard]] bool is_given_up() const {
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) report.interrupted = true;
        return report.interrupted;
    }
    // What was done since the last call belongs to this stage.
    void lap(Stage stage) const { clock.lap(static_cast<std::size_t>(stage)); }
};

}  // namespace plica
