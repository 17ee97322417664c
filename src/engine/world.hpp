#pragma once
#include <memory>

#include "collision/tree/surface_tree.hpp"
#include "contact/certify.hpp"
#include "core/parallel.hpp"
#include "engine/inputs.hpp"
#include "engine/model.hpp"
#include "engine/report.hpp"
#include "engine/state.hpp"
#include "tissue/heat/step.hpp"

namespace plica {

// Finds the pairs of features (features.hpp).
struct FeatureSearch {
    explicit FeatureSearch(const Model& model);

    Surface surface;  // the tree's own: models move
    SurfaceTree tree;
    std::vector<Pose> start, end;  // per body, of rigid ones
};

// What a coupling does in a substep.
struct Pull {
    Vec3 away{};      // m, from the centre of mass at the start to where the hand wants it at the end
    Vec3 velocity{};  // m/s, of the hand
    Vec3 turned{};    // rad, the same of the turn
    Vec3 spin{};      // rad/s
    bool limited = false;
    Vec3 force{};  // N, when it is
};

// Rebuilt every step; nothing in it outlives one.
struct Scratch {
    std::vector<Vec3> p;       // predicted positions
    std::vector<Vec3> flight;  // where the nodes would be under no force but gravity: springs are linearised there
    mass_spring::Workspace springs;
    std::vector<tled::Workspace> organs;
    std::vector<tled::Extremes> organ_extremes;  // over the substeps of the step
    std::vector<heat::Workspace> membranes;
    std::vector<Vec3> membrane_flight;                   // m, per node: where tissue alone took it in this substep
    std::vector<Vec3> membrane_velocity, membrane_load;  // m/s, N, per node
    DetectorScratch detector;
    TrackScratch tracker;
    ContactScratch contact;
    std::unique_ptr<FacetNormals> facets;  // none: normals of rows are rounded
    CertifyScratch certify;
    std::unique_ptr<FeatureSearch> features;  // none: there are none
    std::vector<Pair> unfolded;               // the whole list, between steps
    CandidateList watched;                    // pairs that certify looks at when the detector may miss some
    double watched_distance = 0.0;
    std::vector<Hold> holds;
    std::vector<std::vector<std::int32_t>> held_nodes;  // per tool, the first being the one it took
    std::vector<std::uint8_t> capsule_enabled;
    std::vector<Vec3> tool_impulse;                // kg m, summed over the substeps
    std::vector<NodeGroup> groups;                 // the nodes of rigid bodies
    std::vector<RigidState> rigids;                // where they are at the end of the substep
    Floating floating;                             // those on couplings
    std::vector<Pull> pulls;                       // per floating body
    std::vector<Vec3> hand_force, hand_torque;     // N and N m, per rigid body, summed over the substeps
    std::vector<Vec3> rigid_impulse, rigid_twist;  // kg m and kg m^2 about its origin, summed over the substeps
    State last_good;
    int trail_interval = 0;  // substeps; 0: no trail is kept
    std::vector<Vec3>
        trail;  // for the audit: all nodes at the start, after every `trail_interval` substeps, at the end
};

// One world of nodes. Owns the three kinds of data and advances them together.
class World {
public:
    // The instruction set is the vector kernels'; results depend neither on it nor on the number of threads.
    World(Model model, State state, int threads = 1, Isa isa = best_isa());

    [[nodiscard]] const Model& model() const { return m_model; }  // the scene's, whatever the inputs tune
    [[nodiscard]] const State& state() const { return m_state; }
    [[nodiscard]] const Frame& frame() const { return m_frame; }
    [[nodiscard]] int threads() const { return m_pool->threads(); }
    [[nodiscard]] Isa isa() const { return m_scratch.springs.isa; }
    // Internal and external forces of an organ's nodes in the last substep, N.
    [[nodiscard]] const tled::Workspace& organ(std::size_t i) const { return m_scratch.organs[i]; }
    // How far a surface of heat tissue went in the last step.
    [[nodiscard]] const heat::Reached& reached(std::size_t i) const { return m_scratch.membranes[i].reached; }

    // Advances by model().dt. Never throws, allocates nothing once warm but where the tuning changes, prints nothing.
    StepReport step(const Inputs& inputs);

    void restore(const State& state);
    // Positions at the start and after each substep of the last step, for independent checks; with an interval, after
    // every so many substeps and after the last.
    void keep_trail(bool keep, int interval = 1);
    [[nodiscard]] std::span<const Vec3> trail() const { return m_scratch.trail; }
    // Stage times are CPU time of the calling thread, for measurements beside other work; reading that clock takes
    // longer than reading the one on the wall.
    void time_stages_by_cpu(bool by_cpu) { m_stages_by_cpu = by_cpu; }
    // What the search for pairs of features has done so far; null: there are no features.
    [[nodiscard]] const TreeCounts* tree_counts() const {
        return m_scratch.features ? &m_scratch.features->tree.counts() : nullptr;
    }
    // Frames tell where bodies press on each other; the one that is there does at once.
    void mark_contacts(bool mark);

private:
    [[nodiscard]] const Model& in_force() const { return m_tuned ? *m_tuned : m_model; }
    void take_tuning(const Tuning& tuning);
    bool advance(const Inputs& inputs, int substeps, StepReport& report);
    void take_back(const State& state);
    void publish();
    void extend_trail();
    void reserve_pairs();
    void reserve_tracked_pairs();

    Model m_model;
    State m_state;
    Scratch m_scratch;
    Frame m_frame;
    std::unique_ptr<ThreadPool> m_pool;
    Tuning m_tuning;
    std::unique_ptr<Model> m_tuned;  // the model as m_tuning has it; none before the first change
    bool m_marking = false;
    bool m_stages_by_cpu = false;
};

}  // namespace plica
