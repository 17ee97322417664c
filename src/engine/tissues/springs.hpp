#pragma once
#include "engine/tissues/no_tissue.hpp"
#include "geometry/vec3.hpp"
#include "tissue/mass_spring/network.hpp"

namespace plica {

// Tubes and sheets of masses and springs: one network over all of them, solved implicitly.
struct Springs : NoTissue {
    using Models = mass_spring::Network;
    struct Work {
        mass_spring::Workspace network;
        std::vector<Vec3>
            flight;  // m, where the nodes would be under no force but gravity: springs are linearised there
        std::vector<Vec3> solved;  // m, where they were when contact began to move those that carry others
        std::vector<Vec3> moved;   // m, what it did to them
    };

    static void prepare(Preparation& p);
    static void tune(const Model& scene, const Tuning& tuning, Model& tuned);
    static void retune(const Model& tuned, Scratch& scratch);
    static bool predict(StepContext& c);
    static void answer_to_contact(StepContext& c);
    static void keep_motions(StepContext& c);
    static void after_contact(StepContext& c);
    static void flag(StepContext& c, bool failed);
};

}  // namespace plica
