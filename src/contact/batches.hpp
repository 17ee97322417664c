#pragma once
#include "contact/respond.hpp"

// From candidate pairs to batches of constraint rows, and back.
namespace plica {

// The nodes as the kernels see them. v: Raghupathi's response only.
RowNodes row_nodes(const ContactWorld& world, std::span<Vec3> v = {});

// Can contact do anything about the pair? What is led and what stands only certify looks at, such as two jaws at their
// hinge. (Of pairs with a solid: rows of others always had their places in batches.)
inline bool is_moved(const RowEnds& ends) {
    return ends.moving != 0 || !ends.solid;
}

// No batch is in use any more.
void end_rows(ContactScratch& scratch);

// Batches for the pairs that carry load, in the order of their indices, measured at the start of the substep.
void begin_batches(const ContactWorld& world, ContactScratch& scratch);

// Adds the pairs that may touch by where the nodes are now and that no batch has yet.
void extend_batches(const ContactWorld& world, ContactScratch& scratch);

// What the batches know goes back to the pairs; they are empty afterwards.
void end_batches(ContactWorld& world, ContactScratch& scratch);

// Pairs whose axes or faces may meet on the way from x to p, by what is known of them.
void find_close_pairs(const ContactWorld& world, ContactScratch& scratch, std::vector<std::int32_t>& close);

}  // namespace plica
