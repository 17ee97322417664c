#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/index.hpp"
#include "core/random.hpp"
#include "scene/anatomy/clearance.hpp"
#include "scene/anatomy/intestine.hpp"
#include "scene/anatomy/rope.hpp"

namespace plica {
namespace {

int segments_of(const IntestineGeometry& g) {
    return g.gut_nodes - 1;
}

IntestineParameters preset(const char* name, int segments = 0) {
    IntestineParameters p = intestine_preset(name);
    if (segments > 0) p.segments = segments;
    return p;
}

IntestineGeometry forced(const IntestineParameters& p, int passes) {
    MeanderShape shape = meander_shape(p);
    shape.passes = passes;
    const auto fitted = fit_pass_length(shape, p.segments, p.length / p.segments);
    EXPECT_TRUE(fitted.has_value());
    return assemble_intestine(p, fitted.value_or(shape));
}

double polyline_length(const IntestineGeometry& g) {
    double total = 0.0;
    for (int i = 0; i < segments_of(g); ++i) total += distance(g.nodes[at(i)], g.nodes[at(i + 1)]);
    return total;
}

double worst_chord(const IntestineGeometry& g) {
    double worst = 0.0;
    for (int i = 0; i < segments_of(g); ++i) {
        worst = std::max(worst, std::abs(distance(g.nodes[at(i)], g.nodes[at(i + 1)]) / g.chord - 1.0));
    }
    return worst;
}

// Smallest distance of two segments that may touch over the sum of their radii, by brute force; 2: at least that.
double gut_clearance(const IntestineGeometry& g) {
    double least = 2.0;
    for (int i = 0; i < segments_of(g); ++i) {
        const Vec3 a0 = g.nodes[at(i)], a1 = g.nodes[at(i + 1)];
        for (int j = i + 1; j < segments_of(g); ++j) {
            const double sum = g.radius[at(i)] + g.radius[at(j)];
            const double reach = least * sum + g.chord;
            if (squared_norm(g.nodes[at(j)] - a0) > 4.0 * reach * reach) continue;
            const double wider = std::max(g.radius[at(i)], g.radius[at(j)]);
            if (j - i <= excluded_columns(wider, g.chord)) continue;
            least = std::min(least, segment_segment_distance(a0, a1, g.nodes[at(j)], g.nodes[at(j + 1)]) / sum);
        }
    }
    return least;
}

std::array<Vec3, 3> corners(const IntestineGeometry& g, const std::array<std::int32_t, 3>& t) {
    return {g.nodes[at(t[0])], g.nodes[at(t[1])], g.nodes[at(t[2])]};
}

bool may_touch(const IntestineGeometry& g, int segment, const std::array<std::int32_t, 3>& triangle) {
    const int kex = excluded_columns(g.radius[at(segment)], g.chord);
    for (const std::int32_t v : triangle) {
        const int column = g.column[at(v)];
        if (column >= segment - kex && column <= segment + 1 + kex) return false;
    }
    return true;
}

// Smallest distance of segment and triangle over r + half thickness, by brute force.
double segment_clearance(const IntestineGeometry& g, int i, double half_thickness) {
    double least = std::numeric_limits<double>::infinity();
    for (const auto& t : g.triangles) {
        if (!may_touch(g, i, t)) continue;
        least = std::min(least, segment_triangle_distance(g.nodes[at(i)], g.nodes[at(i + 1)], corners(g, t)));
    }
    return least / (g.radius[at(i)] + half_thickness);
}

std::vector<bool> exempt_segments(const IntestineGeometry& g) {
    const std::set<std::int32_t> zone(g.exempt.begin(), g.exempt.end());
    std::vector<bool> exempt;
    for (int i = 0; i < segments_of(g); ++i) exempt.push_back(zone.count(i) > 0 && zone.count(i + 1) > 0);
    return exempt;
}

double mesentery_clearance(const IntestineGeometry& g, double half_thickness, bool use_zone = true) {
    const std::vector<bool> exempt = exempt_segments(g);
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < segments_of(g); ++i) {
        if (use_zone && exempt[at(i)]) continue;
        least = std::min(least, segment_clearance(g, i, half_thickness));
    }
    return least;
}

// Smallest bend radius over the tube's radius there.
double bend_clearance(const IntestineGeometry& g, const IntestineParameters& p) {
    const MeanderCurve curve(g.shape);
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 10000; ++i) {
        const double u = i / 10000.0;
        const double radius = p.radius_start + (p.radius_end - p.radius_start) * u;
        least = std::min(least, curve.bend_radius(u * curve.length()) / radius);
    }
    return least;
}

