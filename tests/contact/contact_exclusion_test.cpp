#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/contact/contacts.hpp"

namespace plica::testing {
namespace {

// Which parts of one tube may touch.

constexpr double pi = 3.14159265358979323846;

Built straight_rope(int segments) {
    SceneDescription scene = rope_scene(4.0, segments);
    scene.bodies[0].rope.radius = 0.02;
    scene.contact.enabled = true;
    return build_scene(scene, 1);
}

std::size_t count_contacts(const Surface& surface, const std::vector<Vec3>& x) {
    ThreadPool pool(1);
    DetectorScratch scratch;
    std::vector<Pair> found;
    const std::vector<std::uint8_t> enabled(surface.capsules.size(), 1);
    find_pairs_brute({surface, enabled, x}, std::vector<double>(x.size(), 0.0), pool, scratch, found);
    return found.size();
}

// The point at arc length s of two straight legs and a half turn of this radius between them, from s = 0 on.
Vec3 on_u_turn(double s, double radius) {
    if (s < 0.0) return {-radius, s, 0};
    if (s > pi * radius) return {radius, pi * radius - s, 0};
    return {-radius * std::cos(s / radius), radius * std::sin(s / radius), 0};
}

// Nodes with equal chords h along the turn, as a rope at rest has them; one of them at arc length `first`.
std::vector<Vec3> bend_rope(int segments, double h, double first, double radius) {
    double s = first - 0.5 * segments * h;
    std::vector<Vec3> x{on_u_turn(s, radius)};
    while (x.size() <= at(segments)) {
        const auto reached = [&](double t) { return distance(on_u_turn(t, radius), x.back()) >= h; };
        double hi = s + h;
        while (!reached(hi)) hi += 1e-3 * h;
        double lo = hi - 1e-3 * h;
        for (int k = 0; k < 50; ++k) (reached(0.5 * (lo + hi)) ? hi : lo) = 0.5 * (lo + hi);
        s = hi;
        x.push_back(on_u_turn(s, radius));
    }
    return x;
}

TEST(Exclusion, ByArcLength) {
    const std::vector<std::pair<int, int>> table{{50, 1}, {100, 2}, {200, 4}, {400, 7}, {800, 13}};
    for (const auto& [segments, exclude] : table) {
        SCOPED_TRACE(segments);
        const Built built = straight_rope(segments);
        const auto& capsules = built.model.surface.capsules;
        ASSERT_EQ(capsules.size(), static_cast<std::size_t>(segments));
        for (const Capsule& c : capsules) ASSERT_EQ(c.exclude, exclude);
        EXPECT_EQ(count_contacts(built.model.surface, built.state.x), 0u);
        const double h = 4.0 / segments;
        for (int phase = 0; phase < 40; ++phase) {
            const std::vector<Vec3> x = bend_rope(segments, h, phase / 40.0 * h, 0.021);
            EXPECT_EQ(count_contacts(built.model.surface, x), 0u) << "phase " << phase;
        }
        // In a turn that is too tight the legs overlap.
        EXPECT_GT(count_contacts(built.model.surface, bend_rope(segments, h, 0.0, 0.018)), 0u);
    }
}

}  // namespace
}  // namespace plica::testing
