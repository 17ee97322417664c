#include "contact/paths.hpp"

#include <algorithm>

#include "contact/near.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

constexpr std::size_t a_piece = 2048;  // nodes or owners, eights of them

// Per owner, how far its nodes are from the start of the substep at most, plus what it went before. Returns by how much
// this has grown at most since the near pairs were listed.
double compute_paths(const ContactWorld& world, ContactScratch& scratch) {
    const std::size_t nodes = world.p.size();
    const Vec3 common = mean_displacement(world.x, world.p);
    scratch.paths.node_travel.resize(padded(nodes));
    for_pieces(scratch, nodes, a_piece, [&](std::size_t begin, std::size_t end) {
        scratch.kernels.compute_node_travel(&world.x[begin].x, &world.p[begin].x, {common.x, common.y, common.z},
                                            static_cast<int>(end - begin), scratch.paths.node_travel.data() + begin);
    });
    scratch.paths.travel.resize(scratch.paths.path.size());
    scratch.paths.now.resize(scratch.paths.path.size());
    const auto& node = scratch.paths.owners.node;
    const std::size_t owners = scratch.paths.path.size();
    scratch.paths.grown.assign((owners + a_piece - 1) / a_piece, 0.0);
    for_pieces(scratch, owners, a_piece, [&](std::size_t begin, std::size_t end) {
        const PathArrays arrays{scratch.paths.node_travel.data(),
                                {node[0].data() + begin, node[1].data() + begin, node[2].data() + begin},
                                scratch.paths.path.data() + begin,
                                scratch.near.listed_path.data() + begin,
                                static_cast<int>(end - begin)};
        scratch.paths.grown[begin / a_piece] = scratch.kernels.compute_paths(
            arrays, scratch.paths.travel.data() + begin, scratch.paths.now.data() + begin);
    });
    double grown = 0.0;
    for (const double each : scratch.paths.grown) grown = std::max(grown, each);
    return grown;
}

// Lists all pairs that are due now or will be while no owner goes further than some travels like the longest.
void list_due(ContactScratch& scratch) {
    constexpr double travels = 4.0;
    scratch.near.margin = travels * *std::max_element(scratch.paths.travel.begin(), scratch.paths.travel.end());
    scratch.near.listed_path.assign(scratch.paths.now.begin(), scratch.paths.now.end());
    scratch.near.pairs.resize(scratch.pairs.due.size());
    const DueArrays arrays{scratch.pairs.owner_a.data(), scratch.pairs.owner_b.data(), scratch.pairs.due.data(),
                           scratch.paths.now.data(), static_cast<int>(scratch.pairs.due.size())};
    const int found = scratch.kernels.find_due(arrays, 2.0 * scratch.near.margin, scratch.near.pairs.data());
    scratch.near.pairs.resize(static_cast<std::size_t>(found));
    // Padding is found as well when something is not finite.
    std::erase_if(scratch.near.pairs, [&](std::int32_t i) { return at(i) >= scratch.pairs.ends.size(); });
}

}  // namespace

void follow_paths(const ContactWorld& world, ContactScratch& scratch) {
    if (!(compute_paths(world, scratch) <= scratch.near.margin)) list_due(scratch);
}

void extend_paths(const ContactWorld& world, ContactScratch& scratch) {
    if (world.candidates.pairs.empty() || scratch.crowd.active) return;
    if (!scratch.paths.now_is_final) compute_paths(world, scratch);
    scratch.paths.now_is_final = false;
    scratch.paths.path.assign(scratch.paths.now.begin(), scratch.paths.now.end());
}

}  // namespace plica