double width(const IntestineGeometry& g, const IntestineParameters& p, int j) {
    const Vec3 root{0.0, 0.0, p.root_length * (static_cast<double>(j) / p.segments - 0.5)};
    return distance(g.nodes[at(j)], root);
}

bool width_grows_over_leads(const IntestineGeometry& g, const IntestineParameters& p) {
    for (int j = 1; j < g.lead_straight_nodes[0]; ++j) {
        if (width(g, p, j) <= width(g, p, j - 1)) return false;
    }
    for (int j = 1; j < g.lead_straight_nodes[1]; ++j) {
        if (width(g, p, p.segments - j) <= width(g, p, p.segments - j + 1)) return false;
    }
    return true;
}

std::string refusal(const IntestineParameters& p) {
    std::string text;
    for (const std::string& problem : check_intestine(p)) text += problem + "\n";
    return text;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

const std::vector<std::pair<const char*, int>> sizes{
    {"paper", 99},      {"paper", 120},      {"paper", 198}, {"paper", 1000}, {"corrected", 99}, {"corrected", 120},
    {"corrected", 198}, {"corrected", 1000}, {"human", 262}, {"human", 300},  {"human", 524},    {"human", 1000}};

}  // namespace

TEST(AnatomyDistance, AgreesWithDenseSearch) {
    Random random{7};
    const auto point = [&] { return Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)}; };
    for (int k = 0; k < 200; ++k) {
        const Vec3 a0 = point(), a1 = point(), b0 = point(), b1 = point();
        const std::array<Vec3, 3> t{point(), point(), point()};
        double lines = 1e9, faces = 1e9;
        for (int i = 0; i <= 40; ++i) {
            const Vec3 a = a0 + (a1 - a0) * (i / 40.0);
            for (int j = 0; j <= 40; ++j) {
                lines = std::min(lines, distance(a, b0 + (b1 - b0) * (j / 40.0)));
                for (int l = 0; l <= 40 - j; ++l) {
                    const Vec3 b = t[0] + (t[1] - t[0]) * (j / 40.0) + (t[2] - t[0]) * (l / 40.0);
                    faces = std::min(faces, distance(a, b));
                }
            }
        }
        const double exact_lines = segment_segment_distance(a0, a1, b0, b1);
        const double exact_faces = segment_triangle_distance(a0, a1, t);
        EXPECT_LE(exact_lines, lines + 1e-12);
        EXPECT_GE(exact_lines, lines - 0.09);  // half a cell of the search
        EXPECT_LE(exact_faces, faces + 1e-12);
        EXPECT_GE(exact_faces, faces - 0.13);
    }
    EXPECT_DOUBLE_EQ(segment_segment_distance({0, 0, 0}, {1, 0, 0}, {0.5, 2, 0}, {3, 2, 0}), 2.0);  // parallel
    EXPECT_DOUBLE_EQ(segment_triangle_distance({0.2, 0.2, -1}, {0.2, 0.2, 1}, {Vec3{}, {1, 0, 0}, {0, 1, 0}}), 0.0);
    EXPECT_DOUBLE_EQ(segment_triangle_distance({0.2, 0.2, 3}, {0.2, 0.2, 1}, {Vec3{}, {1, 0, 0}, {0, 1, 0}}), 1.0);
}

TEST(AnatomyG1, PolylineHasTheFullLength) {
    auto all = sizes;
    for (const char* name : {"paper", "corrected", "human"}) all.emplace_back(name, 10000);
    for (const auto& [name, segments] : all) {
        const IntestineParameters p = preset(name, segments);
        const IntestineGeometry g = build_intestine(p);
        EXPECT_NEAR(polyline_length(g), p.length, 1e-6 * p.length) << name << ' ' << segments;
        EXPECT_LT(worst_chord(g), 1e-9) << name << ' ' << segments;
    }
}

TEST(AnatomyG1, EqualArcsWouldFallShort) {
    const IntestineGeometry g = build_intestine(preset("paper"));
    const MeanderCurve curve(g.shape);
    double total = 0.0;
    for (int i = 0; i < 99; ++i) {
        total += distance(curve.point(curve.length() * i / 99), curve.point(curve.length() * (i + 1) / 99));
    }
    EXPECT_GT(std::abs(total - curve.length()), 1e-2 * curve.length());
    EXPECT_GT(curve.length(), 4.0 * (1.0 + 1e-2));  // chords cut the turns, so the curve must be longer
}

