#include <algorithm>
#include <numeric>

#include "collision/find_pairs.hpp"

namespace plica {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// Sorts ids[first, last) so that groups of eight, and of groups, are neighbours: halves along the longest axis.
void sort_in_space(const Boxes& boxes, std::vector<std::int32_t>& ids, std::size_t first, std::size_t last) {
    if (last - first <= 8) return;
    const auto middle = [&](std::int32_t i, int axis) { return boxes.lo[axis][at(i)] + boxes.hi[axis][at(i)]; };
    int longest = 0;
    double length = -1.0;
    for (int axis = 0; axis < 3; ++axis) {
        double lo = middle(ids[first], axis);
        double hi = lo;
        for (std::size_t i = first; i < last; ++i) {
            lo = std::min(lo, middle(ids[i], axis));
            hi = std::max(hi, middle(ids[i], axis));
        }
        if (hi - lo > length) {
            longest = axis;
            length = hi - lo;
        }
    }
    const std::size_t half = ((last - first) / 2 + 7) / 8 * 8;
    const auto begin = ids.begin();
    using Step = std::vector<std::int32_t>::difference_type;
    std::nth_element(begin + static_cast<Step>(first), begin + static_cast<Step>(first + half),
                     begin + static_cast<Step>(last), [&](std::int32_t i, std::int32_t j) {
                         const double mi = middle(i, longest);
                         const double mj = middle(j, longest);
                         return mi != mj ? mi < mj : i < j;
                     });
    sort_in_space(boxes, ids, first, first + half);
    sort_in_space(boxes, ids, first + half, last);
}

// The order is found once: what is close on a body stays close when the body deforms. Answers do not depend on it.
void order_once(std::size_t count, DetectorScratch& s) {
    if (s.tree_order.size() == count + 8) return;
    s.tree_order.resize(count);
    std::iota(s.tree_order.begin(), s.tree_order.end(), 0);
    for (std::size_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (!(s.boxes.hi[k][i] - s.boxes.lo[k][i] < 1e9)) return;  // not finite: the order it has will do
        }
    }
    sort_in_space(s.boxes, s.tree_order, 0, count);
    s.tree_order.resize(count + 8);
}

BoxTree build_tree(std::size_t count, DetectorScratch& s) {
    order_once(count, s);
    s.levels.resize(at(most_levels));
    s.levels[0].resize(count);
    for (int k = 0; k < 4; ++k) {
        for (std::size_t i = 0; i < count; ++i) {
            s.levels[0].lo[k][i] = s.boxes.lo[k][at(s.tree_order[i])];
            s.levels[0].hi[k][i] = s.boxes.hi[k][at(s.tree_order[i])];
        }
    }
    const auto bound_level = PLICA_PICK_KERNEL(s.isa, bound_level);
    BoxTree tree{};
    tree.id = s.tree_order.data();
    int n = static_cast<int>(count);
    tree.level[0] = s.levels[0].arrays();
    for (tree.levels = 1; n > 8; ++tree.levels) {
        Boxes& upper = s.levels[at(tree.levels)];
        upper.resize(at((n + 7) / 8));
        bound_level(tree.level[tree.levels - 1], n, {upper.lo[0].data(), upper.lo[1].data(), upper.lo[2].data()},
                    {upper.hi[0].data(), upper.hi[1].data(), upper.hi[2].data()});
        tree.level[tree.levels] = upper.arrays();
        n = (n + 7) / 8;
    }
    return tree;
}

}  // namespace

std::int64_t find_pairs_bvh(const Surface& surface, std::span<const std::uint8_t> enabled,
                            std::span<const Vec3> positions, std::span<const double> margin, ThreadPool& pool,
                            DetectorScratch& scratch, std::vector<Pair>& found) {
    found.clear();
    if (surface.capsules.empty()) return 0;
    bound_primitives(surface, positions, margin, scratch);
    const BoxTree tree = build_tree(static_cast<std::size_t>(primitive_count(surface)), scratch);
    const auto find_in_tree = PLICA_PICK_KERNEL(scratch.isa, find_in_tree);
    return find_by_chunks(
        surface, enabled, positions, pool, scratch, found,
        [&](const Box& box, std::int32_t, std::int32_t* out) { return find_in_tree(tree, box, out); });
}

}  // namespace plica
