#include "collision/tree/surface_tree.hpp"

#include <algorithm>

#include "collision/tree/margins.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

constexpr std::size_t facets_per_patch = 16;
constexpr double patch_cap = 0.5 * std::numbers::pi;  // rad: opening of a patch's cone
constexpr std::size_t frame_sample = 256;             // nodes

// Cones of the facets' own normals, to place patches by.
std::vector<Cone> bound_normals(const TreeShape& shape, const Facets& facets) {
    std::vector<Cone> cones(shape.size());
    for (std::size_t i = shape.size(); i-- > 0;) {
        const Vec3& n = facets.normal[at(shape.facet[at(shape.first[i])])];
        cones[i] = shape.right[i] != 0 ? merge(cones[i + 1], cones[at(shape.right[i])]) : Cone{n, 0.0};
    }
    return cones;
}

void append(TreeShape& all, const TreeShape& shape, std::span<const std::int32_t> triangles) {
    const auto volumes = static_cast<std::int32_t>(all.size());
    const auto leaves = static_cast<std::int32_t>(all.facet.size());
    for (std::size_t i = 0; i < shape.size(); ++i) {
        all.right.push_back(shape.right[i] == 0 ? 0 : shape.right[i] + volumes);
        all.parent.push_back(shape.parent[i] < 0 ? -1 : shape.parent[i] + volumes);
        all.first.push_back(shape.first[i] + leaves);
        all.last.push_back(shape.last[i] + leaves);
        all.level.push_back(shape.level[i]);
    }
    for (const std::int32_t f : shape.facet) all.facet.push_back(triangles[at(f)]);
}

}  // namespace

SurfaceTree::SurfaceTree(const Surface& surface, std::span<const TreeBody> bodies, std::span<const Vec3> rest,
                         const TreeSettings& settings)
    : m_surface(surface),
      m_settings(settings),
      m_limit(settings.update == TreeUpdate::margins ? cone_limit - 2.0 * turn_margin : cone_limit) {
    const std::vector<Built> built = build_bodies(bodies, rest);
    m_leaves = make_leaves(surface, m_shape.facet);
    m_fans = find_fans(m_leaves, rest.size());
    number_leaves();
    for (std::size_t b = 0; b < bodies.size(); ++b) add_patches(b, built[b]);
    answer_for_primitives();
    introduce_bodies();
    reserve();
    for (Body& body : m_bodies) {
        if (body.rigid) place_rigid(body, rest);
    }
    m_counts.updates = 0;
}

std::vector<SurfaceTree::Built> SurfaceTree::build_bodies(std::span<const TreeBody> bodies,
                                                          std::span<const Vec3> rest) {
    std::vector<std::vector<std::int32_t>> triangles(bodies.size());
    for (std::size_t t = 0; t < m_surface.triangles.size(); ++t) {
        const Triangle& triangle = m_surface.triangles[t];
        if (triangle.sheet) triangles[at(triangle.body)].push_back(static_cast<std::int32_t>(t));
    }
    std::vector<Built> built(bodies.size());
    BuildCounts counts;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        Body body{bodies[b].closed, bodies[b].rigid};
        std::vector<std::array<std::int32_t, 3>> nodes;
        for (const std::int32_t t : triangles[b]) {
            const Triangle& triangle = m_surface.triangles[at(t)];
            nodes.push_back({triangle.a, triangle.b, triangle.c});
            body.own = body.own || triangle.own;
        }
        built[b].facets = make_facets(std::move(nodes), rest);
        built[b].shape = build_tree(built[b].facets, m_settings.builder, counts);
        body.margin = m_settings.margin > 0.0 ? m_settings.margin : 0.1 * built[b].facets.mean_edge;
        body.first_volume = static_cast<std::int32_t>(m_shape.size());
        append(m_shape, built[b].shape, triangles[b]);
        body.last_volume = static_cast<std::int32_t>(m_shape.size());
        m_bodies.push_back(std::move(body));
    }
    m_counts.heap_operations = counts.heap_operations;
    return built;
}

void SurfaceTree::number_leaves() {
    for (std::size_t i = 0; i < m_shape.size(); ++i) {
        if (m_shape.right[i] == 0) m_leaves[at(m_shape.first[i])].volume = static_cast<std::int32_t>(i);
    }
    m_boxes.resize(m_shape.size());
    m_cones.resize(m_shape.size());
    m_patch_of.assign(m_shape.size(), -1);
    m_marked.assign(m_shape.size(), 0);
    m_normals.resize(m_leaves.size());
    m_is_restless.assign(m_leaves.size(), 0);
    m_fits.resize(m_leaves.size());
}

std::vector<std::int32_t> SurfaceTree::choose_roots(const Body& body, const Built& built) const {
    const TreeShape& shape = built.shape;
    if (body.rigid) return {0};
    if (m_settings.update == TreeUpdate::larsson || m_settings.update == TreeUpdate::half_depth) {
        return place_patches_at(shape, (*std::max_element(shape.level.begin(), shape.level.end()) + 1) / 2);
    }
    const std::size_t wanted = std::max<std::size_t>(1, built.facets.size() / facets_per_patch);
    const double cap = m_settings.update == TreeUpdate::margins ? patch_cap : 2.0 * std::numbers::pi + 1.0;
    return place_patches(shape, bound_normals(shape, built.facets), wanted, cap);
}

