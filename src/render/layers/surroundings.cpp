#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "render/layers/pass.hpp"

namespace plica::render {
namespace {

constexpr double plane_extent = 3.0;   // of the camera's distance
constexpr double bowl_wall = 0.35;     // of its radius: as much of the wall on its rim is drawn
constexpr double grab_radius = 0.004;  // m
constexpr double rod_length = 0.40;    // m

Matrix stretched(const Vec3& radii, const Vec3& center) {
    return place({radii.x, 0, 0}, {0, radii.y, 0}, {0, 0, radii.z}, center);
}

// A rod from a point along a unit direction.
Matrix rod(const Vec3& from, const Vec3& along, double radius, double length) {
    const Vec3 x = any_perpendicular(along);
    return place(radius * x, radius * cross(along, x), length * along, from);
}

}  // namespace

SurroundingsLayer::SurroundingsLayer()
    : m_ball(make_ball(0.0, std::numbers::pi, 48, 96)),
      m_half_ball(make_ball(0.5 * std::numbers::pi, std::numbers::pi, 24, 96)),
      m_rod(make_tube(96)),
      m_square(make_square(32)),
      m_tile(Shape{4, {}, {0, 1, 2, 1, 3, 2}, {}}) {
    m_tile.add_instanced(m_marks, 0, 1, 16, 0);
}

void SurroundingsLayer::draw(gl::Program& program, const Pass& pass, const gl::Mesh& mesh, const Matrix& to_world,
                             const Vec3& inverse_radii, DrawReport& report) {
    program.use();
    set_light(pass, program);
    program.set("to_world", to_world);
    program.set("inverse_radii", inverse_radii);
    report.triangles += mesh.draw(false);
    ++report.draw_calls;
}

// Seen from outside, the near half is left out: we look into it.
void SurroundingsLayer::draw_solids(const Pass& pass, const Drawing& drawing, DrawReport& report) {
    gl::Program& cavity = pass.variant(m_cavity);
    gl::Program& plain = pass.variant(m_plain);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_BACK);
    for (const Wall& wall : drawing.walls) {
        const double r = wall.radii.x;
        const Vec3 squares{r * r, wall.radii.y * wall.radii.y, wall.radii.z * wall.radii.z};
        if (wall.kind == WallKind::ellipsoid) {
            draw(cavity, pass, m_ball, stretched(wall.radii, wall.center),
                 {-1.0 / squares.x, -1.0 / squares.y, -1.0 / squares.z}, report);
        } else if (wall.kind == WallKind::bowl) {
            plain.use();
            plain.set("tint", {0.50, 0.56, 0.58}, 0.6);
            plain.set("fade", wall.center, 1e3);
            draw(plain, pass, m_half_ball, stretched({r, r, r}, wall.center), {-1, -1, -1}, report);
            glCullFace(GL_FRONT);  // the tube's faces run the other way round
            draw(plain, pass, m_rod, rod(wall.center, {0, 0, 1}, r, bowl_wall * r), {-1, -1, -1}, report);
            glCullFace(GL_BACK);
        } else {
            const double extent = plane_extent * pass.reach;
            const Vec3 x = any_perpendicular(wall.normal), y = cross(wall.normal, x);
            plain.use();
            plain.set("tint", {0.25, 0.42, 0.42}, 0.1);
            plain.set("fade", wall.center, extent);
            glDisable(GL_CULL_FACE);
            draw(plain, pass, m_square, place(extent * x, extent * y, wall.normal, wall.center), {1, 1, 1}, report);
            glEnable(GL_CULL_FACE);
        }
    }
    glDisable(GL_CULL_FACE);
}

void SurroundingsLayer::draw_tools(const Pass& pass, const Drawing& drawing, const Frame& frame, DrawReport& report) {
    gl::Program& program = pass.depth_only ? m_depth : pass.variant(m_metal);
    for (std::size_t t = 0; t < drawing.tools.size() && t < frame.tools.size(); ++t) {
        const DrawnTool& tool = drawing.tools[t];
        const ToolPose& pose = frame.tools[t];
        if (!pose.present || tool.kind == ToolKind::rigid) continue;  // which has a shape of its own
        const bool ball = tool.kind == ToolKind::sphere;
        const std::int32_t node = ball ? tool.node : pose.node;
        if (node < 0 || static_cast<std::size_t>(node) >= frame.positions.size()) continue;
        const Vec3 tip = frame.positions[static_cast<std::size_t>(node)];
        const double r = ball ? tool.radius : 2.0 * grab_radius;
        const Vec3 along = normalized({0.25, -0.35, 1.0});
        draw(program, pass, m_ball, stretched({r, r, r}, tip), {1, 1, 1}, report);
        draw(program, pass, m_ball, stretched({grab_radius, grab_radius, grab_radius}, tip + rod_length * along),
             {1, 1, 1}, report);
        draw(program, pass, m_rod, rod(tip, along, grab_radius, rod_length), {1, 1, 1}, report);
    }
}

void SurroundingsLayer::draw_contacts(const Pass& pass, const Camera& camera, const Frame& frame, double size,
                                      DrawReport& report) {
    if (frame.contacts.empty()) return;
    m_mark_data.clear();
    for (const ContactMark& mark : frame.contacts) {
        const double share = std::clamp(std::sqrt(mark.force / 0.5), 0.3, 2.0);
        for (const double v : {mark.point.x, mark.point.y, mark.point.z, size * share}) {
            m_mark_data.push_back(static_cast<float>(v));
        }
    }
    report.bytes += m_marks.fill(m_mark_data.data(), m_mark_data.size() * sizeof(float));
    m_mark.use();
    m_mark.set("to_clip", pass.to_clip);
    m_mark.set("right", camera.right());
    m_mark.set("up", camera.up());
    m_mark.set("tint", {1.0, 0.85, 0.1}, 0.85);
    glDisable(GL_DEPTH_TEST);
    report.triangles += m_tile.draw(false, frame.contacts.size());
    ++report.draw_calls;
    glEnable(GL_DEPTH_TEST);
}

}  // namespace plica::render
