#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "collision/candidates.hpp"
#include "collision/tracked.hpp"
#include "contact/respond.hpp"
#include "core/hash.hpp"
#include "core/random.hpp"
#include "engine/model.hpp"
#include "geometry/vec3.hpp"

namespace plica {

struct ToolState {
    static constexpr bool packed_doubles = true;
    Vec3 handle;             // m
    Vec3 turn;               // rad, of a rigid one
    Vec3 pull;               // kg m, multiplier of the hold in the last substep
    std::int32_t node = -1;  // held
    std::int32_t present = 0;
};

// Everything that changes and everything a replay needs; World::save() adds what the search for pairs remembers.
struct State {
    std::vector<Vec3> x;  // m
    std::vector<Vec3> v;  // m/s
    CandidateList candidates;
    std::vector<ActivePair> active;       // detector tracked: what it follows
    std::vector<WallMemory> wall_memory;  // walls x nodes
    std::vector<ToolState> tools;
    std::vector<RigidState> rigids;
    std::vector<JointMemory> joints;
    Tissues::States tissues;
    Random random;  // initial noise, then the tracked detector's draws
    std::uint64_t step = 0;
    std::uint64_t substeps = 0;  // of the last step: multipliers belong to its substep length

    // All that the state has of a tissue.
    template <class Group>
    [[nodiscard]] const typename Group::States& of() const {
        return std::get<Tissues::index<Group>>(tissues);
    }
    template <class Group>
    [[nodiscard]] typename Group::States& of() {
        return std::get<Tissues::index<Group>>(tissues);
    }

    // Visits every array as bytes: the one list that hashing, saving and testing share.
    template <class Self, class Visit>
    static void for_each_array(Self& self, Visit&& visit) {
        visit(std::span(self.x));
        visit(std::span(self.v));
        visit(std::span(self.candidates.pairs));
        visit(std::span(self.candidates.built));
        visit(std::span(self.candidates.margin));
        visit(std::span(self.active));
        visit(std::span(self.wall_memory));
        visit(std::span(self.tools));
        visit(std::span(self.rigids));
        if (!self.joints.empty()) visit(std::span(self.joints));
        Tissues::visit_state(self.tissues, visit);
        visit(std::span(&self.random.state, 1));
        visit(std::span(&self.step, 1));
        visit(std::span(&self.substeps, 1));
    }
};

inline std::uint64_t compute_hash(const State& state) {
    Hash hash;
    State::for_each_array(state, [&](auto values) { hash.add_all(values); });
    return hash.value();
}

}  // namespace plica
