#include <gtest/gtest.h>

#include "tests/collision/tree/first_contact.hpp"
#include "tests/collision/tree/tree_motion.hpp"

// The first contact of closed surfaces is among the pairs of a tree that culls by cones (docs/papers/johnsen.md).
namespace plica::testing {
namespace {

// A rugged ball: a star, so it does not cut itself.
SurfaceMesh make_rugged_ball(Random& random, int level) {
    SurfaceMesh mesh = make_icosphere(level, 1.0);
    const double rugged = random.uniform(0.1, 0.7);
    for (Vec3& x : mesh.nodes) x *= 1.0 - rugged * random.uniform();
    return mesh;
}

// A rugged bar along x, from -1 to 1.
SurfaceMesh make_rugged_bar(Random& random) {
    SurfaceMesh mesh = boundary_of(make_tetrahedral_block({-1, -0.15, -0.15}, {1, 0.15, 0.15}, {12, 2, 2}));
    for (Vec3& x : mesh.nodes) {
        const double a = random.uniform(-1, 1), b = random.uniform(-1, 1);
        x += Vec3{a, b, random.uniform(-1, 1)} * 0.03;
    }
    return mesh;
}

struct Tally {
    int contacts = 0, corners = 0, edges = 0;
    int missed = 0;
    int without_fans = 0;  // would have been culled by the cones of the two facets alone
    std::int64_t facet_pairs = 0;
};

Vec3 normal_of(const Surface& s, std::int32_t t, const std::vector<Vec3>& x) {
    const Triangle& triangle = s.triangles[static_cast<std::size_t>(t)];
    const Vec3 a = x[static_cast<std::size_t>(triangle.a)];
    return normalized(cross(x[static_cast<std::size_t>(triangle.b)] - a, x[static_cast<std::size_t>(triangle.c)] - a));
}

// The first triangle that has the feature, or the triangle itself.
std::int32_t facet_of(const Surface& s, std::int32_t primitive) {
    const auto capsules = static_cast<std::int32_t>(s.capsules.size());
    if (primitive >= capsules) return primitive - capsules;
    const Capsule& c = s.capsules[static_cast<std::size_t>(primitive)];
    for (std::size_t t = 0; t < s.triangles.size(); ++t) {
        const Triangle& d = s.triangles[t];
        const auto has = [&](std::int32_t n) { return d.a == n || d.b == n || d.c == n; };
        if (has(c.a) && has(c.b)) return static_cast<std::int32_t>(t);
    }
    return -1;
}

// Follows places given by time up to the first contact; true when there was one.
template <class Place>
bool follow_to_contact(const TreeScene& scene, const Place& place, int steps, Tally& tally) {
    TreeSettings settings;
    settings.margin = 0.02;
    SurfaceTree tree(scene.surface, scene.bodies, scene.rest, settings);
    std::vector<Vec3> x(scene.rest.size()), p(scene.rest.size());
    std::vector<Pose> start(scene.bodies.size()), end(scene.bodies.size());
    for (int i = 0; i < steps; ++i) {
        place(static_cast<double>(i) / steps, x, start);
        place((i + 1.0) / steps, p, end);
        const Meeting first = find_first_contact(scene.surface, x, p);
        if (i == 0 && first.time <= 1.0) return false;
        tree.update(x, p, start, end);
        if (first.time > 1.0) continue;
        ++tally.contacts;
        ++(first.b < static_cast<std::int32_t>(scene.surface.capsules.size()) ? tally.edges : tally.corners);
        tally.missed += count_missing({{first.a, first.b}}, tree.pairs());
        tally.facet_pairs += tree.counts().facet_pairs;
        std::vector<Vec3> then(x.size());
        for (std::size_t n = 0; n < x.size(); ++n) then[n] = x[n] + (p[n] - x[n]) * first.time;
        const Vec3 a = normal_of(scene.surface, facet_of(scene.surface, first.a), then);
        const Vec3 b = normal_of(scene.surface, facet_of(scene.surface, first.b), then);
        tally.without_fans += can_oppose({a, 0.0}, {b, 0.0}, 0.95 * std::numbers::pi) ? 0 : 1;
        return true;
    }
    return false;
}

bool bring_two_together(Random& random, bool rigid, Tally& tally) {
    TreeScene scene;
    const int level = random.uniform() < 0.8 ? 1 : 2;
    scene.add(make_rugged_ball(random, level), {true, false}, 0.0, true);
    scene.add(make_rugged_ball(random, level), {true, rigid}, 0.0, !rigid, draw_vector(random, 0.01));
    scene.finish();
    const Waves waves(random, 2.0, 0.08);
    const Vec3 from = normalized(draw_vector(random, 1.0)) * 2.6;
    const Vec3 by = draw_vector(random, 0.4), spin = draw_vector(random, 1.5);
    const auto place = [&](double t, std::vector<Vec3>& x, std::vector<Pose>& poses) {
        poses[1] = make_pose(spin * t, (from + by) * (1.0 - t) + by * t * 0.5);
        for (std::size_t n = 0; n < x.size(); ++n) {
            const Vec3& rest = scene.rest[n];
            if (scene.body_of[n] == 0) {
                x[n] = rest + waves.at(rest, t);
            } else {
                x[n] = apply(poses[1], rigid ? rest : rest + waves.at(rest, -t));
            }
        }
    };
    return follow_to_contact(scene, place, 24, tally);
}

// A bar that is bent into a ring with its ends passing each other closely.
bool bend_onto_itself(Random& random, Tally& tally) {
    TreeScene scene;
    scene.add(make_rugged_bar(random), {true, false}, 0.0, true);
    scene.finish();
    const double most = random.uniform(5.5, 9.0), side = random.uniform(-0.2, 0.2), twist = random.uniform(-1.0, 1.0);
    const auto place = [&](double way, std::vector<Vec3>& x, std::vector<Pose>&) {
        const double t = 0.4 + 0.6 * way;  // before that, nothing is near
        const double curvature = std::max(1e-3, 0.5 * most * t);
        for (std::size_t n = 0; n < x.size(); ++n) {
            const Vec3& r = scene.rest[n];
            const double c = std::cos(twist * t * r.x), s = std::sin(twist * t * r.x);
            const double y = c * r.y - s * r.z, z = s * r.y + c * r.z;
            const double radius = 1.0 / curvature - y, angle = r.x * curvature;
            x[n] = {radius * std::sin(angle), 1.0 / curvature - radius * std::cos(angle), z + side * t * r.x};
        }
    };
    return follow_to_contact(scene, place, 20, tally);
}

TEST(ConeLemma, NoFirstContactOfTwoBodiesIsCulled) {
    Random random{11};
    Tally tally;
    for (int i = 0; tally.contacts < 700 && i < 2000; ++i) bring_two_together(random, i % 3 == 0, tally);
    EXPECT_GE(tally.contacts, 700);
    EXPECT_GT(tally.corners, 100);
    EXPECT_GT(tally.edges, 100);
    EXPECT_EQ(tally.missed, 0);
    EXPECT_GT(tally.without_fans, tally.contacts / 2);
    std::printf("%d contacts (%d corners, %d edges), missed %d, without fans %d, facet pairs %lld\n", tally.contacts,
                tally.corners, tally.edges, tally.missed, tally.without_fans,
                static_cast<long long>(tally.facet_pairs / tally.contacts));
}

TEST(ConeLemma, NoFirstContactWithItselfIsCulled) {
    Random random{12};
    Tally tally;
    for (int i = 0; tally.contacts < 300 && i < 1000; ++i) bend_onto_itself(random, tally);
    EXPECT_GE(tally.contacts, 300);
    EXPECT_EQ(tally.missed, 0);
    EXPECT_GT(tally.without_fans, 0);
    std::printf("%d contacts (%d corners, %d edges), missed %d, without fans %d, facet pairs %lld\n", tally.contacts,
                tally.corners, tally.edges, tally.missed, tally.without_fans,
                static_cast<long long>(tally.facet_pairs / tally.contacts));
}

}  // namespace
}  // namespace plica::testing
