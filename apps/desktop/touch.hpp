#pragma once
#include <cstdint>

#include "engine/frame.hpp"
#include "render/camera.hpp"

namespace plica::desktop {

// The mouse at one moment. Places from (0, 0) at the picture's upper left to (1, 1) at its lower right.
struct Pointer {
    double x = 0.0, y = 0.0;
    bool left = false, middle = false, right = false;
    bool shift = false;
    double wheel = 0.0;  // notches since the last moment, forwards positive
    bool free = true;    // over the picture, not over a panel
};

// What the hand is to do.
struct HandWish {
    enum class Kind : std::uint8_t { none, hold, move, release, steer } kind = Kind::none;
    std::int32_t node = -1;
    Vec3 where;              // m
    std::int32_t tool = -1;  // steer: the rigid tool that goes there
};

// Turns what the mouse does into a hand that pulls and a camera that moves. Drag on a tube or an organ: pull, in the
// plane through the place of the grip parallel to the screen. Drag on a rigid tool: steer it, in the same way; where it
// is let go it stays. Right drag, or drag on empty space or on what is rigid and stands: orbit. Middle drag, or with
// shift: pan. Wheel: zoom.
class Touch {
public:
    HandWish update(const Pointer& pointer, double aspect, const render::Drawing& drawing, const Frame& frame,
                    render::Camera& camera);
    // The hand has let go for another reason than the mouse.
    void let_go();

    [[nodiscard]] bool is_pulling() const { return m_doing == Doing::pull; }
    // The node under the mouse or in the hand; -1: none.
    [[nodiscard]] std::int32_t node() const { return m_node; }
    // The rigid tool that the node belongs to; -1: none.
    [[nodiscard]] std::int32_t tool() const { return m_tool; }

private:
    enum class Doing : std::uint8_t { nothing, pull, orbit, pan };
    [[nodiscard]] Doing begin(const Pointer& pointer) const;
    void move_camera(const Pointer& pointer, double aspect, render::Camera& camera) const;

    Doing m_doing = Doing::nothing;
    std::int32_t m_node = -1, m_tool = -1;
    Vec3 m_grip;    // m, a point of the plane in which the hand moves
    Vec3 m_offset;  // m, from the place under the mouse to the hand's target
    Pointer m_last;
};

// Where the ray through a place of the picture meets the plane through `point` parallel to the screen.
Vec3 place_in_plane(const render::Camera& camera, double aspect, double x, double y, const Vec3& point);

}  // namespace plica::desktop
