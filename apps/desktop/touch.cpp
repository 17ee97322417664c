#include "apps/desktop/touch.hpp"

#include <algorithm>
#include <cmath>

#include "render/pick.hpp"

namespace plica::desktop {
namespace {

constexpr double turn = 3.5;                       // rad, across the picture's height
constexpr double steepest = 1.55;                  // rad, short of the pole
constexpr double zoom = 0.9;                       // a notch
constexpr double nearest = 0.02, farthest = 20.0;  // m

}  // namespace

Vec3 place_in_plane(const render::Camera& camera, double aspect, double x, double y, const Vec3& point) {
    const render::Ray ray = render::ray_through(camera, aspect, x, y);
    const Vec3 forward = camera.forward();
    const double depth = dot(point - ray.origin, forward) / dot(ray.direction, forward);
    return ray.origin + ray.direction * depth;
}

Touch::Doing Touch::begin(const Pointer& pointer) const {
    if (!pointer.free) return Doing::nothing;
    const bool pressed = pointer.left && !m_last.left;
    if (pointer.middle && !m_last.middle) return Doing::pan;
    if (pressed && pointer.shift) return Doing::pan;
    if (pressed) return m_node >= 0 ? Doing::pull : Doing::orbit;
    return pointer.right && !m_last.right ? Doing::orbit : Doing::nothing;
}

void Touch::move_camera(const Pointer& pointer, double aspect, render::Camera& camera) const {
    const double dx = (pointer.x - m_last.x) * aspect, dy = pointer.y - m_last.y;  // in heights of the picture
    if (m_doing == Doing::orbit) {
        camera.azimuth -= turn * dx;
        camera.elevation = std::clamp(camera.elevation + turn * dy, -steepest, steepest);
    } else if (m_doing == Doing::pan) {
        const double height = 2.0 * camera.distance * std::tan(0.5 * camera.field);  // m, at the target
        camera.target += camera.up() * (height * dy) - camera.right() * (height * dx);
    }
    if (pointer.free && pointer.wheel != 0.0) {
        camera.distance = std::clamp(camera.distance * std::pow(zoom, pointer.wheel), nearest, farthest);
    }
}

void Touch::let_go() {
    if (m_doing == Doing::pull) m_doing = Doing::nothing;
}

HandWish Touch::update(const Pointer& pointer, double aspect, const render::Drawing& drawing, const Frame& frame,
                       render::Camera& camera) {
    HandWish wish;
    const auto under_mouse = [&] { return place_in_plane(camera, aspect, pointer.x, pointer.y, m_grip); };
    if (m_doing == Doing::nothing) {
        const auto picked = pointer.free ? render::pick(drawing, frame.positions,
                                                        render::ray_through(camera, aspect, pointer.x, pointer.y))
                                         : std::nullopt;
        const bool known = picked && (picked->tool < 0 || static_cast<std::size_t>(picked->tool) < frame.tools.size());
        const bool moves = known && (!picked->rigid || picked->tool >= 0);  // a bone stays where it is
        m_node = moves ? picked->node : -1;
        m_tool = moves ? picked->tool : -1;
        m_doing = begin(pointer);
        if (m_doing == Doing::pull && m_tool >= 0) {
            m_grip = picked->point;
            m_offset = frame.tools[static_cast<std::size_t>(m_tool)].handle - under_mouse();
        } else if (m_doing == Doing::pull) {
            m_grip = picked->point;
            const Vec3 node = frame.positions[static_cast<std::size_t>(m_node)];
            m_offset = node - under_mouse();
            wish = {HandWish::Kind::hold, m_node, node, -1};
        }
    } else if (m_doing == Doing::pull && m_tool >= 0) {
        if (pointer.left) wish = {HandWish::Kind::steer, -1, under_mouse() + m_offset, m_tool};
    } else if (m_doing == Doing::pull) {
        wish = {pointer.left ? HandWish::Kind::move : HandWish::Kind::release, m_node, under_mouse() + m_offset, -1};
    }
    move_camera(pointer, aspect, camera);
    if (!pointer.left && !pointer.middle && !pointer.right) m_doing = Doing::nothing;
    m_last = pointer;
    return wish;
}

}  // namespace plica::desktop
