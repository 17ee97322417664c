#pragma once
#include "contact/respond.hpp"

// What is done to the batches of constraint rows: bin by bin side by side, then those that the bins share.
namespace plica {

// Gives last substep's multipliers to the prediction.
void apply_rows(const ContactWorld& world, ContactScratch& scratch);
// One measured pass, then linear passes over the rows of solids. Tells outcome.moved.
void pass_over_rows(ContactWorld& world, ContactScratch& scratch, bool solids_only);
// Shrinks penetrations that the passes left, without pressing what is beside them deeper.
void push_out_batches(const ContactWorld& world, ContactScratch& scratch);

}  // namespace plica
