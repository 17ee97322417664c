#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "collision/tree/build.hpp"
#include "collision/tree/cone.hpp"
#include "collision/tree/leaves.hpp"

// Patches: subtrees of the bounding volume hierarchy that are refitted as one.
namespace plica {

// The roots of patches: volumes whose subtrees are refitted as one (the paper's update nodes).
//
// The narrowest parent of two roots becomes the root in their place, until there are few enough or none is narrower
// than `cap`. Of equally narrow ones the smaller goes first.
std::vector<std::int32_t> place_patches(const TreeShape& shape, std::span<const Cone> cones, std::size_t wanted,
                                        double cap);
// All volumes of one level, and the leaves above it (Larsson and Akenine-Moeller 2001).
std::vector<std::int32_t> place_patches_at(const TreeShape& shape, std::int32_t level);

// What is remembered of patches between refits.
struct Patches {
    std::vector<std::int32_t> volume;  // the root
    std::vector<std::int32_t> end;     // one past its last volume
    std::vector<std::int32_t> body;
    std::vector<std::int32_t> first;  // corners, in the arrays below; one more than patches
    std::vector<std::int32_t> node;   // of each corner
    std::vector<double> x, y, z;      // m: corners at the last refit, in the frame of the body
    std::vector<double> margin;       // m: how far corners may move from there
    std::vector<double> turn;         // rad: how far normals may turn
    std::vector<double> sine;         // of the turn
    std::vector<double> granted;      // rad: least turn, by what the patch used before
    std::vector<double> altitude;     // m: the smallest of its triangles at the last refit
    std::vector<double> margin_left;  // m: how far nodes could go from where they were seen before it must be refitted

    [[nodiscard]] std::size_t size() const { return volume.size(); }
    [[nodiscard]] Vec3 corner(std::int32_t place) const {
        const auto i = static_cast<std::size_t>(place);
        return {x[i], y[i], z[i]};
    }
    void set_corner(std::int32_t place, const Vec3& at) {
        const auto i = static_cast<std::size_t>(place);
        x[i] = at.x;
        y[i] = at.y;
        z[i] = at.z;
    }
};

// Adds a patch with the corners of these leaves (first .. last - 1), and tells them their places.
void add_patch(Patches& patches, const TreeShape& shape, std::int32_t root, std::int32_t body, std::span<Leaf> leaves);

}  // namespace plica