TEST(AnatomyG2, FoldsDoNotOverlap) {
    for (const auto& [name, segments] : sizes) {
        const IntestineGeometry g = build_intestine(preset(name, segments));
        EXPECT_GE(gut_clearance(g), 1.0) << name << ' ' << segments;
    }
    EXPECT_GE(gut_clearance(build_intestine(preset("corrected", 10000))), 1.0);
}

TEST(AnatomyG2, TightPitchOverlaps) {
    for (const int segments : {120, 198, 1000}) {
        IntestineParameters p = preset("paper", segments);
        p.pitch_ratio = 0.9;
        const IntestineGeometry g = forced(p, 22);
        EXPECT_LT(gut_clearance(g), 1.0) << segments;
        EXPECT_TRUE(GutClearance(g, p.half_thickness).gut_overlaps()) << segments;
        EXPECT_TRUE(contains(refusal(p), "nearest feasible value: 1.05"));
    }
}

TEST(AnatomyG3, NoBendIsTighterThanTheTube) {
    for (const char* name : {"paper", "corrected", "human"}) {
        const IntestineParameters p = preset(name, 10000);
        const IntestineGeometry g = build_intestine(p);
        EXPECT_GE(bend_clearance(g, p), 1.0) << name;
        // The same from the nodes: three points of a fine chain give the circle through them.
        for (int j = 1; j < p.segments; ++j) {
            const Vec3 a = g.nodes[at(j - 1)], b = g.nodes[at(j)], c = g.nodes[at(j + 1)];
            const double sine = norm(cross(b - a, c - b)) / (g.chord * g.chord);
            ASSERT_GE(distance(a, c) / (2.0 * sine), g.radius[at(j - 1)]) << name << ' ' << j;
        }
    }
}

TEST(AnatomyG3, CurveIsSmoothAndTheTestSeesTightTurns) {
    IntestineParameters p = preset("corrected", 1000);
    IntestineGeometry g = build_intestine(p);
    const MeanderCurve curve(g.shape);
    const double step = 1e-6;
    Vec3 before = curve.point(step) - curve.point(0.0);
    for (double s = step; s + step < curve.length(); s += 1e-4) {
        const Vec3 here = curve.point(s + step) - curve.point(s);
        // The sharpest turn has radius 0.02 m: 0.005 rad over 1e-4 m. A kink would be far more.
        ASSERT_LT(norm(cross(before, here)), 0.006 * step * step) << s;
        before = here;
    }
    p.pitch_ratio = 0.9;
    g = forced(p, 21);
    EXPECT_LT(bend_clearance(g, p), 1.0);
}

TEST(AnatomyG4, MesenteryEndsInPoints) {
    for (const auto& [name, segments] : sizes) {
        const IntestineParameters p = preset(name, segments);
        if (!p.zero_width_ends) continue;
        const IntestineGeometry g = build_intestine(p);
        EXPECT_LT(width(g, p, 0), 1e-9);
        EXPECT_LT(width(g, p, segments), 1e-9);
        EXPECT_GT(g.lead_straight_nodes[0], 3);
        EXPECT_GT(g.lead_straight_nodes[1], 3);
        EXPECT_TRUE(width_grows_over_leads(g, p)) << name << ' ' << segments;
        EXPECT_TRUE(g.pinned[0] && g.pinned[at(segments)]);
    }
    const IntestineParameters printed = preset("paper");
    EXPECT_GT(width(build_intestine(printed), printed, 0), 0.1);
}

TEST(AnatomyG5, GutIsClearOfTheMesentery) {
    for (const auto& [name, segments] : sizes) {
        const IntestineParameters p = preset(name, segments);
        const IntestineGeometry g = build_intestine(p);
        const GutClearance clearance(g, p.half_thickness);
        const std::vector<bool> exempt = exempt_segments(g);
        int first = 0, last = segments;
        while (exempt[at(first)]) ++first;
        while (exempt[at(last - 1)]) --last;
        EXPECT_FALSE(clearance.mesentery_overlaps(first, last)) << name << ' ' << segments;
        if (segments <= 300) {  // what the triangles of a graded one overlap is found by the scene
            IntestineParameters grid = p;
            grid.rows = 4;
            EXPECT_GE(mesentery_clearance(build_intestine(grid), p.half_thickness), 1.0) << name << ' ' << segments;
        }
        EXPECT_EQ(g.exempt.empty(), !p.zero_width_ends);
        EXPECT_LE(static_cast<double>(g.exempt.size()), 0.07 * segments) << name;
    }
}

