#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/random.hpp"
#include "render/intersections.hpp"
#include "render/moving_frame.hpp"
#include "render/skin.hpp"

namespace plica::render {
namespace {

constexpr double degree = std::numbers::pi / 180.0;

Vec3 random_vector(Random& random) {
    const double x = random.uniform(-1.0, 1.0);
    const double y = random.uniform(-1.0, 1.0);
    return {x, y, random.uniform(-1.0, 1.0)};
}

void copy(const Vec3& from, float* to) {
    to[0] = static_cast<float>(from.x);
    to[1] = static_cast<float>(from.y);
    to[2] = static_cast<float>(from.z);
}

// Frames on a circle of radius 1 about the origin, in the plane z = 0; the normal points away from its centre.
AxisFrame circle_frame(double angle, double radius, double half_length) {
    AxisFrame f{};
    copy({std::cos(angle), std::sin(angle), 0.0}, f.position);
    copy({-std::sin(angle), std::cos(angle), 0.0}, f.tangent);
    copy({std::cos(angle), std::sin(angle), 0.0}, f.normal);
    f.radius = static_cast<float>(radius);
    f.half_length = static_cast<float>(half_length);
    return f;
}

struct Cell {
    AxisFrame from, to;
};

Cell circle_cell(double turn, double radius, double part_of_arc) {
    return {circle_frame(0.0, radius, part_of_arc * turn), circle_frame(turn, radius, 0.0)};
}

// R3, E19.
TEST(Skin, WeightIsThePapers) {
    EXPECT_EQ(skin_weight(0.0), 1.0);
    EXPECT_EQ(skin_weight(0.5), 0.5);
    EXPECT_NEAR(skin_weight(0.5 - 1e-12), 0.5, 1e-11);
    EXPECT_EQ(skin_weight(1.0), 0.0);
    EXPECT_EQ(skin_weight_slope(0.0), 0.0);
    EXPECT_NEAR(skin_weight_slope(0.5), -2.0, 1e-12);
    EXPECT_NEAR(skin_weight_slope(0.5 - 1e-12), -2.0, 1e-11);
    EXPECT_EQ(skin_weight_slope(1.0), 0.0);
    double asymmetry = 0.0, wrong_slope = 0.0;
    for (int i = 1; i < 1000; ++i) {
        const double z = i / 1000.0, h = 1e-6;
        EXPECT_LT(skin_weight(z), skin_weight(z - 0.001));
        EXPECT_GE(skin_weight_slope(z), -2.0);
        asymmetry = std::max(asymmetry, std::abs(skin_weight(z) + skin_weight(1.0 - z) - 1.0));
        const double measured = (skin_weight(z + h) - skin_weight(z - h)) / (2.0 * h);
        EXPECT_NEAR(skin_weight_slope(z), measured, 1e-5);
        wrong_slope = std::max(wrong_slope, std::abs(measured + 6.0 * z * (1.0 - z)));  // smoothstep's
    }
    EXPECT_NEAR(asymmetry, 0.0050, 0.0001);
    EXPECT_GT(wrong_slope, 0.1);
    // C1, not C2: the second derivative jumps from -4 to 3.11.
    EXPECT_NEAR((skin_weight_slope(0.5 + 1e-6) - skin_weight_slope(0.5)) / 1e-6, 3.11, 0.01);
}

// How far the skin's axis, which is the mean of its rings, is from the circle, in parts of the bend radius.
double axis_error(double turn, double part_of_arc) {
    const Cell cell = circle_cell(turn, 0.3, part_of_arc);
    double worst = 0.0;
    for (int i = 0; i <= 100; ++i) {
        const Vec3 a = compute_skin(cell.from, cell.to, 0.0, i / 100.0).position;
        const Vec3 b = compute_skin(cell.from, cell.to, std::numbers::pi, i / 100.0).position;
        worst = std::max(worst, std::abs(norm(0.5 * (a + b)) - 1.0));
    }
    return worst;
}

// R5: L is half the arc. A cell's vertices go by z L, not 2 z L: L = arc is what the specification warns of.
TEST(Skin, AxisStaysOnTheCurve) {
    EXPECT_LT(axis_error(30.0 * degree, 0.5), 0.001);
    EXPECT_NEAR(axis_error(60.0 * degree, 0.5), 0.003, 0.0005);
    EXPECT_NEAR(axis_error(30.0 * degree, 1.0), 0.034, 0.002);
    EXPECT_NEAR(axis_error(60.0 * degree, 1.0), 0.128, 0.005);
    for (const double turn : {15.0, 20.0, 30.0, 40.0, 60.0, 90.0}) {
        std::string name = "axis_error_";
        RecordProperty(name + std::to_string(static_cast<int>(turn)), std::to_string(axis_error(turn * degree, 0.5)));
    }
}

// Two frames with any position, tangent, normal, radius and L.
Cell random_cell(Random& random) {
    Cell cell{};
    for (AxisFrame* f : {&cell.from, &cell.to}) {
        const Vec3 t = normalized(Vec3{0, 0, 1} + 0.5 * random_vector(random));
        copy(0.3 * random_vector(random), f->position);
        copy(t, f->tangent);
        copy(compute_start_normal(t), f->normal);
        f->radius = static_cast<float>(random.uniform(0.2, 0.4));
        f->half_length = static_cast<float>(random.uniform(0.2, 0.6));
    }
    cell.to.position[2] += 1.0F;
    return cell;
}

// Angle between the computed normal and that of the surface by differences, over random vertices.
double worst_normal(const std::function<Vec3(const Cell&, double, double)>& normal_of) {
    Random random{3};
    double worst = 0.0;
    for (int n = 0; n < 2000; ++n) {
        const Cell cell = random_cell(random);
        const double angle = random.uniform(0.0, 6.28), z = random.uniform(0.01, 0.99), h = 1e-6;
        const auto at = [&](double a, double b) { return compute_skin(cell.from, cell.to, a, b).position; };
        const Vec3 across = cross(at(angle + h, z) - at(angle - h, z), at(angle, z + h) - at(angle, z - h));
        const Vec3 normal = normal_of(cell, angle, z);
        EXPECT_NEAR(norm(normal), 1.0, 1e-12);
        worst = std::max(worst, norm(cross(normalized(across), normal)) + (dot(across, normal) < 0.0 ? 1.0 : 0.0));
    }
    return worst;
}

TEST(Skin, NormalIsThatOfTheSurface) {
    EXPECT_LT(worst_normal([](const Cell& c, double a, double z) { return compute_skin(c.from, c.to, a, z).normal; }),
              1e-5);
    // Blended normals of both ends, as usual in skinning, are not.
    EXPECT_GT(worst_normal([](const Cell& c, double a, double z) {
                  const Vec3 n = compute_skin(c.from, c.from, a, 0.0).normal;
                  const Vec3 m = compute_skin(c.to, c.to, a, 0.0).normal;
                  return normalized(skin_weight(z) * n + (1.0 - skin_weight(z)) * m);
              }),
              0.1);
}

TEST(Skin, NormalOfNothingIsFinite) {
    Cell cell = circle_cell(0.0, 0.0, 0.0);
    const SkinPoint point = compute_skin(cell.from, cell.to, 1.0, 0.5);
    EXPECT_TRUE(is_finite(point.position) && is_finite(point.normal));
    cell = circle_cell(0.0, 0.1, 0.0);
    EXPECT_NEAR(norm(compute_skin(cell.from, cell.to, 1.0, 0.5).normal), 1.0, 1e-6);
}

// Cells meet without a crease, for any radii.
TEST(Skin, IsSmoothAcrossCells) {
    Random random{4};
    for (int n = 0; n < 500; ++n) {
        const Cell one = random_cell(random);
        Cell two = random_cell(random);
        two.from = one.to;
        two.to.position[2] += 1.0F;
        const double angle = random.uniform(0.0, 6.28);
        const SkinPoint end = compute_skin(one.from, one.to, angle, 1.0);
        const SkinPoint begin = compute_skin(two.from, two.to, angle, 0.0);
        EXPECT_LT(distance(end.position, begin.position), 1e-12);
        EXPECT_LT(distance(end.normal, begin.normal), 1e-6);
        // A linear weight would leave a crease.
        const Vec3 a = compute_skin(one.from, one.to, angle, 1.0 - 1e-3).position;
        EXPECT_NEAR(
            norm(cross(normalized(end.position - a), {two.from.tangent[0], two.from.tangent[1], two.from.tangent[2]})),
            0.0, 0.05);
    }
}

// Least progress of a skin's lines along the middle direction of a cell, in parts of the cell's arc: negative when a
// ring comes before the last one.
double least_progress(const Cell& cell, double arc) {
    const Vec3 t0{cell.from.tangent[0], cell.from.tangent[1], cell.from.tangent[2]};
    const Vec3 t1{cell.to.tangent[0], cell.to.tangent[1], cell.to.tangent[2]};
    const Vec3 middle = normalized(t0 + t1);
    double least = 1e30;
    for (int a = 0; a < 24; ++a) {
        const double angle = a * std::numbers::pi / 12.0;
        for (int k = 0; k < 64; ++k) {
            const Vec3 p = compute_skin(cell.from, cell.to, angle, k / 64.0).position;
            const Vec3 q = compute_skin(cell.from, cell.to, angle, (k + 1) / 64.0).position;
            least = std::min(least, dot(q - p, middle) / arc);
        }
    }
    return least;
}

// Half a circle and more, of radius 1, with nodes every `spacing` radians.
std::vector<AxisFrame> circle_frames(double radius, double largest_turn, double spacing = 15.0 * degree) {
    std::vector<Vec3> positions;
    Tube tube;
    for (int i = 0; i * spacing < 300.0 * degree; ++i) {
        positions.push_back({std::cos(spacing * i), std::sin(spacing * i), 0.0});
        tube.nodes.push_back(i);
        tube.radius.push_back(radius);
    }
    std::vector<AxisFrame> frames;
    find_axis_frames({&tube, 1}, positions, largest_turn, frames);
    return frames;
}

bool turns_by(const AxisFrame& from, const AxisFrame& to, double turn) {
    double cosine = 0.0;
    for (int k = 0; k < 3; ++k) cosine += static_cast<double>(from.tangent[k]) * to.tangent[k];
    return std::abs(std::acos(std::min(cosine, 1.0)) - turn) < 1e-3;
}

// R6. Half the arc for L holds it only up to r = 1 - turn/(8 tan(turn/2)) of the bend radius, about 3/4; the
// shorter L of tight bends holds it to the end.
TEST(Skin, NoRingIsInverted) {
    int cells = 0;
    for (const double turn : {15.0 * degree, 30.0 * degree, 60.0 * degree}) {
        const double reach = 1.0 - 0.125 * turn / std::tan(0.5 * turn);
        EXPECT_GE(least_progress(circle_cell(turn, 0.999 * reach, 0.5), turn), 0.0);
        EXPECT_LT(least_progress(circle_cell(turn, 1.02 * reach, 0.5), turn), 0.0);
    }
    for (const double radius : {0.2, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999}) {
        for (const double turn : {10.0, 15.0, 30.0, 60.0}) {
            const std::vector<AxisFrame> frames = circle_frames(radius, 1.01 * turn * degree, turn * degree);
            ASSERT_GE(frames.size(), 4U);
            for (std::size_t i = 1; i + 2 < frames.size(); ++i) {
                // Not at the ends, where the spline follows a parabola.
                if (!turns_by(frames[i], frames[i + 1], turn * degree)) continue;
                ++cells;
                EXPECT_GE(least_progress({frames[i], frames[i + 1]}, 1.0), -1e-6) << radius << " " << turn;
            }
        }
    }
    EXPECT_GT(cells, 7 * (20 + 12 + 6 + 2));
    // Thicker than the bend allows: the inner wall is pressed flat. Without that it turns back.
    std::vector<AxisFrame> thick = circle_frames(1.1, 30.0 * degree);
    EXPECT_GT(least_progress({thick[5], thick[6]}, 1.0), 0.0);
    for (AxisFrame& frame : thick) copy({}, frame.bend);
    EXPECT_LT(least_progress({thick[5], thick[6]}, 1.0), -1e-4);
    // A tube that leaves room has L half the arc.
    const std::vector<AxisFrame> thin = circle_frames(0.7, 30.0 * degree);
    EXPECT_NEAR(thin[5].half_length, 0.5F * (thin[6].along - thin[5].along), 1e-6);
}

// What is far inside of a bend is pressed flat and never reaches the line about which the axis turns; nothing else
// moves.
TEST(Skin, TheInnerWallOfATightBendIsPressedFlat) {
    constexpr double bend = 20.0;
    double last = -1.0, slope_error = 0.0;
    for (double q = -0.2; q < 0.4; q += 0.001) {
        const double at = flattened(q, bend);
        EXPECT_GE(at, last);
        EXPECT_LT(at, 1.0 / bend);
        if (q < 0.6 / bend) {
            EXPECT_EQ(at, q);
        }
        const double slope = (flattened(q + 1e-7, bend) - flattened(q - 1e-7, bend)) / 2e-7;
        slope_error = std::max(slope_error, std::abs(slope - flattened_slope(q, bend)));
        last = at;
    }
    EXPECT_LT(slope_error, 1e-4);
}

TEST(Mesh, SkinHasTheRightFaces) {
    const std::vector<AxisFrame> frames = circle_frames(0.3, 30.0 * degree);
    const Mesh mesh = compute_skin_mesh(frames, 16, 4);
    EXPECT_EQ(mesh.triangles.size(), (frames.size() - 1) * 16 * 4 * 2);
    EXPECT_EQ(mesh.positions.size(), ((frames.size() - 1) * 4 + 1) * 16);
    for (const auto& t : mesh.triangles) {
        const auto at = [&](int k) { return mesh.positions[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])]; };
        const Vec3 face = cross(at(1) - at(0), at(2) - at(0));
        for (const std::int32_t v : t) EXPECT_GT(dot(face, mesh.normals[static_cast<std::size_t>(v)]), 0.0);
    }
    EXPECT_EQ(compute_sweep_mesh(frames, 16).triangles.size(), (frames.size() - 1) * 32);
}

