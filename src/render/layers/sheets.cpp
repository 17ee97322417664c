#include <epoxy/gl.h>

#include <algorithm>

#include "render/layers/pass.hpp"
#include "render/sheet_surface.hpp"
#include "render/vessels.hpp"

namespace plica::render {
namespace {

constexpr int most_sheet_cuts = 4;

// How long the root is beside the organ, from the places of the nodes alone: columns have one place along the organ.
double root_share(const Sheet& sheet) {
    double longest = 1e-6;
    for (const auto& place : sheet.place) longest = std::max(longest, static_cast<double>(place[0]));
    return std::clamp(sheet.root_length / longest, 0.03, 1.0);
}

}  // namespace

struct SheetLayer::OnGpu {
    explicit OnGpu(const Sheet& sheet)
        : surface(sheet),
          nodes(gl::make_node_texture(2 * sheet.nodes.size())),
          triangles(gl::make_triangle_texture(sheet.triangles)),
          vessels(draw_vessels(sheet.width, root_share(sheet))),
          web(gl::make_repeating_texture(vessels.width, vessels.height, vessels.texels.data())) {
        for (int cuts = 1; cuts <= most_sheet_cuts; ++cuts) {
            patches.emplace_back(make_patch(cuts));
            patches.back().add_instanced_int(order, 1);
        }
        vessels.texels = {};
    }
    SheetSurface surface;
    gl::Object nodes, triangles;
    Vessels vessels;
    gl::Object web;
    gl::Stream order;
    std::vector<gl::Mesh> patches;
};

SheetLayer::SheetLayer(const Drawing& drawing) {
    for (const Sheet& sheet : drawing.sheets) m_sheets.emplace_back(sheet);
}

SheetLayer::~SheetLayer() = default;

void SheetLayer::update(const Drawing& drawing, std::span<const Vec3> positions, const Vec3& eye, const Detail& detail,
                        DrawReport& report) {
    m_cuts = std::clamp(detail.sides / 8, 1, most_sheet_cuts);
    for (std::size_t i = 0; i < m_sheets.size(); ++i) {
        OnGpu& sheet = m_sheets[i];
        sheet.surface.update(drawing.sheets[i], positions, eye);
        report.bytes +=
            gl::fill_node_texture(sheet.nodes, sheet.surface.nodes.front().position, 2 * sheet.surface.nodes.size());
        report.bytes += sheet.order.fill(sheet.surface.order.data(), sheet.surface.order.size() * sizeof(std::int32_t));
    }
}

void SheetLayer::draw(const Pass& pass, const Drawing& drawing, DrawReport& report) {
    gl::Program& program = pass.depth_only ? m_depth : pass.variant(m_program);
    for (std::size_t i = 0; i < m_sheets.size(); ++i) {
        const OnGpu& sheet = m_sheets[i];
        const Sheet& drawn = drawing.sheets[i];
        gl::bind_texture(free_unit, GL_TEXTURE_2D, sheet.nodes);
        gl::bind_texture(free_unit + 1, GL_TEXTURE_2D, sheet.triangles);
        gl::bind_texture(free_unit + 2, GL_TEXTURE_2D, sheet.web);
        program.use();
        set_light(pass, program);
        program.set("nodes", free_unit);
        program.set("triangles", free_unit + 1);
        program.set("seen_from", pass.eye);
        program.set("half_thickness", static_cast<float>(drawn.half_thickness));
        if (!pass.depth_only) {
            program.set("vessels", free_unit + 2);
            program.set("vessel_scale", static_cast<float>(1.0 / sheet.vessels.period),
                        static_cast<float>(1.0 / drawn.width));
        }
        const gl::Mesh& patch = sheet.patches[static_cast<std::size_t>(m_cuts - 1)];
        report.triangles += patch.draw(pass.style.wireframe && !pass.depth_only, sheet.surface.order.size());
        ++report.draw_calls;
    }
}

}  // namespace plica::render
