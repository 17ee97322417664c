#pragma once
#include "tissue/tled/organ.hpp"

namespace plica::tled {

// What changes about an organ besides its nodes.
struct OrganState {
    History history;
    std::vector<float> mode;  // the fastest one, as far as it is known; see estimate_step()
    struct Numbers {
        static constexpr bool packed_doubles = true;
        double limit = 0.0;     // s, longest stable step; 0: not known yet
        double damping = 0.0;   // 1/s, that relaxation found
        std::int32_t age = 0;   // steps since the limit was looked at
        std::int32_t calm = 0;  // steps for which a relaxing organ has been at rest
    } numbers;
};

// An organ is at rest after so many calm steps.
inline constexpr std::int32_t calm_steps = 100;

// One step of an organ. Spans are over its nodes.
struct OrganStep {
    std::span<const Vec3> rest, x, v;
    std::span<const double> w;  // 1/kg, 0: held
    Vec3 gravity;
    double drag;    // 1/s, of the surrounding fluid
    double t;       // s, at the start
    double h;       // s
    double last_h;  // s, of the step before; 0: velocities are those of the start, not of half a step earlier
    bool measure;   // relaxation looks at the organ in this step
};

// Central differences in increment form: p = x + D, D = exp(-a h) D + h^2 W (R - F). Where nothing but motions rules a
// node, p is where they put it.
void step_organ(const Organ& organ, const OrganStep& step, ThreadPool& pool, OrganState& state, Workspace& work,
                std::span<Vec3> p);

}  // namespace plica::tled