Mesh soup(Random& random, int triangles, double size) {
    Mesh mesh;
    for (int i = 0; i < triangles; ++i) {
        const Vec3 centre = random_vector(random);
        for (int k = 0; k < 3; ++k) mesh.positions.push_back(centre + size * random_vector(random));
        mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return mesh;
}

// Whether two triangles meet, from dense points of one edge against the other: for triangles in general position.
bool meet_by_edges(const Mesh& mesh, std::size_t i, std::size_t j) {
    const auto corner = [&](std::size_t t, std::size_t k) {
        return mesh.positions[static_cast<std::size_t>(mesh.triangles[t][k])];
    };
    for (const auto& [f, g] : {std::pair{i, j}, std::pair{j, i}}) {
        const Vec3 a = corner(g, 0), b = corner(g, 1), c = corner(g, 2), n = cross(b - a, c - a);
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3 p = corner(f, k), q = corner(f, (k + 1) % 3);
            const double hp = dot(n, p - a), hq = dot(n, q - a);
            if (hp * hq > 0.0) continue;
            const Vec3 x = p + (hp / (hp - hq)) * (q - p);
            const bool inside = dot(n, cross(b - a, x - a)) > 0.0 && dot(n, cross(c - b, x - b)) > 0.0 &&
                                dot(n, cross(a - c, x - c)) > 0.0;
            if (inside) return true;
        }
    }
    return false;
}

