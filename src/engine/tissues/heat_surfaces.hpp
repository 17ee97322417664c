#pragma once
#include <vector>

#include "engine/tissues/no_tissue.hpp"
#include "tissue/heat/step.hpp"

namespace plica {

// Surfaces of heat tissue: heat once a step, motion implicitly every substep.
struct HeatSurfaces : NoTissue {
    using Models = std::vector<heat::Membrane>;
    using States = std::vector<heat::MembraneState>;
    struct Work {
        std::vector<heat::Workspace> membranes;  // .reached: how far each went in the last step
        // Per node of the world.
        std::vector<Vec3> flight;          // m, where nothing but gravity, then tissue alone, took it in this substep
        std::vector<Vec3> velocity, load;  // m/s, N
        std::vector<Vec3> push;            // N, contact's part of the load
    };

    static void prepare(Preparation& p);
    static void tune(const Model& scene, const Tuning& tuning, Model& tuned);
    static void retune(const Model& tuned, Scratch& scratch);
    static SubstepNeed count_substeps(const Model& model, const State& state);
    // Conducts what the last step's touch brought.
    static void begin_step(StepContext& c);
    static bool predict(StepContext& c);
    static void answer_to_contact(StepContext& c);
    // What touched the surface, as the next step's source of heat.
    static void after_contact(StepContext& c);
    static void flag(StepContext& c, bool failed);
    static std::size_t field_count(const Model& model);
    // "temperature", J/m^2.
    static void publish_fields(const Model& model, const State& state, std::span<Field> fields);
    template <class AnyStates, class Visit>
    static void visit_state(AnyStates& states, Visit&& visit) {
        for (auto& membrane : states) {
            visit(std::span(membrane.temperature));
            visit(std::span(membrane.touch));
            visit(std::span(membrane.before));
            if (!membrane.ahead.empty()) visit(std::span(membrane.ahead));
            visit(std::span(&membrane.numbers, 1));
        }
    }
};

}  // namespace plica
