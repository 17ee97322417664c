#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "bench/abuse/abuse_scene.hpp"
#include "core/random.hpp"
#include "geometry/vec3.hpp"
#include "plica/simulation.hpp"

// What hands do that nobody should: seeded, so that each can be done again.
namespace plica::bench {

enum class GestureKind : std::uint8_t {
    pull,   // the grab takes a node away
    shake,  // and to and fro
    drop,   // lifts it and lets go
    poke,   // the ball goes through
    pinch,  // ball and plate meet in it
    cross,  // they change places through it, and through each other
    stir,   // the plate turns in it
    flip,   // gravity changes its mind, up to three times as strong
    far     // the ball is sent to a place in millimetres, and 300 m away
};
inline constexpr std::array<const char*, 9> gesture_names{"pull",  "shake", "drop", "poke", "pinch",
                                                          "cross", "stir",  "flip", "far"};

struct Gesture {
    GestureKind kind = GestureKind::pull;
    double speed = 1.0;             // m/s, from 0.1 to 5
    std::size_t node = 0;           // it is aimed at
    Vec3 target;                    // m, where that is as it begins
    Vec3 direction;                 // unit
    Vec3 axis;                      // unit, of what turns
    std::array<Vec3, 3> gravity{};  // m/s^2, of `flip`
    double seconds = 0.0;           // until hands let go and go home

    [[nodiscard]] std::string describe() const;
};

// The scene's state is as the gesture will find it.
Gesture draw_gesture(const AbuseScene& scene, const Simulation& simulation, Random& random);

// The hands of the next step, t (s) after the gesture began.
void perform(const Gesture& gesture, double t, Simulation& simulation);

}  // namespace plica::bench