TEST(AnatomyG5, LeadsNeedTheRootZone) {
    for (const char* name : {"corrected", "human"}) {
        IntestineParameters p = preset(name);
        p.rows = 4;  // quads show where it begins; a graded mesentery's triangles span several columns
        const IntestineGeometry g = build_intestine(p);
        EXPECT_LT(mesentery_clearance(g, p.half_thickness, false), 1.0) << name;
        EXPECT_FALSE(g.exempt.empty());
        // No longer than it must be: each zone ends at the rule's distance or at a segment that is too close.
        const std::vector<bool> exempt = exempt_segments(g);
        int last = 0;
        while (exempt[at(last + 1)]) ++last;
        const double rho = std::hypot(g.nodes[at(last + 1)].x, g.nodes[at(last + 1)].y);
        EXPECT_TRUE(rho < 3.0 * (g.radius[0] + p.half_thickness) || segment_clearance(g, last, p.half_thickness) < 1.0);
    }
}

TEST(AnatomyG5, TreeAgreesWithBruteForce) {
    for (const double thickness : {0.005, 0.02, 0.03}) {
        for (const auto& [name, segments] : {std::pair{"paper", 99}, {"paper", 130}, {"corrected", 150}}) {
            const IntestineGeometry g = build_intestine(preset(name, segments));
            const GutClearance clearance(g, thickness);
            for (int i = 0; i < segments; ++i) {
                ASSERT_EQ(clearance.mesentery_overlaps(i, i + 1), segment_clearance(g, i, thickness) < 1.0)
                    << name << ' ' << segments << ' ' << i << ' ' << thickness;
            }
        }
    }
    const IntestineGeometry g = build_intestine(preset("paper"));
    EXPECT_LT(mesentery_clearance(g, 0.03), 1.0);  // so the check can fail without leads, too
}

TEST(AnatomyG6, PrintedSizesAreRefused) {
    // 4 m of radius 2 cm on a cylinder of radius 15 cm and height 10 cm (Raghupathi 2004, sec. 3.1): 2 r L > 2 pi R H.
    IntestineParameters p = preset("paper");
    p.max_height = 0.10;
    const std::string text = refusal(p);
    EXPECT_TRUE(contains(text, "need a height of 0.2")) << text;
    EXPECT_THROW(build_intestine(p), Error);
    // The suggestion works, and half as much again does not.
    const std::size_t where = text.find("a radius of ");
    ASSERT_NE(where, std::string::npos) << text;
    const double radius = std::stod(text.substr(where + 12));
    p.radius_start = p.radius_end = radius;
    p.segments = std::stoi(text.substr(text.find("(with ") + 6));
    EXPECT_LE(build_intestine(p).band_height, 0.10);
    EXPECT_GT(radius, 0.0095);
    p.radius_start = p.radius_end = 1.1 * radius;
    EXPECT_FALSE(check_intestine(p).empty());
    p = preset("paper");
    p.max_height = 0.22;
    EXPECT_LE(build_intestine(p).band_height, 0.22);
}

TEST(AnatomyMesh, CountsOfTheCorrectedAndPrintedPresets) {
    const IntestineGeometry paper = build_intestine(preset("paper"));
    EXPECT_EQ(paper.nodes.size(), 400U);
    EXPECT_EQ(paper.free_nodes, 300);
    EXPECT_EQ(paper.triangles.size(), 594U);
    std::set<std::pair<int, int>> edges;
    for (const auto& t : paper.triangles) {
        for (std::size_t k = 0; k < 3; ++k) edges.insert(std::minmax(int{t[k]}, int{t[(k + 1) % 3]}));
    }
    int inner = 0;
    for (const auto& [a, b] : edges) {
        const bool gut = b < 100, root = a >= 300;
        if (!gut && !root) ++inner;
    }
    EXPECT_EQ(inner, 795);  // neither gut segments nor the fixed edges of the root
    const IntestineGeometry corrected = build_intestine(preset("corrected"));
    EXPECT_EQ(corrected.free_nodes, 294);
    EXPECT_EQ(corrected.triangles.size(), 588U);
    EXPECT_EQ(corrected.nodes.size(), 100U + 3U * 98U);
}

