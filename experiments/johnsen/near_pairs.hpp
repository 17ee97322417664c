#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/surface.hpp"
#include "collision/tree/first_contacts.hpp"
#include "geometry/vec3.hpp"

// What a search for pairs must find: every two features of solids that are within their contact radii, by looking at
// all.
namespace plica::experiments {

using plica::FeaturePair;

// Those that may touch and are closer than their radii at the start, in the middle or at the end of the way from x to
// p; ascending. Distances are the audit's.
std::vector<FeaturePair> find_near_pairs(const Surface& surface, std::span<const Vec3> x, std::span<const Vec3> p);

// Those of `near` that are not in `listed`; both ascending.
std::vector<FeaturePair> find_unlisted(const std::vector<FeaturePair>& near, std::span<const FeaturePair> listed);

}  // namespace plica::experiments
