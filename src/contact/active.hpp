#pragma once
#include "contact/respond.hpp"

// Which pairs are worth measuring, and how they are measured within a substep.
namespace plica {

double contact_radii(const Surface& surface, const Pair& pair);

// How far each primitive has gone in this substep.
void compute_travel(const ContactWorld& world, ContactScratch& scratch);
// The substep is over: what was travelled belongs to the paths.
void extend_paths(const ContactWorld& world, ContactScratch& scratch);

// False only when the pair carries nothing and cannot touch.
inline bool is_active(const ContactWorld& world, const ContactScratch& scratch, std::size_t index) {
    const Pair& pair = world.candidates.pairs[index];
    const auto a = static_cast<std::size_t>(pair.a);
    const auto b = static_cast<std::size_t>(pair.b);
    return pair.push > 0.0 ||
           scratch.bound[index] <= scratch.path[a] + scratch.path[b] + scratch.travel[a] + scratch.travel[b];
}

// The pair at the start of the substep, and what is kept of it.
struct StartContact {
    Contact contact;
    ContactScratch::Start start;
};
StartContact measure_start(const ContactWorld& world, ContactScratch& scratch, const Pair& pair);

// The same, measured on first use.
const ContactScratch::Start& start_of(const ContactWorld& world, ContactScratch& scratch, std::size_t index);

// The pair where it is now, on the side it was on when the substep began.
Contact measure_moved(const ContactWorld& world, ContactScratch& scratch, const Pair& pair,
                      const ContactScratch::Start& start);

}  // namespace plica
