#pragma once
#include "contact/respond.hpp"

namespace plica {

// Shrinks penetrations that the passes over the rows left, without pressing what is beside them deeper.
void push_out_batches(const ContactWorld& world, ContactScratch& scratch);

}  // namespace plica
