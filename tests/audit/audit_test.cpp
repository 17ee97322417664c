#include "audit/audit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "audit/crossing.hpp"
#include "audit/separation.hpp"
#include "core/error.hpp"
#include "core/random.hpp"

namespace plica::audit {
namespace {

constexpr double pi = 3.14159265358979323846;

Capsule capsule(int a, int b, double radius, int body, int chain = -1, int column = 0) {
    return {a, b, radius, body, chain, column, 0, false};
}

std::vector<Vec3> joined(std::vector<Vec3> first, const std::vector<Vec3>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

StepFindings at_rest(const Surface& surface, const std::vector<Vec3>& x, int bodies = 2) {
    return Audit(surface, x, bodies).examine(joined(x, x), 1);
}

TEST(Audit, TubesThatPassThroughEachOther) {
    const Surface tubes{{capsule(0, 1, 0.01, 0), capsule(2, 3, 0.01, 1)}, {}};
    const auto frame = [](double z) { return std::vector<Vec3>{{-0.1, 0, 0}, {0.1, 0, 0}, {0, -0.1, z}, {0, 0.1, z}}; };
    Audit audit(tubes, frame(0.1), 2);
    EXPECT_EQ(audit.examine(joined(frame(0.1), frame(-0.1)), 1).pass_throughs, 1);
    EXPECT_EQ(audit.examine(joined(frame(0.1), frame(-0.1)), 1).worst, 0.0);  // out on the other side
    EXPECT_EQ(audit.examine(joined(frame(0.1), frame(0.001)), 1).pass_throughs, 0);
    EXPECT_NEAR(audit.examine(joined(frame(0.1), frame(0.005)), 1).worst, 1.5, 1e-12);
    const auto to_and_fro = joined(joined(frame(0.1), frame(-0.1)), joined(frame(-0.2), frame(0.1)));
    EXPECT_EQ(audit.examine(to_and_fro, 3).pass_throughs, 2);
    EXPECT_EQ(audit.examine(joined(joined(frame(0.1), frame(0.0)), frame(-0.1)), 2).pass_throughs, 1);
    EXPECT_NEAR(audit.examine(joined(joined(frame(0.1), frame(0.015)), frame(0.1)), 2).worst, 0.5, 1e-12);
}

TEST(Audit, EventsAndNotStates) {
    // An axis through a triangle: the same place all along is no event, coming in is one, and so is leaving.
    const Surface surface{{capsule(0, 1, 0.01, 0)}, {{2, 3, 4, 0.001, 1, -1, 0, 0}}};
    const auto frame = [](double z) {
        return std::vector<Vec3>{{0, 0, z}, {0.01, 0, z + 0.2}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    };
    Audit audit(surface, frame(0.1), 2);
    const auto inside = audit.examine(joined(joined(frame(-0.1), frame(-0.08)), frame(-0.12)), 2);
    EXPECT_EQ(inside.pass_throughs, 0);
    EXPECT_EQ(inside.worst, 2.0);
    EXPECT_EQ(inside.worst_a, 0);
    EXPECT_EQ(inside.worst_b, 1);
    EXPECT_EQ(audit.examine(joined(joined(frame(0.1), frame(-0.08)), frame(-0.3)), 2).pass_throughs, 2);
    EXPECT_EQ(audit.examine(joined(frame(0.1), frame(-0.3)), 1).pass_throughs, 1);  // a pair counts once in a substep
    // Two with a common node are not tested for crossing.
    const Surface hinged{{capsule(0, 1, 0.01, 0), capsule(1, 2, 0.01, 1)}, {}};
    const std::vector<Vec3> open{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, folded{{0, 0, 0}, {1, 0, 0}, {0, -1, 0}};
    EXPECT_EQ(Audit(hinged, open, 2).examine(joined(open, folded), 1).pass_throughs, 0);
}

// A tube of 10 mm radius: legs of 0.1 m and a half circle of the given radius between them.
StepFindings u_turn(double radius) {
    Surface surface;
    std::vector<Vec3> x;
    for (int i = 30; i > 0; --i) x.push_back({radius, i * 0.1 / 30, 0});
    for (int i = 0; i <= 10; ++i) x.push_back({radius * std::cos(i * pi / 10), -radius * std::sin(i * pi / 10), 0});
    for (int i = 1; i <= 30; ++i) x.push_back({-radius, i * 0.1 / 30, 0});
    for (int i = 0; i < 70; ++i) surface.capsules.push_back(capsule(i, i + 1, 0.01, 0, 0, i));
    return at_rest(surface, x);
}

TEST(Audit, TubeIsNoNeighbourOfItself) {
    std::vector<Vec3> line;
    Surface chained;
    for (int i = 0; i <= 100; ++i) line.push_back({i * 0.003, 0, 0});
    for (int i = 0; i < 100; ++i) chained.capsules.push_back(capsule(i, i + 1, 0.01, 0, 0, i));
    Surface loose = chained;
    for (Capsule& c : loose.capsules) c.chain = -1;
    EXPECT_EQ(at_rest(chained, line).worst, 0.0);
    EXPECT_EQ(at_rest(chained, line).touching, 0);
    EXPECT_EQ(at_rest(loose, line).worst, 2.0);  // negative control
    EXPECT_EQ(u_turn(0.0105).worst, 0.0);
    EXPECT_NEAR(u_turn(0.008).worst, 0.4, 1e-9);  // negative control: the legs are 16 mm apart
}

TEST(Audit, NeighbourRuleToTheColumn) {
    // Segments of 3 mm and a radius of 10 mm: ceil(pi 10 / 3) = 11. The capsule's own `exclude` is not believed.
    const std::vector<Vec3> x{{0, 0, -0.0015},     {0, 0, 0.0015},     {0.005, 0, -0.0015}, {0.005, 0, 0.0015},
                              {-0.01, -0.01, 0.0}, {0.01, -0.01, 0.0}, {0.0, 0.02, 0.0}};
    for (int column = 30; column <= 70; ++column) {
        Surface pair{{capsule(0, 1, 0.01, 0, 0, 50), capsule(2, 3, 0.002, 0, 0, column)}, {}};
        EXPECT_EQ(at_rest(pair, x).touching, std::abs(column - 50) > 11 ? 1 : 0) << column;
        EXPECT_EQ(Audit(pair, x, 1).examines(0, 1), std::abs(column - 50) > 11) << column;
        Surface hung{{capsule(0, 1, 0.01, 0, 0, 50)}, {{4, 5, 6, 0.001, 1, 0, column, column}}};
        EXPECT_EQ(at_rest(hung, x).worst, column < 50 - 11 || column > 51 + 11 ? 2.0 : 0.0) << column;
        hung.capsules[0].exempt = true;
        EXPECT_EQ(at_rest(hung, x).worst, 0.0) << column;
        hung.triangles[0].chain = 1;  // of another chain: columns and exemption mean nothing
        EXPECT_EQ(at_rest(hung, x).worst, 2.0) << column;
        EXPECT_TRUE(Audit(hung, x, 2).examines(0, 1)) << column;
        hung.triangles[0].a = 0;  // a common node
        EXPECT_FALSE(Audit(hung, x, 2).examines(0, 1)) << column;
    }
}

// Two triangles of sheets: a corner through a face, and an edge over an edge.
TEST(Audit, SheetsThatPassThroughEachOther) {
    Surface sheets{{}, {{0, 1, 2, 0.002, 0, 0, 0, 0, true}, {3, 4, 5, 0.002, 1, 1, 0, 0, true}}};
    const auto corner = [](double z) {
        return std::vector<Vec3>{{-1, -1, 0}, {1, -1, 0},         {0, 1, 0},
                                 {0, 0, z},   {0.05, 0.1, z + 1}, {-0.05, 0.1, z + 1}};
    };
    const auto edge = [](double z) {  // only the edges 0-1 and 3-4 come close
        return std::vector<Vec3>{{-1, 0, 0}, {1, 0, 0}, {0, 0.1, -1}, {0.1, -1, z}, {0, 1, z}, {0.05, 0, z + 1}};
    };
    const auto passes = [&](const auto& frame) {
        const auto way = joined(joined(frame(0.1), frame(-0.1)), joined(frame(-0.12), frame(0.1)));
        Audit audit(sheets, frame(0.1), 2);
        const int count = audit.examine(way, 3).pass_throughs;
        for (const auto& pair : audit.crossings()) EXPECT_EQ(pair, (std::array<std::int32_t, 2>{0, 1}));
        return count;
    };
    EXPECT_EQ(passes(corner), 2);
    EXPECT_EQ(passes(edge), 2);
    EXPECT_NEAR(at_rest(sheets, corner(0.003)).worst, 0.5, 1e-12);
    EXPECT_NEAR(at_rest(sheets, edge(0.003)).worst, 0.5, 1e-12);
    EXPECT_EQ(at_rest(sheets, edge(0.0041)).worst, 0.0);
    EXPECT_EQ(at_rest(sheets, edge(0.003)).touching, 1);
    // Of one chain, as close at rest as a U-turn is long (2 pi mm): not examined.
    for (Triangle& t : sheets.triangles) t.chain = 0;
    Audit near(sheets, edge(0.0062), 2);
    EXPECT_EQ(near.examine(joined(edge(0.0062), edge(-0.1)), 1).pass_throughs, 0);
    Audit far(sheets, edge(0.0064), 2);
    EXPECT_EQ(far.examine(joined(edge(0.0064), edge(-0.1)), 1).pass_throughs, 1);
    // Others are not looked at triangle by triangle.
    for (Triangle& t : sheets.triangles) t.sheet = false;
    EXPECT_EQ(passes(corner), 0);
    sheets.triangles[0].sheet = true;  // both must
    EXPECT_EQ(passes(edge), 0);
}

// A corner on a tube, and an edge along one, are the tube's business.
TEST(Audit, TubesAtTheHemOfASheet) {
    const Surface sheet{{capsule(0, 1, 0.004, 0, 0)},
                        {{0, 1, 2, 0.002, 0, 0, 0, 1, true}, {3, 4, 5, 0.002, 1, 1, 0, 0, true}}};
    const std::vector<Vec3> x{{-1, 0, 0.0035}, {1, 0, 0.0035}, {0, 0.1, 1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    const StepFindings found = at_rest(sheet, x);
    EXPECT_EQ(found.touching, 1);
    EXPECT_NEAR(found.worst, 0.0025 / 0.003, 1e-12);  // of the tube, not of the hem: (6 - 3.5) mm over 3 mm
    Surface bare = sheet;
    bare.capsules.clear();
    EXPECT_NEAR(at_rest(bare, x).worst, 0.25, 1e-12);  // the hem's
}

TEST(Audit, SphereInATube) {
    const Surface surface{{capsule(0, 1, 0.01, 0), capsule(2, 2, 0.005, 1)}, {}};
    const StepFindings found = at_rest(surface, {{0, 0, 0}, {0.1, 0, 0}, {0.05, 0.004, 0}});
    EXPECT_NEAR(found.worst, 0.011 / 0.0075, 1e-12);  // (10 + 5 - 4) mm over half of 15 mm
    EXPECT_EQ(found.touching, 1);
    EXPECT_EQ(at_rest(surface, {{0, 0, 0}, {0.1, 0, 0}, {0.05, 0.0155, 0}}).worst, 0.0);
}

TEST(Audit, TouchingIsCountedByBodies) {
    const Surface surface{{capsule(0, 1, 0.01, 0), capsule(2, 3, 0.02, 1), capsule(4, 4, 0.01, 2)},
                          {{5, 6, 7, 0.002, 2, -1, 0, 0}}};
    const auto frame = [](double factor) {
        const double z = -factor * 0.012;
        return std::vector<Vec3>{
            {-1, 0, 0}, {1, 0, 0},   {-1, factor * 0.03, 0}, {1, factor * 0.03, 0}, {5, 5, 5}, {-1, -1, z},
            {1, -1, z}, {0, 0.01, z}};
    };
    Audit audit(surface, frame(2.0), 3);
    EXPECT_EQ(audit.examine(joined(frame(2.0), frame(1.01)), 1).touching, 2);
    EXPECT_EQ(audit.touching(0, 1), 1);
    EXPECT_EQ(audit.touching(2, 0), 1);
    EXPECT_EQ(audit.touching(1, 2) + audit.touching(0, 0) + audit.touching(1, 1) + audit.touching(2, 2), 0);
    EXPECT_EQ(audit.examine(joined(frame(1.0), frame(1.03)), 1).touching, 0);
    EXPECT_EQ(audit.touching(0, 1), 0);
    EXPECT_EQ(audit.examine(joined(joined(frame(1.03), frame(1.01)), frame(1.03)), 2).touching, 0);  // only at the end
}

// ---- every pair at every substep, without a broad phase

struct Cloud {
    Surface surface;
    std::vector<Vec3> trail;
    int nodes, substeps;
};

Cloud random_cloud(Random& random, int parts, int substeps, double speed, double room) {
    Cloud cloud{{}, {}, 6 * parts, substeps};
    const auto spread = [&random](double half) {
        const double x = random.uniform(-half, half), y = random.uniform(-half, half);
        return Vec3{x, y, random.uniform(-half, half)};
    };
    for (int i = 0; i < parts; ++i) {
        const int n = 6 * i;
        const bool sphere = i % 7 == 0, hung = room < 2.0 && i % 5 == 0;  // on a node of a capsule
        cloud.surface.capsules.push_back(capsule(n, sphere ? n : n + 1, random.uniform(0.01, 0.06), i % 3));
        cloud.surface.triangles.push_back({hung ? n : n + 2, n + 3, n + 4, random.uniform(0.0, 0.02), i % 3, -1, 0, 0});
        const Vec3 c = spread(1.0), t = spread(1.0);  // the room is long or flat
        const Vec3 corners[] = {c, c + spread(0.2), t, t + spread(0.2), t + spread(0.2), t};
        for (const Vec3& x : corners) cloud.trail.push_back({x.x, x.y, room * x.z});
    }
    for (int i = 0; i < substeps * cloud.nodes; ++i) {
        const Vec3 x = cloud.trail[cloud.trail.size() - static_cast<std::size_t>(cloud.nodes)];
        cloud.trail.push_back(x + spread(speed));
    }
    return cloud;
}

StepFindings examine_all(const Cloud& cloud) {
    StepFindings found;
    const auto& capsules = cloud.surface.capsules;
    const auto record = [&found](double gap, double sum, bool last) {
        found.worst = std::max(found.worst, (sum - gap) / (0.5 * sum));
        found.touching += last && gap < 1.02 * sum;
    };
    for (int s = 0; s < cloud.substeps; ++s) {
        const Vec3* from = cloud.trail.data() + s * cloud.nodes;
        const Vec3* to = from + cloud.nodes;
        const auto path = [from, to](int n) { return Path{from[n], to[n]}; };
        const bool last = s + 1 == cloud.substeps;
        for (std::size_t i = 0; i < capsules.size(); ++i) {
            const Capsule& p = capsules[i];
            for (std::size_t j = i + 1; j < capsules.size(); ++j) {
                const Capsule& q = capsules[j];
                record(separation(Edge{to[p.a], to[p.b]}, Edge{to[q.a], to[q.b]}), p.radius + q.radius, last);
                found.pass_throughs += edges_cross(path(p.a), path(p.b), path(q.a), path(q.b));
            }
            for (const Triangle& t : cloud.surface.triangles) {
                record(separation(Edge{to[p.a], to[p.b]}, Face{to[t.a], to[t.b], to[t.c]}), p.radius + t.half_thickness,
                       last);
                if (t.a == p.a) continue;
                found.pass_throughs += edge_crosses_face(path(p.a), path(p.b), path(t.a), path(t.b), path(t.c));
            }
        }
    }
    return found;
}

TEST(Audit, SameAsEveryPair) {
    Random random{7};
    int events = 0, touching = 0, shallow = 0;
    for (int i = 0; i < 120; ++i) {
        const double speed = i % 4 == 0 ? 0.3 : i % 4 == 1 ? 0.02 : i % 4 == 2 ? 0.001 : 0.0;
        const Cloud cloud = random_cloud(random, 20 + i % 40, 1 + i % 6, speed, i % 3 == 0 ? 0.1 : 10.0);
        const std::span<const Vec3> rest(cloud.trail.data(), static_cast<std::size_t>(cloud.nodes));
        Audit audit(cloud.surface, rest, 3);
        for (int again = 0; again < 2; ++again) {  // what one step leaves must not reach the next
            const StepFindings found = audit.examine(cloud.trail, cloud.substeps), all = examine_all(cloud);
            ASSERT_DOUBLE_EQ(found.worst, all.worst);
            ASSERT_EQ(found.pass_throughs, all.pass_throughs);
            ASSERT_EQ(found.touching, all.touching);
            int by_bodies = 0;
            for (int a = 0; a < 3; ++a)
                for (int b = a; b < 3; ++b) by_bodies += audit.touching(a, b);
            ASSERT_EQ(by_bodies, found.touching);
            events += found.pass_throughs;
            touching += found.touching;
            shallow += found.worst > 0.0 && found.worst < 1.9;
        }
    }
    EXPECT_GT(events, 1000);
    EXPECT_GT(touching, 500);
    EXPECT_GT(shallow, 20);  // not all clouds end in a pierced triangle
}

TEST(Audit, RefusesWhatItCannotJudge) {
    const Surface surface{{capsule(0, 1, 0.01, 0)}, {}};
    std::vector<Vec3> x{{0, 0, 0}, {1, 0, 0}};
    Audit audit(surface, x, 1);
    EXPECT_THROW(audit.examine(x, 1), Error);
    EXPECT_THROW(audit.examine(x, 0), Error);
    EXPECT_THROW((void)audit.touching(0, 1), Error);
    EXPECT_THROW(Audit(surface, x, 0), Error);
    EXPECT_THROW(Audit(Surface{{capsule(0, 2, 0.01, 0)}, {}}, x, 1), Error);
    EXPECT_EQ(Audit(Surface{}, x, 0).examine(joined(x, x), 1).touching, 0);
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        std::vector<Vec3> trail = joined(x, x);
        trail[3].y = bad;
        try {
            audit.examine(trail, 1);
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.status(), Status::invalid);
        }
    }
}

}  // namespace
}  // namespace plica::audit
