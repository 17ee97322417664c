#include <algorithm>
#include <numeric>

#include "collision/find_pairs.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

// Sorts ids[first, last) so that groups of eight, and of groups, are neighbours: halves along the longest axis.
template <class BoxIndex>
void sort_in_space(const Boxes& boxes, const BoxIndex& box, std::vector<std::int32_t>& ids, std::size_t first,
                   std::size_t last) {
    if (last - first <= 8) return;
    const auto middle = [&](std::int32_t i, int axis) {
        return boxes.lo[axis][at(box(i))] + boxes.hi[axis][at(box(i))];
    };
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
    sort_in_space(boxes, box, ids, first, first + half);
    sort_in_space(boxes, box, ids, first + half, last);
}

// The order is found once: what is close on a body stays close when the body deforms. Answers do not depend on it.
// box(i) is that of the i-th in the tree.
template <class BoxIndex>
void order_once(const Boxes& boxes, std::size_t count, const BoxIndex& box, std::vector<std::int32_t>& order) {
    if (order.size() == count + 8) return;
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    for (const std::int32_t i : order) {
        for (int k = 0; k < 3; ++k) {
            if (!(boxes.hi[k][at(box(i))] - boxes.lo[k][at(box(i))] < 1e9)) return;  // not finite: this order will do
        }
    }
    sort_in_space(boxes, box, order, 0, count);
    order.resize(count + 8);
}

// primitive(i): the i-th of `count` in the tree.
template <class Primitive>
BoxTree build_tree(const DetectorScratch& s, std::size_t count, const Primitive& primitive,
                   DetectorScratch::Tree& store) {
    std::vector<Boxes>& levels = store.levels;
    levels.resize(at(most_levels));
    levels[0].resize(count);
    store.id.resize(count + 8);
    order_once(s.boxes, count, primitive, store.order);
    for (std::size_t i = 0; i < count; ++i) store.id[i] = primitive(store.order[i]);
    for (int k = 0; k < 4; ++k) {
        for (std::size_t i = 0; i < count; ++i) {
            levels[0].lo[k][i] = s.boxes.lo[k][at(store.id[i])];
            levels[0].hi[k][i] = s.boxes.hi[k][at(store.id[i])];
        }
    }
    const auto bound_level = PLICA_PICK_KERNEL(s.isa, bound_level);
    BoxTree tree{};
    tree.id = store.id.data();
    int n = static_cast<int>(count);
    tree.level[0] = levels[0].arrays();
    for (tree.levels = 1; n > 8; ++tree.levels) {
        Boxes& upper = levels[at(tree.levels)];
        upper.resize(at((n + 7) / 8));
        bound_level(tree.level[tree.levels - 1], n, {upper.lo[0].data(), upper.lo[1].data(), upper.lo[2].data()},
                    {upper.hi[0].data(), upper.hi[1].data(), upper.hi[2].data()});
        tree.level[tree.levels] = upper.arrays();
        n = (n + 7) / 8;
    }
    return tree;
}

}  // namespace

BoxTree build_edge_tree(const DetectorView& view, DetectorScratch& scratch) {
    const Surface& surface = view.surface;
    const std::size_t count = at(surface.features.edges);
    const std::int32_t first = first_edge(surface);
    const auto searching = view.enabled.subspan(at(first));
    if (std::none_of(searching.begin(), searching.end(), [](std::uint8_t on) { return on != 0; })) return {};
    return build_tree(scratch, count, [first](std::int32_t i) { return first + i; }, scratch.edge_tree);
}

std::int64_t find_pairs_bvh(const DetectorView& view, std::span<const double> margin, ThreadPool& pool,
                            DetectorScratch& scratch, std::vector<Pair>& found) {
    const Surface& surface = view.surface;
    found.clear();
    if (surface.capsules.empty()) return 0;
    bound_primitives(surface, view.x, margin, scratch);
    const Searched searched(surface);
    const BoxTree tree =
        build_tree(scratch, at(searched.count), [&](std::int32_t i) { return searched.primitive(i); }, scratch.tree);
    const BoxTree edges = build_edge_tree(view, scratch);
    const std::int32_t first = first_edge(surface);
    const auto find_in_tree = PLICA_PICK_KERNEL(scratch.isa, find_in_tree);
    return find_by_chunks(view, pool, scratch, found, [&](const Box& box, std::int32_t a, std::int32_t* out) {
        return find_in_tree(a < first ? tree : edges, box, out);
    });
}

}  // namespace plica
