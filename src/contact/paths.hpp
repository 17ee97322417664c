#pragma once
#include "contact/respond.hpp"
#include "core/index.hpp"

// Culling of candidate pairs by motion bounds: a lower bound of every gap, kept as the path that its two sides may yet
// go.
namespace plica {

// Brings the paths up to where the nodes are now, and the list of near pairs with them.
void follow_paths(const ContactWorld& world, ContactScratch& scratch);

// Pairs that may touch by where the nodes are now, or meet, which takes that much more: f(pair) in order.
template <class MoreFor, class Visit>
void for_each_due(const ContactWorld& world, ContactScratch& scratch, const MoreFor& more, const Visit& visit) {
    follow_paths(world, scratch);
    for (const std::int32_t i : scratch.near.pairs) {
        const double gone =
            scratch.paths.now[at(scratch.pairs.owner_a[at(i)])] + scratch.paths.now[at(scratch.pairs.owner_b[at(i)])];
        if (scratch.pairs.due[at(i)] + more(at(i)) <= gone) visit(i);
    }
}

}  // namespace plica