TEST(AnatomyMesh, IsConsistent) {
    for (const auto& [name, segments] : {std::pair{"paper", 99}, {"corrected", 99}, {"human", 300}, {"human", 10000}}) {
        const IntestineParameters p = preset(name, segments);
        const IntestineGeometry g = build_intestine(p);
        EXPECT_EQ(g.pinned.size(), g.nodes.size());
        EXPECT_EQ(g.column.size(), g.nodes.size());
        EXPECT_EQ(g.radius.size(), at(segments));
        EXPECT_EQ(g.free_nodes, std::count(g.pinned.begin(), g.pinned.end(), 0));
        EXPECT_EQ(g.grid.size(), at(g.rows * (segments + 1)));
        for (std::size_t c = 0; c < g.grid.size(); ++c) {
            const int column = static_cast<int>(c % at(segments + 1));
            ASSERT_TRUE(g.grid[c] >= 0 || p.rows == 0);
            if (g.grid[c] < 0) continue;
            ASSERT_EQ(g.column[at(g.grid[c])], column);
        }
        for (const auto& t : g.triangles) {
            const auto x = corners(g, t);
            ASSERT_GT(norm(cross(x[1] - x[0], x[2] - x[0])), 1e-12 * g.chord * g.chord);
        }
        if (p.zero_width_ends) {
            EXPECT_EQ(g.grid[at((g.rows - 1) * (segments + 1))], 0);
        }
    }
}

TEST(AnatomyLimits, NameTheNearestFeasibleValue) {
    EXPECT_TRUE(contains(refusal(preset("paper", 98)), "nearest feasible value: 99"));
    EXPECT_TRUE(contains(refusal(preset("human", 100)), "nearest feasible value: 262"));
    for (const int segments : {-5, 0, 1000000}) {
        IntestineParameters p = preset("paper");
        p.segments = segments;
        EXPECT_TRUE(contains(refusal(p), "from 1 to 10000")) << refusal(p);
    }
    IntestineParameters p = preset("corrected");
    p.length = 0.3;
    const std::string text = refusal(p);
    ASSERT_TRUE(contains(text, "too short for the two leads")) << text;
    p.length = std::stod(text.substr(text.find("nearest feasible value: ") + 24));
    EXPECT_TRUE(check_intestine(p).empty()) << refusal(p);
    EXPECT_THROW(intestine_preset("printed"), Error);
}

TEST(AnatomyLimits, BadValuesAreRefusedOneByOne) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    using Field = double IntestineParameters::*;
    for (const Field field :
         {&IntestineParameters::length, &IntestineParameters::radius_start, &IntestineParameters::radius_end,
          &IntestineParameters::cylinder_radius, &IntestineParameters::root_length,
          &IntestineParameters::half_thickness, &IntestineParameters::pitch_ratio, &IntestineParameters::max_height}) {
        for (const double value : {nan, inf, -inf, -1.0, 1e300, 5e-324}) {
            IntestineParameters p = preset("corrected");
            p.*field = value;
            EXPECT_EQ(check_intestine(p).size(), 1U) << value;
            EXPECT_THROW(build_intestine(p), Error) << value;
        }
    }
    IntestineParameters p = preset("corrected");
    p.length = p.radius_end = nan;
    p.rows = 1;
    EXPECT_EQ(check_intestine(p).size(), 3U);
}

TEST(AnatomyLimits, BareGutMayBeCoarse) {
    IntestineParameters p = preset("paper");
    p.mesentery = false;
    for (const int segments : {25, 50, 100, 200}) {
        p.segments = segments;
        const IntestineGeometry g = build_intestine(p);
        EXPECT_TRUE(g.grid.empty() && g.triangles.empty() && g.exempt.empty());
        EXPECT_EQ(g.free_nodes, segments + 1);
        EXPECT_LT(worst_chord(g), 1e-9);
        EXPECT_GE(gut_clearance(g), 1.0) << segments;
    }
}

TEST(AnatomyLimits, TenThousandSegmentsBuildInTime) {
    for (const char* name : {"paper", "corrected", "human"}) {
        const auto start = std::chrono::steady_clock::now();
        const IntestineGeometry g = build_intestine(preset(name, 10000));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        EXPECT_LT(took.count(), 2.0) << name;
        EXPECT_EQ(g.gut_nodes, 10001);
    }
}

