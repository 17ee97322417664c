#pragma once
#include "engine/step/context.hpp"

// How a hand leads a rigid tool whose way is given: no faster than contact can follow, and no harder than it can push.
namespace plica {

// m: furthest that such a tool goes in a substep, so that what it meets is still on the side where it was, and lists of
// pairs stay short. Infinite where nothing can touch it, or where solver.adapt is off.
double furthest_of_tools(const Model& model);

// Where rigid body i is to be when the substep ends, if its path wants it at `aim`: as far on the straight way there as
// it can go. What is left of the way it goes later.
RigidState push_towards(const StepContext& c, std::size_t i, const RigidState& aim);

// What it felt in the substep decides how far it tries to go in the next: less and less towards its largest force, and
// where certify held it. `now` is where it is when the substep ends, its pace zero when certify held it there.
void feel(const StepContext& c, std::size_t i, const Vec3& load, const Vec3& twist, RigidState& now);

// Is there such a tool, and does anything limit it?
bool has_pushed_tools(const Model& model);

bool is_pushed_tool(const Model& model, const Body& body);

// They begin anew, slowly.
void stop_tools(const Model& model, State& state);

// m: of the way to `goal`, what it would go if nothing but its load held it back.
double way_ahead(const RigidBody& rigid, const RigidState& now, const RigidState& goal, double h);

}  // namespace plica
