
#include "core/elementary.hpp"
#include "engine/step/verbs.hpp"
#include "engine/tools/couplings.hpp"
#include "engine/tools/grab.hpp"
#include "engine/tools/joints.hpp"
#include "engine/tools/rigids.hpp"
#include "engine/tools/tool_walls.hpp"

namespace plica {

void predict(StepContext& c) {
    const double h = c.h, kept = elementary::exp(-c.model.drag * h);
    c.for_moving([&](std::size_t i) {
        const bool falls = i < c.model.tissue_nodes;
        const bool free = c.model.inverse_mass[i] > 0.0;
        const Vec3 v = falls ? c.state.v[i] * kept + c.inputs.gravity * h : c.state.v[i];
        c.scratch.p[i] = free ? c.state.x[i] + v * h : c.state.x[i];
    });
    aim_rigids(c);
    keep_within_walls(c);
    aim_couplings(c);
    aim_joints(c);
    place_rigids(c.model, c.scratch);
    aim_holds(c);
}

}  // namespace plica
