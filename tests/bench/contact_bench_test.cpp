#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "audit/separation.hpp"
#include "bench/contact/accordion.hpp"
#include "bench/contact/contact_report.hpp"
#include "bench/contact/contact_scene.hpp"
#include "bench/contact/feature_detectors.hpp"
#include "core/index.hpp"
#include "geometry/mesh/boundary.hpp"
#include "tests/support/temp_folder.hpp"

namespace plica::bench {
namespace {

namespace fs = std::filesystem;
class BenchContact : public testing::TempFolderTest {};

constexpr Accordion coarse{3, 10, 8, 1};

// A coarse ribbon while it falls in on itself.
const ContactRecording& falling() {
    static const ContactRecording recording = [] {
        const fs::path folder = fs::temp_directory_path() / ("plica_accordion_" + std::to_string(::getpid()));
        ContactRecording made = record_contact({"accordion", write_accordion(coarse, folder.string()), {}, 0.09, 2, 8},
                                               [](double) { return true; });
        fs::remove_all(folder);
        return made;
    }();
    return recording;
}

// All pairs of features, one after the other, by the audit's distances.
std::vector<PairIndices> look_at_all(const SurfaceCase& asked, std::span<const Vec3> x) {
    const Surface& s = asked.surface;
    const auto capsules = static_cast<std::int32_t>(s.capsules.size());
    const std::int32_t first_edge = capsules - s.features.edges;
    std::vector<PairIndices> found;
    for (std::int32_t a = 0; a < capsules; ++a) {
        const Capsule& c = s.capsules[at(a)];
        for (std::int32_t b = a < first_edge ? capsules : a + 1; b < (a < first_edge ? primitive_count(s) : capsules);
             ++b) {
            double apart = 0.0, radii = c.radius;
            if (b < capsules) {
                const Capsule& d = s.capsules[at(b)];
                if (!capsules_can_touch(s, at(a), at(b))) continue;
                apart = audit::separation(audit::Edge{x[at(c.a)], x[at(c.b)]}, audit::Edge{x[at(d.a)], x[at(d.b)]});
                radii += d.radius;
            } else {
                const Triangle& t = s.triangles[at(b - capsules)];
                if (!can_touch(s, at(a), at(b - capsules))) continue;
                apart = audit::separation(x[at(c.a)], audit::Face{x[at(t.a)], x[at(t.b)], x[at(t.c)]});
                radii += t.half_thickness;
            }
            if (apart <= radii + asked.gap) found.push_back({a, b});
        }
    }
    return found;
}

FeatureRun time_ours(bool cones) {
    TreeDetector detector(falling().surface, cones);
    FeatureRun all{"plica", {}, {}};
    for (const FeatureWindow& window : falling().windows) {
        append_window(time_features("plica", detector, falling().surface, window), all);
    }
    return all;
}

TEST_F(BenchContact, TheRibbonFallsInOnItself) {
    const ContactRecording& r = falling();
    EXPECT_EQ(r.lost, "");
    EXPECT_EQ(r.intersections, 0);
    EXPECT_GT(r.most_own, 20);
    ASSERT_EQ(r.windows.size(), 2U);
    EXPECT_EQ(r.windows[0].frames.frames(), 9U);
    EXPECT_EQ(r.windows[0].near.size(), 8U);
    EXPECT_GT(r.windows[1].near.back().size(), 20U);
    EXPECT_EQ(r.windows[1].frames.nodes, r.surface.node.size());
    EXPECT_LT(r.surface.node.size(), r.nodes + 1);
    for (const FrameCost& frame : r.frames) {
        EXPECT_GT(frame.elements(), 0.0);
        EXPECT_LE(frame.elements() + frame.contact(), frame.step);
    }
}

TEST_F(BenchContact, TheFullRibbonHasFiftyThousandTriangles) {
    EXPECT_GE(find_boundary(make_accordion({})).size(), 50'000U);
}

TEST_F(BenchContact, TheReferenceFindsWhatIsThere) {
    const ContactRecording& r = falling();
    for (const FeatureWindow& window : r.windows) {
        for (const std::size_t i : {std::size_t{0}, window.near.size() - 1}) {
            EXPECT_EQ(window.near[i], look_at_all(r.surface, window.frames.frame(i + 1)));
        }
    }
}

TEST_F(BenchContact, OursFindsTheSame) {
    const FeatureRun complete = time_ours(false);
    EXPECT_EQ(complete.missed, 0);
    EXPECT_EQ(complete.extra, 0);
    EXPECT_GT(complete.found, 100);
    EXPECT_EQ(complete.seconds.size(), 16U);
    const FeatureRun cones = time_ours(true);
    EXPECT_EQ(cones.missed_contacts, 0);
    EXPECT_EQ(cones.extra, 0);
    EXPECT_EQ(cones.found + cones.missed, complete.found);
}

// Leaves out one pair in each substep, or names one more.
class Flawed : public TimedDetector {
public:
    explicit Flawed(bool forget) : m_inner(make_sweep_detector(falling().surface)), m_forget(forget) {}
    std::int64_t detect(std::span<const Vec3> x) override { return m_inner->detect(x); }
    void collect(std::vector<PairIndices>& pairs) const override {
        m_inner->collect(pairs);
        if (m_forget) {
            pairs.pop_back();
        } else {
            pairs.push_back({0, 0});
        }
    }

private:
    std::unique_ptr<TimedDetector> m_inner;
    bool m_forget;
};

Json scene_with(const FeatureRun& run) {
    Json scene = describe_stages(falling());
    scene["searches"] = describe_searches({run});
    return scene;
}

TEST_F(BenchContact, OnePairTooFewOrTooManyIsNoticed) {
    const FeatureWindow& window = falling().windows[1];
    Flawed forgets(true), invents(false);
    const FeatureRun few = time_features("flawed", forgets, falling().surface, window);
    EXPECT_EQ(few.missed, 8);
    EXPECT_EQ(few.extra, 0);
    EXPECT_NE(find_problem(scene_with(few)), "");
    const FeatureRun many = time_features("flawed", invents, falling().surface, window);
    EXPECT_EQ(many.missed, 0);
    EXPECT_EQ(many.extra, 8);
    EXPECT_NE(find_problem(scene_with(many)), "");
    EXPECT_EQ(find_problem(scene_with(time_ours(false))), "");
}

// Of what cones leave out only first contacts count, and only where there are cones.
TEST_F(BenchContact, WhatConesLeaveOutIsToldApart) {
    FeatureRun run{"plica", {1e-3}, {10}, 10, 2, 0, 0};
    EXPECT_EQ(find_problem(scene_with(run)), "");
    run.missed_contacts = 1;
    EXPECT_NE(find_problem(scene_with(run)), "");
    run = {"cgal-boxes", {1e-3}, {10}, 10, 2, 0, 0};
    EXPECT_NE(find_problem(scene_with(run)), "");
}

TEST_F(BenchContact, IntersectionsAndLostRunsFail) {
    Json scene = scene_with(time_ours(false));
    ASSERT_EQ(find_problem(scene), "");
    scene["intersections"] = 1;
    EXPECT_NE(find_problem(scene), "");
    scene["intersections"] = 0;
    scene["lost"] = "inverted";
    EXPECT_NE(find_problem(scene), "");
}

TEST_F(BenchContact, WindowsReadBackTheSame) {
    const FeatureWindow& window = falling().windows[1];
    write_window(window, file("0"));
    const FeatureWindow back = read_window(file("0"));
    EXPECT_EQ(back.near, window.near);
    ASSERT_EQ(back.frames.positions.size(), window.frames.positions.size());
    EXPECT_TRUE(
        std::equal(back.frames.positions.begin(), back.frames.positions.end(), window.frames.positions.begin()));
    std::remove(file("0/positions.npy").c_str());
    EXPECT_THROW(read_window(file("0")), Error);
    EXPECT_THROW(read_surface_case(file("nowhere")), Error);
}

constexpr const char* pressed = R"(plica = 1
seconds = 0.06
[solver]
dt = 0.01
substeps = 1
[[body]]
name = "block"
tissue = "tled"
shape = "block"
size = [0.05, 0.05, 0.02]
cells = [6, 6, 3]
fixed = [ { side = "-z" } ]
[[body]]
name = "post"
tissue = "rigid"
shape = "block"
size = [0.01, 0.01, 0.01]
center = [0, 0, 0.0162]
[[tool]]
name = "ball"
kind = "rigid"
shape = "ball"
radius = 0.006
fineness = 2
path = [ { t = 0, at = [0.015, 0.015, 0.018] }, { t = 0.05, to = [0.014, 0.015, 0.014], turn = [0, 0.5, 0] } ]
[environment]
gravity = [0, 0, 0]
)";

// One that stands and one that goes its way and turns.
TEST_F(BenchContact, RigidBodiesAreFoundToo) {
    std::ofstream(file("pressed.toml")) << pressed;
    const ContactRecording r =
        record_contact({"pressed", file("pressed.toml"), {}, 0.0, 1, 10}, [](double) { return true; });
    ASSERT_EQ(r.windows.size(), 1U);
    const FeatureWindow& window = r.windows[0];
    EXPECT_EQ(window.near.back(), look_at_all(r.surface, window.frames.frame(10)));
    EXPECT_GT(window.near.back().size(), 2U);
    EXPECT_EQ(
        std::count_if(r.surface.bodies.begin(), r.surface.bodies.end(), [](const TreeBody& b) { return b.rigid; }), 1);
    TreeDetector detector(r.surface, false);
    const FeatureRun run = time_features("plica-no-cones", detector, r.surface, window);
    EXPECT_EQ(run.missed, 0);
    EXPECT_EQ(run.extra, 0);
}

TEST_F(BenchContact, ProgramsBuildTheSameSurface) {
    const std::string scene = write_accordion(coarse, file("case"));
    write_case_file({scene, {}, 0.25}, file("files"));
    const SurfaceCase made = read_surface_case(file("files"));
    EXPECT_EQ(made.gap, 0.25);
    EXPECT_EQ(made.node, falling().surface.node);
    EXPECT_EQ(made.surface.triangles.size(), falling().surface.surface.triangles.size());
    EXPECT_EQ(made.surface.features.near, falling().surface.surface.features.near);
}

TEST_F(BenchContact, TimesAreMergedByTheLeastAndWindowsAdded) {
    FeatureRun run{"a", {3.0, 1.0}, {5, 6}, 7, 0, 0, 0};
    merge_times({"a", {2.0, 4.0}, {5, 6}, 7, 1, 0, 0}, run);
    EXPECT_EQ(run.seconds, (std::vector<double>{2.0, 1.0}));
    EXPECT_EQ(run.missed, 1);
    append_window(to_feature_run(to_json(run)), run);
    EXPECT_EQ(run.seconds.size(), 4U);
    EXPECT_EQ(run.found, 14);
    EXPECT_EQ(run.missed, 2);
}

}  // namespace
}  // namespace plica::bench