namespace {

IntestineParameters random_parameters(Random& random) {
    const auto scale = [&](double lo, double hi) { return lo * std::pow(hi / lo, random.uniform()); };
    IntestineParameters p;
    const double r = scale(0.002, 0.05);
    p.radius_start = r;
    p.radius_end = r * random.uniform(0.6, 1.4);
    p.cylinder_radius = r * scale(2, 25);
    p.length = r * scale(5, 400);
    p.root_length = r * scale(1, 60);
    p.half_thickness = r * scale(0.02, 1.2);
    p.pitch_ratio = random.uniform() < 0.5 ? 1.05 : random.uniform(1.0, 2.0);
    p.max_height = random.uniform() < 0.2 ? r * scale(5, 50) : 0.0;
    p.rows = 2 + static_cast<int>(4.0 * random.uniform());
    p.mesentery = random.uniform() < 0.75;
    p.zero_width_ends = random.uniform() < 0.6;
    const double fewest = p.length / (2.04 * std::min(r, p.radius_end));
    p.segments = static_cast<int>(fewest * scale(p.mesentery ? 0.97 : 0.25, 2.5));
    return p;
}

}  // namespace

TEST(AnatomyLimits, RandomParametersBuildWellOrAreRefused) {
    Random random{20040515};
    int built = 0;
    for (int k = 0; k < 150; ++k) {
        const IntestineParameters p = random_parameters(random);
        IntestineGeometry g;
        try {
            g = build_intestine(p);
        } catch (const Error& error) {
            EXPECT_TRUE(contains(error.what(), " m") || contains(error.what(), "nearest")) << error.what();
            continue;
        }
        ++built;
        EXPECT_LT(worst_chord(g), 1e-9) << k;
        EXPECT_GE(gut_clearance(g), 1.0) << k;
        EXPECT_GE(bend_clearance(g, p), 1.0 - 1e-12) << k;
        EXPECT_GE(mesentery_clearance(g, p.half_thickness), 1.0) << k;
        EXPECT_TRUE(width_grows_over_leads(g, p)) << k;
        EXPECT_TRUE(p.max_height == 0.0 || g.band_height <= p.max_height) << k;
    }
    EXPECT_GT(built, 30);
}

TEST(AnatomyRope, LineIsEquallySpaced) {
    RopeParameters p;
    p.length = 4.0;
    p.radius = 0.02;
    p.segments = 100;
    p.from = {0.1, 0.2, 0.3};
    p.direction = {0.0, 3.0, 4.0};
    const std::vector<Vec3> nodes = build_rope(p);
    ASSERT_EQ(nodes.size(), 101U);
    EXPECT_EQ(nodes[0], p.from);
    EXPECT_LT(distance(nodes[100], p.from + Vec3{0.0, 2.4, 3.2}), 1e-12);
    p.direction = {};
    EXPECT_THROW(build_rope(p), Error);
    p.layout = "knot";
    EXPECT_THROW(build_rope(p), Error);
}

TEST(AnatomyRope, CoilHasEqualChordsAndClearTurns) {
    RopeParameters p;
    p.length = 4.0;
    p.radius = 0.02;
    p.layout = "coil";
    p.from = {0.0, 0.0, 0.5};
    p.coil_radius = 0.10;
    p.coil_pitch = 0.045;
    for (const int segments : {50, 100, 400, 2000}) {
        p.segments = segments;
        const std::vector<Vec3> nodes = build_rope(p);
        IntestineGeometry g;
        g.nodes = nodes;
        g.gut_nodes = segments + 1;
        g.chord = p.length / segments;
        g.radius.assign(at(segments), p.radius);
        EXPECT_LT(worst_chord(g), 1e-9);
        EXPECT_GE(gut_clearance(g), 1.0) << segments;
        EXPECT_EQ(nodes[0].z, 0.5);
        RopeParameters flat = p;
        flat.coil_pitch = 0.038;
        g.nodes = coil_nodes(flat);
        EXPECT_LT(gut_clearance(g), 1.0) << segments;
        const std::vector<std::string> problems = check_rope(flat);
        ASSERT_EQ(problems.size(), 1U);
        flat.coil_pitch = std::stod(problems[0].substr(problems[0].find("value: ") + 7));
        EXPECT_TRUE(check_rope(flat).empty()) << problems[0];
    }
    p.coil_radius = 0.0205;
    EXPECT_TRUE(contains(check_rope(p).at(0), "nearest feasible value: 0.021 m"));
    p.coil_radius = 0.1;
    p.segments = 10;
    EXPECT_TRUE(contains(check_rope(p).at(0), "nearest feasible value: 0.2 m"));
}

}  // namespace plica
