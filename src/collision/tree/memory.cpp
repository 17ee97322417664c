#include "collision/tree/surface_tree.hpp"
#include "core/index.hpp"

// What a tree remembers from one update to the next, as bytes.
namespace plica {
namespace {

template <class Part, class Archive>
void visit_patches(Part& patches, Archive& archive) {
    for (auto* each : {&patches.x, &patches.y, &patches.z, &patches.margin, &patches.turn, &patches.sine,
                       &patches.granted, &patches.altitude, &patches.margin_left}) {
        archive.fixed(*each);
    }
}

template <class Part, class Archive>
void visit_body(Part& body, Archive& archive) {
    for (auto* each : {&body.seen.x, &body.seen.y, &body.seen.z}) archive.fixed(*each);
    archive.value(body.margin_left);
    archive.number(body.start);
    archive.number(body.end);
}

// An index into so many.
auto below(std::size_t count) {
    return [count](std::int32_t i, const std::int32_t*) { return i >= 0 && at(i) < count; };
}

template <class Part, class Archive>
void visit_hierarchy(Part& tree, Archive& archive) {
    archive.flag(tree.warm);
    archive.numbers(tree.boxes);
    archive.numbers(tree.cones);
    for (auto& leaf : tree.leaves) archive.value(leaf.altitude);
    visit_patches(tree.patches, archive);
    for (auto& body : tree.bodies) visit_body(body, archive);
    archive.fixed(tree.marks.touched);
    archive.fixed(tree.marks.above);
    archive.list(tree.marks.ancestors, below(tree.marks.above.size()));
}

}  // namespace

template <class Self, class Archive>
void FanCones::visit(Self& self, Archive& archive) {
    for (auto& fit : self.m_fits) {
        archive.value(fit.cosine);
        archive.value(fit.extra);
        archive.value(fit.age);
    }
    archive.fixed(self.m_normals);
    archive.list(self.m_restless, below(self.m_fits.size()));
    archive.fixed(self.m_is_restless);
    archive.fixed(self.m_coned);
}

template <class Self, class Archive>
void LazyUpdate::visit(Self& self, Archive& archive) {
    archive.fixed(self.m_since);
    for (auto* each : {&self.m_half, &self.m_fan_half, &self.m_diameter}) archive.fixed(*each);
    archive.fixed(self.m_behind);
}

bool PairSearch::can_meet(const Hierarchy& tree, std::int32_t patch, std::int32_t other) const {
    const auto patches = static_cast<std::int32_t>(tree.patches.size());
    if (patch < 0 || patch >= patches || other < 0 || other >= patches) return false;
    const std::int32_t a = tree.patches.body[at(patch)], b = tree.patches.body[at(other)];
    return a == b || m_meeting_of[at(a) * tree.bodies.size() + at(b)] >= 0;
}

bool PairSearch::can_list(const Hierarchy& tree, const std::array<std::int32_t, 2>& pair) const {
    const auto primitives = static_cast<std::int32_t>(tree.patch_of_primitive.size());
    if (pair[0] < 0 || pair[1] <= pair[0] || pair[1] >= primitives) return false;
    return can_meet(tree, tree.patch_of_primitive[at(pair[0])], tree.patch_of_primitive[at(pair[1])]);
}

template <class Self, class Archive>
void PairSearch::visit(Self& self, const Hierarchy& tree, Archive& archive) {
    for (auto& meeting : self.m_meetings) {
        archive.number(meeting.at_a);
        archive.number(meeting.at_b);
        archive.value(meeting.margin);
        archive.flag(meeting.cull);
        archive.flag(meeting.expired);
    }
    using Two = std::array<std::int32_t, 2>;
    archive.list(self.m_facet_pairs,
                 [&](const Two& pair, const Two*) { return self.can_meet(tree, pair[0], pair[1]); });
    archive.list(self.m_pairs, [&](const Two& pair, const Two* before) {
        return self.can_list(tree, pair) && (before == nullptr || *before < pair);
    });
}

void SurfaceTree::save(ByteWriter& archive) const {
    visit_hierarchy(m_tree, archive);
    FanCones::visit(m_cones, archive);
    LazyUpdate::visit(m_lazy, archive);
    PairSearch::visit(m_search, m_tree, archive);
}

void SurfaceTree::load(ByteReader& archive) {
    visit_hierarchy(m_tree, archive);
    FanCones::visit(m_cones, archive);
    LazyUpdate::visit(m_lazy, archive);
    PairSearch::visit(m_search, m_tree, archive);
}

}  // namespace plica
