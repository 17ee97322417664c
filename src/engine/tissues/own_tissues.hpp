#pragma once
#include <memory>
#include <vector>

#include "engine/tissues/no_tissue.hpp"
#include "geometry/vec3.hpp"
#include "plica/tissue.hpp"

namespace plica {

// A body of a tissue from outside.
struct OwnBody {
    std::shared_ptr<const Tissue> tissue;
    std::int32_t first_node = 0;
    std::int32_t nodes = 0;
    Tissue::FieldName field{};  // that it publishes; no name: none
};

// Bodies of tissues that the library does not know (plica/tissue.hpp): explicit forces, once a body and substep. What
// their functions throw leaves the verbs as Error with the body's name, in the middle of a step.
struct OwnTissues : NoTissue {
    using Models = std::vector<OwnBody>;
    using States = std::vector<std::vector<double>>;
    struct Work {
        std::vector<Vec3> force;  // N, per node of the world
    };

    static void prepare(Preparation& p);
    static SubstepNeed count_substeps(const Model& model, const State& state);
    static void begin_step(StepContext& c);
    static bool predict(StepContext& c);
    // Bodies that say no substep they bear, and those whose numbers are none.
    static void flag(StepContext& c, bool failed);
    static std::size_t field_count(const Model& model);
    static void publish_fields(const Model& model, const State& state, std::span<Field> fields);
    template <class AnyStates, class Visit>
    static void visit_state(AnyStates& states, Visit&& visit) {
        for (auto& own : states) visit(std::span(own));
    }
};

}  // namespace plica