void SurfaceTree::add_patches(std::size_t b, const Built& built) {
    Body& body = m_bodies[b];
    body.first_patch = body.last_patch = static_cast<std::int32_t>(m_patches.size());
    if (built.shape.size() == 0) return;
    for (const std::int32_t root : choose_roots(body, built)) {
        const std::int32_t volume = body.first_volume + root;
        const std::span<Leaf> leaves = std::span(m_leaves).subspan(
            at(m_shape.first[at(volume)]), at(m_shape.last[at(volume)] - m_shape.first[at(volume)]));
        add_patch(m_patches, m_shape, volume, static_cast<std::int32_t>(b), leaves);
        const auto patch = static_cast<std::int32_t>(m_patches.size()) - 1;
        std::fill(m_patch_of.begin() + volume, m_patch_of.begin() + m_patches.end[at(patch)], patch);
        m_counts.patches += body.rigid ? 0 : 1;
    }
    body.last_patch = static_cast<std::int32_t>(m_patches.size());
    const std::size_t first = at(m_shape.first[at(body.first_volume)]);
    sample_frame(body, std::span(m_leaves).subspan(first, built.facets.size()));
    list_nodes(body);
}

void SurfaceTree::list_nodes(Body& body) const {
    if (body.rigid) return;
    std::vector<std::int32_t>& node = body.seen.node;
    node.assign(m_patches.node.begin() + m_patches.first[at(body.first_patch)], m_patches.node.end());
    std::sort(node.begin(), node.end());
    node.erase(std::unique(node.begin(), node.end()), node.end());
    while (node.size() % 8 != 0) node.push_back(node[0]);
    for (auto* each : {&body.seen.x, &body.seen.y, &body.seen.z}) each->resize(node.size());
}

// A frame may follow the body in any way, as long as the same one is used throughout: the mean of some nodes will do.
void SurfaceTree::sample_frame(Body& body, std::span<const Leaf> leaves) const {
    const std::size_t stride = std::max<std::size_t>(1, leaves.size() / frame_sample);
    for (std::size_t l = 0; l < leaves.size(); l += stride) body.sample.push_back(leaves[l].node[0]);
}

// Its one patch is where it was at rest, in its own frame, for ever.
void SurfaceTree::place_rigid(Body& body, std::span<const Vec3> rest) {
    for (std::int32_t u = body.first_patch; u < body.last_patch; ++u) {
        for (std::int32_t i = m_patches.first[at(u)]; i < m_patches.first[at(u) + 1]; ++i) {
            m_patches.set_corner(i, rest[at(m_patches.node[at(i)])]);
            include(body.rest, rest[at(m_patches.node[at(i)])]);
        }
        m_patches.turn[at(u)] = turn_margin;
        publish_normals(at(u), true);
        refit_boxes(body.first_volume, body.last_volume, 0.0);
    }
    refit_cones();
    std::fill(m_touched.begin(), m_touched.end(), std::uint8_t{0});
}

void SurfaceTree::answer_for_primitives() {
    m_patch_of_primitive.assign(static_cast<std::size_t>(primitive_count(m_surface)), -1);
    for (const Leaf& leaf : m_leaves) {
        m_patch_of_primitive[m_surface.capsules.size() + at(leaf.triangle)] = leaf.patch;
        for (int k = 0; k < 3; ++k) {
            if (leaf.corner_feature[k] >= 0) m_patch_of_primitive[at(leaf.corner_feature[k])] = leaf.patch;
            if (leaf.edge_feature[k] >= 0) m_patch_of_primitive[at(leaf.edge_feature[k])] = leaf.patch;
        }
    }
}

// Every two bodies meet, whether they are near or not.
void SurfaceTree::introduce_bodies() {
    m_meeting_of.assign(m_bodies.size() * m_bodies.size(), -1);
    for (std::size_t a = 0; a < m_bodies.size(); ++a) {
        for (std::size_t b = a + 1; b < m_bodies.size(); ++b) {
            if (m_bodies[a].sample.empty() || m_bodies[b].sample.empty()) continue;
            const auto number = static_cast<std::int32_t>(m_meetings.size());
            m_meeting_of[a * m_bodies.size() + b] = m_meeting_of[b * m_bodies.size() + a] = number;
            Meeting meeting{static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)};
            if (m_bodies[a].rigid) std::swap(meeting.a, meeting.b);
            m_meetings.push_back(meeting);
        }
    }
}

void SurfaceTree::reserve() {
    m_counts.volumes = static_cast<int>(m_shape.size());
    m_touched.assign(m_patches.size(), 0);
    m_coned.assign(m_patches.size(), 0);
    m_ancestors.reserve(m_shape.size());
    m_restless.reserve(m_leaves.size());
    m_stack.reserve(4096);
    for (auto* each : {&m_facet_pairs, &m_pairs, &m_found, &m_merged}) each->reserve(16 * m_leaves.size());
    if (m_settings.update != TreeUpdate::margins) {
        m_since.resize(m_patches.node.size());
        m_half.assign(m_patches.size(), std::numbers::pi);
        m_fan_half = m_half;
        m_diameter.assign(m_patches.size(), 0.0);
        m_behind.assign(m_patches.size(), 0);
    }
}

int SurfaceTree::depth() const {
    const auto deepest = std::max_element(m_shape.level.begin(), m_shape.level.end());
    return deepest == m_shape.level.end() ? 0 : *deepest + 1;
}

Bounds SurfaceTree::box(std::int32_t volume) const {
    for (const Body& body : m_bodies) {
        if (volume >= body.first_volume && volume < body.last_volume) return moved(body.end, m_boxes[at(volume)]);
    }
    return {};
}

Cone SurfaceTree::cone(std::int32_t volume) const {
    Cone cone = m_cones[at(volume)];
    for (const Body& body : m_bodies) {
        if (volume >= body.first_volume && volume < body.last_volume) cone.axis = turn(body.end, cone.axis);
    }
    return cone;
}

double SurfaceTree::candidates_per_corner() const {
    return static_cast<double>(m_pairs.size()) / std::max(1.0, static_cast<double>(m_surface.features.corners));
}

}  // namespace plica
