#pragma once
#include "contact/respond.hpp"

// Culling of candidate pairs by separating directions, for crowds: where thousands of pairs carry load most of the
// others on the list are near as well, and go along with their neighbours. How far things went says little there; how
// they face each other does. Two convex sides are at least as far apart as they are along any direction, so the normal
// that a pair was last measured with tells at once that it does not touch, for as long as its sides have not turned
// much. What is left out by this would have been measured in vain: results do not depend on which normal it was.
namespace plica {

// Whether the substep that begins is one of a crowd: by the state alone.
bool is_crowd(const ContactWorld& world, const ContactScratch& scratch);
// A change forgets what is known of pairs.
void set_crowded(bool crowded, ContactScratch& scratch);

// Tells how a pair's sides lie, and how it was found to face; zero: unknown.
void set_sides(std::size_t pair, const Vec3& facing, ContactScratch& scratch);

// Pairs without a row that may touch at p.
void find_facing(const ContactWorld& world, ContactScratch& scratch, std::vector<std::int32_t>& found);
// Pairs whose axes or faces may meet on the way from x to p.
void find_crossing(const ContactWorld& world, ContactScratch& scratch, std::vector<std::int32_t>& found);

// Is the pair, which was measured at the start of the substep, so near at p that it is worth a row?
bool is_near_now(const ContactWorld& world, const ContactScratch& scratch, std::size_t pair, const RowStart& start);

}  // namespace plica
