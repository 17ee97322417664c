#pragma once
#include "contact/respond.hpp"

namespace plica {

// In contact radii: the deepest of the rows that carry what pushed groups press, directly or by way of others: tubes
// and sheets in each other, in solids or in the groups. Depths of solids in solids do not count: their rows are passed
// over until they hold. While the rows are there. Tells where groups are stopped by what stands, too.
double find_squeeze(const ContactWorld& world, ContactScratch& scratch);

}  // namespace plica