TEST(Intersections, SweepFindsWhatAllPairsFind) {
    Random random{5};
    std::size_t found = 0;
    for (int n = 0; n < 40; ++n) {
        const Mesh mesh = soup(random, 150, 0.3);
        std::size_t pairs = 0;
        for (std::size_t i = 0; i < 150; ++i) {
            for (std::size_t j = i + 1; j < 150; ++j) pairs += meet_by_edges(mesh, i, j) ? 1U : 0U;
        }
        EXPECT_EQ(count_self_intersections(mesh), pairs);
        EXPECT_EQ(count_self_intersections_brute(mesh), pairs);
        found += pairs;
    }
    EXPECT_GT(found, 1000U);
}

Mesh two_triangles(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
    Mesh mesh;
    for (const auto& t : {a, b}) mesh.positions.insert(mesh.positions.end(), t.begin(), t.end());
    mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
    return mesh;
}

TEST(Intersections, FlatAndTouchingPairs) {
    const std::array<Vec3, 3> base{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    const auto meets = [&](const std::array<Vec3, 3>& other) {
        return count_self_intersections(two_triangles(base, other)) == 1;
    };
    EXPECT_TRUE(meets({{{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}}));      // inside, in its plane
    EXPECT_TRUE(meets({{{-4, 1, 0}, {8, 1, 0}, {8, 2, 0}}}));     // across, in its plane
    EXPECT_FALSE(meets({{{4, 4, 0}, {4, 1, 0}, {1, 4, 0}}}));     // beside, in its plane
    EXPECT_TRUE(meets({{{4, 4, 0}, {4, 0, 0}, {2, 4, 0}}}));      // at a corner, in its plane
    EXPECT_TRUE(meets({{{1, 1, 0}, {1, 1, 4}, {2, 1, 4}}}));      // stands on it
    EXPECT_FALSE(meets({{{1, 1, 1e-6}, {1, 1, 4}, {2, 1, 4}}}));  // stands above it
    EXPECT_TRUE(meets({{{1, 1, 0}, {2, 1, 0}, {2, 1, 4}}}));      // an edge lies in it
    EXPECT_FALSE(meets({{{1, 1, 1}, {2, 1, 1}, {1, 2, 1}}}));     // parallel
    EXPECT_FALSE(meets({{{3, 3, -1}, {3, 3, 1}, {9, 9, 0}}}));    // through its plane, beside it
    // Neighbours that share a vertex are no pair.
    Mesh fan = two_triangles(base, {{{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}});
    fan.triangles[1][0] = 0;
    EXPECT_EQ(count_self_intersections(fan), 0U);
}

TEST(Intersections, TubeThroughItselfIsSeen) {
    const Mesh apart = compute_skin_mesh(circle_frames(0.5, 30.0 * degree), 16, 4);
    EXPECT_EQ(count_self_intersections(apart), 0U);
    const Mesh through = compute_skin_mesh(circle_frames(1.2, 30.0 * degree), 16, 4);
    EXPECT_GT(count_self_intersections(through), 0U);
    EXPECT_EQ(count_self_intersections(through), count_self_intersections_brute(through));
}

// A bend of a tube of radius 1 between two straight legs, its nodes a radius apart.
struct Bend {
    std::vector<Vec3> positions;
    Tube tube;

    Bend(double radius, double turn) {
        const double arc = radius * turn, leg = 6.0, total = 2.0 * leg + arc;
        const int segments = static_cast<int>(std::lround(total));
        for (int i = 0; i <= segments; ++i) {
            const double s = total * i / segments - leg;
            const double a = std::clamp(s / radius, 0.0, turn);
            const double beyond = s - a * radius;
            positions.push_back({radius * std::sin(a) + beyond * std::cos(a),
                                 radius * (1.0 - std::cos(a)) + beyond * std::sin(a), 0.0});
            tube.nodes.push_back(i);
            tube.radius.push_back(1.0);
        }
    }
};

struct Crossings {
    std::size_t skin, sweep;
};

// The paper's figure 3: skin, one cell to a segment, and the usual sweep, with as many triangles.
Crossings count_crossings(double radius, double turn) {
    const Bend bend(radius, turn);
    std::vector<AxisFrame> frames;
    find_axis_frames_even({&bend.tube, 1}, bend.positions, 1, frames);
    const Mesh skin = compute_skin_mesh(frames, 24, 4);
    find_axis_frames_even({&bend.tube, 1}, bend.positions, 4, frames);
    const Mesh sweep = compute_sweep_mesh(frames, 24);
    EXPECT_EQ(skin.triangles.size(), sweep.triangles.size());
    return {count_self_intersections(skin), count_self_intersections(sweep)};
}

TEST(Intersections, SkinBendsTighterThanASweep) {
    for (const double radius : {0.75, 0.9, 1.0, 1.1, 1.25}) {
        const Crossings crossings = count_crossings(radius, 90.0 * degree);
        EXPECT_EQ(crossings.skin, 0U) << radius;
        EXPECT_GT(crossings.sweep, 0U) << radius;
    }
    for (const double radius : {2.0, 3.0}) {
        EXPECT_EQ(count_crossings(radius, 90.0 * degree).skin, 0U);
        EXPECT_EQ(count_crossings(radius, 90.0 * degree).sweep, 0U);
    }
    // Legs that lie in each other cross however they are drawn.
    EXPECT_GT(count_crossings(0.5, 180.0 * degree).skin, 0U);
}

// What finer cells cost: where the axis bends tighter than the tube is thick, rings across it meet each other.
TEST(Intersections, FineCellsCrossInTightBends) {
    const Bend bend(1.0, 90.0 * degree);
    std::vector<AxisFrame> frames;
    const auto crossings = [&](double turn) {
        find_axis_frames({&bend.tube, 1}, bend.positions, turn * degree, frames);
        return count_self_intersections(compute_skin_mesh(frames, 24, 4));
    };
    EXPECT_EQ(crossings(60.0), 0U);
    EXPECT_GT(crossings(15.0), 0U);
}

}  // namespace
}  // namespace plica::render
