#include <epoxy/gl.h>

#include <algorithm>

#include "render/colour_map.hpp"
#include "render/layers/pass.hpp"
#include "render/organ_surface.hpp"

namespace plica::render {
namespace {

constexpr int most_cuts = 4;
constexpr std::size_t most_triangles = 60000;  // after cutting: a fine mesh needs no curving
constexpr double touched = 0.06;               // reach of a light touch, of the organ's size

gl::Object make_map_texture() {
    return gl::make_repeating_texture(ColourMap::size, 1, ColourMap().texels().data());
}

// m, of the box around it at rest
Vec3 extent_of(const Organ& organ) {
    Vec3 lo = organ.rest.front(), hi = lo;
    for (const Vec3& p : organ.rest) {
        lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
        hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
    }
    return hi - lo;
}

// The way an instrument was brushed: along it.
Vec3 longest_axis(const Vec3& extent) {
    if (extent.x >= extent.y && extent.x >= extent.z) return {1, 0, 0};
    return extent.y >= extent.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
}

void set_colours(const TissueColours& colours, gl::Program& program) {
    program.set("deep_colour", colours.deep);
    program.set("warm_colour", colours.warm);
    program.set("pale_colour", colours.pale);
    program.set("scatter_colour", colours.scatter);
    program.set("grain_size", colours.stretch, colours.grain);
}

}  // namespace

struct OrganLayer::OnGpu {
    explicit OnGpu(const Organ& organ)
        : look(organ.look),
          open(organ.open),
          brushed(longest_axis(extent_of(organ))),
          first_node(*std::min_element(organ.nodes.begin(), organ.nodes.end())),
          last_node(*std::max_element(organ.nodes.begin(), organ.nodes.end())),
          surface(organ),
          nodes(gl::make_node_texture(2 * surface.vertices.size())),
          rest(gl::make_node_texture(surface.vertices.size())),
          triangles(gl::make_triangle_texture(surface.triangles)) {
        std::vector<float> places;
        for (const std::int32_t node : surface.nodes) {
            const Vec3& p = organ.rest[static_cast<std::size_t>(node)];
            for (const double v : {p.x, p.y, p.z, 0.0}) places.push_back(static_cast<float>(v));
        }
        gl::fill_node_texture(rest, places.data(), surface.vertices.size());
    }
    Look look;
    bool open;
    Vec3 brushed;                        // unit, at rest
    std::int32_t first_node, last_node;  // of the world: a body's are in one range
    OrganSurface surface;
    gl::Object nodes, rest, triangles;
};

OrganLayer::OrganLayer(const Drawing& drawing) : m_map(make_map_texture()) {
    for (const Organ& organ : drawing.organs) {
        m_organs.emplace_back(organ);
        const double size = norm(extent_of(organ));
        double& largest = is_rigid(organ.look) ? m_rigid_size : m_size;
        largest = std::max(largest, size);
    }
    for (int cuts = 1; cuts <= most_cuts && !m_organs.empty(); ++cuts) m_patches.emplace_back(make_patch(cuts));
}

OrganLayer::~OrganLayer() = default;

void OrganLayer::choose_field(const Drawing& drawing, const Frame& frame, const Style& style) {
    m_field = FieldKind::none;
    if (field_for(style.colour) == FieldKind::none || frame.field.empty() || m_organs.empty()) return;
    m_values.clear();
    for (const Organ& organ : drawing.organs) {
        if (is_rigid(organ.look)) continue;  // plain, whatever is shown
        for (const std::int32_t n : organ.nodes) {
            if (static_cast<std::size_t>(n) < frame.field.size()) {
                m_values.push_back(frame.field[static_cast<std::size_t>(n)]);
            }
        }
    }
    m_field = frame.field_kind;  // what the frame has is what is shown, and what the legend says
    m_field_name = frame.field_name;
    m_field_unit = frame.field_unit;
    m_scale.update(m_field, m_values, style.field_max);
}

void OrganLayer::update(const Drawing& drawing, const Frame& frame, const Style& style, DrawReport& report) {
    choose_field(drawing, frame, style);
    std::size_t triangles = 0;
    for (std::size_t i = 0; i < m_organs.size(); ++i) {
        OnGpu& organ = m_organs[i];
        organ.surface.update(drawing.organs[i], frame.positions);
        if (m_field != FieldKind::none && !is_rigid(organ.look)) {
            organ.surface.set_field(drawing.organs[i], frame.field, m_scale.range());
        }
        report.bytes += gl::fill_node_texture(organ.nodes, organ.surface.vertices.front().position,
                                              2 * organ.surface.vertices.size());
        triangles += organ.surface.triangles.size();
    }
    m_cuts = std::clamp(style.detail.sides / 8, 1, most_cuts);
    while (m_cuts > 1 && triangles * static_cast<std::size_t>(m_cuts * m_cuts) > most_triangles) --m_cuts;
}

gl::Program& OrganLayer::program(const Pass& pass, Look look) {
    if (pass.depth_only) return m_depth;
    if (look == Look::bone) return pass.variant(m_bone);
    if (look == Look::steel) return pass.variant(m_steel);
    return pass.variant(m_field != FieldKind::none ? m_coloured : m_tissue);
}

// What an organ by itself needs of the program that draws it.
void OrganLayer::set_organ(const Pass& pass, const OnGpu& organ, std::span<const Vec3> positions,
                           gl::Program& program) {
    program.use();
    set_light(pass, program);
    program.set("nodes", free_unit);
    program.set("triangles", free_unit + 1);
    program.set("rest", free_unit + 2);
    gl::bind_texture(free_unit, GL_TEXTURE_2D, organ.nodes);
    gl::bind_texture(free_unit + 1, GL_TEXTURE_2D, organ.triangles);
    gl::bind_texture(free_unit + 2, GL_TEXTURE_2D, organ.rest);
    if (pass.depth_only) return;
    const std::int32_t node = pass.style.highlight;
    const bool touches = node >= organ.first_node && node <= organ.last_node &&
                         static_cast<std::size_t>(node) < positions.size();  // a light touch stays on one organ
    program.set("highlighted", touches ? positions[static_cast<std::size_t>(node)] : Vec3{},
                touches ? touched * size() : 0.0);
    program.set("colour_map", free_unit + 3);
    gl::bind_texture(free_unit + 3, GL_TEXTURE_2D, m_map);
    program.set("brushed", organ.brushed);
    program.set("plain", m_field != FieldKind::none ? 1.0F : 0.0F);
    if (!is_rigid(organ.look)) set_colours(colours_of(organ.look), program);
}

void OrganLayer::draw(const Pass& pass, std::span<const Vec3> positions, DrawReport& report, bool only_coloured) {
    if (m_organs.empty()) return;
    const bool lines = pass.style.wireframe && !pass.depth_only;
    glCullFace(GL_BACK);
    for (const OnGpu& organ : m_organs) {
        if (only_coloured && is_rigid(organ.look)) continue;
        set_organ(pass, organ, positions, program(pass, organ.look));
        organ.open ? glDisable(GL_CULL_FACE) : glEnable(GL_CULL_FACE);
        // Lines show the mesh as it is.
        const gl::Mesh& patch = m_patches[static_cast<std::size_t>(lines ? 0 : m_cuts - 1)];
        report.triangles += patch.draw(lines, organ.surface.triangles.size());
        ++report.draw_calls;
    }
    glDisable(GL_CULL_FACE);
}

}  // namespace plica::render
