#include "bench/abuse/gesture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulation/inside.hpp"

namespace plica::bench {
namespace {

constexpr double reach = 0.3;       // m, how far hands go
constexpr double get_there = 0.15;  // s, that tools have to where they begin
constexpr double longest = 1.2;     // s, of a gesture
constexpr double pi = 3.14159265358979323846;
constexpr Vec3 home_left{-0.1, 0, 0.4}, home_right{0.1, 0, 0.4};
constexpr Vec3 weight{0, 0, -9.81};

Vec3 draw_direction(Random& random) {
    for (;;) {
        const Vec3 v{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        const double square = squared_norm(v);
        if (square > 1e-2 && square < 1.0) return v * (1.0 / std::sqrt(square));
    }
}

bool uses_grab(GestureKind kind) {
    return kind == GestureKind::pull || kind == GestureKind::shake || kind == GestureKind::drop;
}

Vec3 place_of_grab(const Gesture& g, double t) {
    const double way = std::min(reach, g.speed * t);
    if (g.kind == GestureKind::shake) {
        const double turns = g.speed / (4.0 * 0.1) * t;  // 0.1 m to either side
        return g.target + g.direction * (0.1 * std::sin(2.0 * pi * turns));
    }
    if (g.kind == GestureKind::drop) return g.target + Vec3{0, 0, way};
    return g.target + g.direction * way;
}

// Where ball and plate are to be.
struct Places {
    Vec3 left = home_left, right = home_right, turn{};
};

Places places_of_tools(const Gesture& g, double t) {
    Places p;
    const double way = t < get_there ? 0.0 : std::min(2.0 * reach, g.speed * (t - get_there));
    const Vec3 from = g.target - g.direction * reach, to = g.target + g.direction * reach;
    switch (g.kind) {
        case GestureKind::poke:
            p.left = from + g.direction * way;
            break;
        case GestureKind::pinch:
            p.left = from + g.direction * std::min(way, reach);
            p.right = to - g.direction * std::min(way, reach);
            break;
        case GestureKind::cross:
            p.left = from + g.direction * way;
            p.right = to - g.direction * way;
            break;
        case GestureKind::stir:
            p.right = t < get_there ? from : g.target;
            p.turn = g.axis * std::fmod(g.speed / 0.025 * t, 50.0);  // its rim goes at the gesture's speed
            break;
        case GestureKind::far:
            p.left = t < 0.5 * g.seconds ? g.target * 1000.0 : g.direction * 300.0;
            break;
        default:
            break;
    }
    return p;
}

// Where a tool is, which may be far from where it was sent.
Vec3 place_of(const Simulation& simulation, const char* tool) {
    const BodyInfo& body = simulation.bodies()[simulation.body(tool)];
    Vec3 sum;
    for (std::size_t n = body.first_node; n < body.first_node + body.nodes; ++n) sum += to_vec(simulation.position(n));
    return sum * (1.0 / static_cast<double>(body.nodes));
}

// Hands that go home go away from what they did first, and then around it: what is in a hand's way is pressed for as
// long as it stands there. The next aim of a tool that is at `place`.
Vec3 way_home(const Gesture& g, const Vec3& place, const Vec3& home) {
    constexpr double away = 0.45, above = 0.38;  // m
    const Vec3 out = place - g.target;
    if (place.z > above) return home;
    if (norm(out) < away) return g.target + (norm(out) > 1e-3 ? normalized(out) : g.direction) * (1.1 * away);
    const Vec3 aside{out.x, out.y, 0.0};
    if (norm(aside) > 0.8 * away) return {place.x, place.y, home.z};
    return place + (norm(aside) > 1e-3 ? normalized(aside) : Vec3{1, 0, 0}) * away;
}

double duration(const Gesture& g) {
    switch (g.kind) {
        case GestureKind::flip:
            return 1.0;
        case GestureKind::far:
            return 0.3;
        case GestureKind::shake:
        case GestureKind::stir:
            return 0.8;
        case GestureKind::pull:
        case GestureKind::drop:
            return std::min(longest, reach / g.speed + 0.2);
        default:
            return std::min(longest, get_there + 2.0 * reach / g.speed + 0.2);
    }
}

}  // namespace

std::string Gesture::describe() const {
    return fmt::format("{} at {:.2f} m/s", gesture_names[static_cast<std::size_t>(kind)], speed);
}

Gesture draw_gesture(const AbuseScene& scene, const Simulation& simulation, Random& random) {
    Gesture g;
    g.kind = static_cast<GestureKind>(random.next() % gesture_names.size());
    g.speed = 0.1 * std::pow(50.0, random.uniform());
    const BodyInfo& body = simulation.bodies()[simulation.body(scene.bodies[random.next() % scene.bodies.size()])];
    g.node = body.first_node + random.next() % body.nodes;
    g.target = to_vec(simulation.position(g.node));
    g.direction = draw_direction(random);
    g.axis = draw_direction(random);
    for (Vec3& gravity : g.gravity) gravity = draw_direction(random) * (9.81 * random.uniform(0.0, 3.0));
    g.seconds = duration(g);
    return g;
}

void perform(const Gesture& g, double t, Simulation& simulation) {
    const bool acts = t < g.seconds;
    const std::size_t grab = simulation.tool(abuse_grab), left = simulation.tool(abuse_left),
                      right = simulation.tool(abuse_right);
    if (uses_grab(g.kind)) {
        if (acts && t == 0.0) simulation.hold(grab, g.node);
        if (acts) simulation.move(grab, to_point(place_of_grab(g, t)));
        if (!acts) simulation.release(grab);
    }
    Places places;
    if (acts) {
        places = places_of_tools(g, t);
    } else {
        places.left = way_home(g, place_of(simulation, abuse_left), home_left);
        places.right = way_home(g, place_of(simulation, abuse_right), home_right);
    }
    simulation.move(left, to_point(places.left));
    simulation.move(right, to_point(places.right));
    simulation.turn(right, to_point(places.turn));
    const bool flips = acts && g.kind == GestureKind::flip;
    simulation.set_gravity(
        to_point(flips ? g.gravity[std::min<std::size_t>(2, static_cast<std::size_t>(3.0 * t))] : weight));
}

}  // namespace plica::bench
