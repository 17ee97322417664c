#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "core/index.hpp"
#include "scene/build_sheets.hpp"
#include "tests/scenarios/scenarios.hpp"

// Sheets that touch themselves.
namespace plica::testing {
namespace {

constexpr double pi = 3.14159265358979323846;

// A strip of cloth: rows of nodes along a curve, each row a rope, triangles between them.
struct Strip {
    Model model;
    State state;
};

// Adds a strip whose middle line is `line`; `held` nodes from its start do not move. A chain of its own.
void add_strip(Model& model, const std::vector<Vec3>& line, int rows, double width, std::size_t held) {
    const auto first = static_cast<std::int32_t>(model.nodes());
    const auto columns = static_cast<std::int32_t>(line.size());
    const auto body = static_cast<std::int32_t>(model.bodies.size());
    model.bodies.push_back({"cloth " + std::to_string(body), TissueKind::mass_spring, first, rows * columns, {}});
    for (int r = 0; r < rows; ++r) {
        for (std::size_t j = 0; j < line.size(); ++j) {
            model.rest.push_back(line[j] + Vec3{0, width * r / (rows - 1), 0});
            model.inverse_mass.push_back(j < held ? 0.0 : 1.0 / 0.001);
            model.contact_radius.push_back(0.002);
            model.column.push_back(-1);
        }
        const std::int32_t row = first + r * columns;
        mass_spring::add_rope(model.of<Springs>(), {row, columns, 200.0, body, 0.005}, model.rest, model.inverse_mass);
        for (std::int32_t j = 0; r > 0 && j + 1 < columns; ++j) {
            const std::int32_t below = row - columns;
            model.surface.triangles.push_back({below + j, below + j + 1, row + j, 0.002, body, body, -1, -1, true});
            model.surface.triangles.push_back({below + j + 1, row + j + 1, row + j, 0.002, body, body, -1, -1, true});
        }
    }
}

Strip finish(Model model, bool self_contact) {
    Strip strip{std::move(model), {}};
    Model& m = strip.model;
    m.tissue_nodes = m.nodes();
    m.thinnest_pair = m.thinnest_tube = 0.004;
    m.detector = DetectorKind::bvh;
    m.contact.friction = 0.2;
    for (Triangle& t : m.surface.triangles) t.sheet = self_contact;
    add_sheets(m);
    strip.state.x = m.rest;
    strip.state.v.resize(m.nodes());
    return strip;
}

// A leg that is held, a bend, and a leg that hangs over it, a little askew.
Model make_fold() {
    std::vector<Vec3> line;
    for (int i = 0; i <= 20; ++i) line.push_back({0.2 - 0.01 * i, 0, 0});
    const double radius = 0.015;
    for (int i = 1; i < 5; ++i) {
        line.push_back({-radius * std::sin(pi * i / 5), 0, radius * (1 - std::cos(pi * i / 5))});
    }
    for (int i = 0; i <= 20; ++i) line.push_back({0.0097 * i, 0.003 * i, 2 * radius});
    Model model;
    add_strip(model, line, 4, 0.06, 21);
    return model;
}

Surface all_sheets(const Model& model) {
    Surface surface = without_edges(model.surface);
    for (Triangle& t : surface.triangles) t.sheet = true;
    return surface;
}

struct Fallen {
    int pass_throughs = 0, touching = 0;
    double worst = 0.0, lowest = 1.0;
    std::uint64_t hash = 0;
};
Fallen run(Strip strip, int steps, int threads = 1) {
    World world(std::move(strip.model), std::move(strip.state), threads);
    world.keep_trail(true);
    const Model& model = world.model();
    audit::Audit audit(all_sheets(model), model.rest, static_cast<int>(model.bodies.size()));
    Inputs inputs;
    inputs.gravity = {0, 0, -9.81};
    Fallen fallen;
    for (int i = 0; i < steps; ++i) {
        const StepReport report = world.step(inputs);
        const audit::StepFindings& found = audit.examine(world.trail(), report.substeps);
        fallen.pass_throughs += found.pass_throughs;
        fallen.worst = std::max(fallen.worst, found.worst);
        fallen.touching = found.touching;
        fallen.hash = report.hash;
    }
    for (const Vec3& p : world.state().x) fallen.lowest = std::min(fallen.lowest, p.z);
    return fallen;
}

TEST(Sheets, AFoldComesToLieOnItself) {
    const Fallen on = run(finish(make_fold(), true), 45);
    EXPECT_EQ(on.pass_throughs, 0);
    EXPECT_GT(on.touching, 5);
    EXPECT_LT(on.worst, 0.5);
    const Fallen off = run(finish(make_fold(), false), 45);
    EXPECT_GT(off.pass_throughs, 0);  // negative control: it falls through itself
    EXPECT_LT(off.lowest, -0.05);
}

TEST(Sheets, ThreadsGiveTheSameBits) {
    const std::uint64_t one = run(finish(make_fold(), true), 20).hash;
    EXPECT_EQ(one, run(finish(make_fold(), true), 20, 2).hash);
    EXPECT_NE(one, run(finish(make_fold(), false), 20).hash);
}

// Two free sheets that fly at each other.
TEST(Sheets, MomentumIsKept) {
    const auto meet = [](bool contact) {
        Model model;
        for (const double z : {0.0, 0.02}) {
            std::vector<Vec3> line;
            for (int i = 0; i <= 12; ++i) line.push_back({0.013 * i + 0.3 * z, 0.2 * z, z});
            add_strip(model, line, 4, 0.05, 0);
        }
        Strip strip = finish(std::move(model), contact);
        for (std::size_t n = 0; n < strip.state.v.size(); ++n) {
            strip.state.v[n] = n < strip.state.v.size() / 2 ? Vec3{0.1, 0, 0.5} : Vec3{0, 0.05, -0.3};
        }
        World world(std::move(strip.model), std::move(strip.state), 1);
        Inputs still;
        const Vec3 before = momentum(world);
        for (int i = 0; i < 6; ++i) world.step(still);
        EXPECT_LT(norm(momentum(world) - before), 1e-9 * norm(before));
        double lower = 0.0;
        for (std::size_t n = 0; n < world.state().v.size() / 2; ++n) lower += world.state().v[n].z;
        return lower / (0.5 * static_cast<double>(world.state().v.size()));
    };
    EXPECT_LT(meet(true), 0.2);           // about their common speed, 0.1 m/s
    EXPECT_NEAR(meet(false), 0.5, 1e-9);  // negative control
}

// --- The anatomy's sheet. ---

Model make_intestine(bool self_contact) {
    return build_scene(read_scene(find_scene("intestine", {std::string("gut.mesentery_self_contact=") +
                                                           (self_contact ? "true" : "false")})),
                       1)
        .model;
}

TEST(Sheets, FeaturesOfTheMesentery) {
    const Model model = make_intestine(true);
    const Surface& s = model.surface;
    std::set<std::int32_t> corners;
    std::set<std::pair<std::int32_t, std::int32_t>> edges;
    std::set<std::int32_t> tube;
    for (std::size_t i = 0; i < at(plain_capsules(s)); ++i) tube.insert({s.capsules[i].a, s.capsules[i].b});
    for (const Triangle& t : s.triangles) {
        EXPECT_TRUE(t.sheet);
        const std::int32_t n[3] = {t.a, t.b, t.c};
        for (int k = 0; k < 3; ++k) {
            if (tube.count(n[k]) == 0) corners.insert(n[k]);
            const auto [a, b] = std::minmax(n[k], n[(k + 1) % 3]);
            if (tube.count(a) == 0 || tube.count(b) == 0) edges.insert({a, b});
        }
    }
    EXPECT_EQ(at(s.features.corners), corners.size());
    EXPECT_EQ(at(s.features.edges), edges.size());
    for (std::size_t i = at(plain_capsules(s)); i < s.capsules.size(); ++i) {
        const Capsule& c = s.capsules[i];
        EXPECT_TRUE(c.sheet);
        EXPECT_EQ(c.a == c.b ? corners.erase(c.a) : edges.erase({c.a, c.b}), 1U) << "twice, or not of a triangle";
    }
    // Nothing else of the model changes, and without it there are none.
    const Model plain = make_intestine(false);
    EXPECT_EQ(plain.surface.capsules.size(), at(plain_capsules(s)));
    EXPECT_EQ(without_edges(s).capsules.size(), plain.surface.capsules.size());
    EXPECT_EQ(plain.thinnest_pair, model.thinnest_tube);
    EXPECT_EQ(model.thinnest_pair, 0.004);  // steps are as short as the sheet asks
    EXPECT_EQ(plain.contact_radius, model.contact_radius);
}

// Share of its own mesentery's area that a segment of the gut does not touch, on average.
double share_left_out(const std::vector<std::string>& overrides) {
    const Model model = build_scene(read_scene(find_scene("intestine", overrides)), 1).model;
    const Surface& s = model.surface;
    double left_out = 0.0, all = 0.0;
    for (std::size_t a = 0; a < at(plain_capsules(s)); ++a) {
        for (std::size_t t = 0; t < s.triangles.size(); ++t) {
            const Triangle& f = s.triangles[t];
            const Vec3& corner = model.rest[at(f.a)];
            const double area = norm(cross(model.rest[at(f.b)] - corner, model.rest[at(f.c)] - corner));
            all += area;
            left_out += can_touch(s, a, t) ? 0.0 : area;
        }
    }
    return left_out / all;
}

// Pairs of the gut and its own mesentery that may touch and do so as built.
int overlaps_as_built(const Model& model) {
    const Surface& s = model.surface;
    int count = 0;
    for (std::int32_t a = 0; a < plain_capsules(s); ++a) {
        for (std::size_t t = 0; t < s.triangles.size(); ++t) {
            Pair pair;
            pair.a = a;
            pair.b = static_cast<std::int32_t>(s.capsules.size() + t);
            if (can_touch(s, at(a), t) && measure(s, pair, model.rest, {}).gap < 0.0) ++count;
        }
    }
    return count;
}

TEST(Sheets, NothingOfTheGutOverlapsAsBuilt) {
    for (const char* segments : {"300", "301", "400", "700", "1000", "1999"}) {
        Model model =
            build_scene(read_scene(find_scene("intestine", {std::string("gut.segments=") + segments})), 1).model;
        EXPECT_EQ(overlaps_as_built(model), 0) << segments;
        model.surface.overlaps.clear();
        EXPECT_GT(overlaps_as_built(model), 0) << segments;  // negative control: the root zone
    }
}

TEST(Sheets, TheGutTouchesItsOwnMesentery) {
    for (const char* segments : {"gut.segments=300", "gut.segments=1000", "gut.segments=3000"}) {
        const double graded = share_left_out({segments});
        EXPECT_LT(graded, 0.01) << segments;
        RecordProperty(segments, std::to_string(graded));
    }
    EXPECT_GT(share_left_out({"gut.rows=4"}), 0.02);  // a grid leaves out all that hangs on its columns
}

// Nothing that is allowed to touch is closer at rest than a U-turn of the sheet.
TEST(Sheets, NothingTouchesAtRest) {
    const Model model = make_intestine(true);
    const Surface& s = model.surface;
    std::vector<std::uint8_t> enabled(s.capsules.size(), 1);
    std::vector<double> margin(model.nodes(), 0.57 * 0.002);
    ThreadPool pool(1);
    DetectorScratch scratch;
    std::vector<Pair> found;
    find_pairs_brute({s, enabled, model.rest}, margin, pool, scratch, found);
    for (const Pair& pair : found) EXPECT_FALSE(s.capsules[at(pair.a)].sheet);
    EXPECT_GT(s.features.near.size(), 100U);
    Surface bare = s;
    bare.features.near.clear();
    find_pairs_brute({bare, enabled, model.rest}, margin, pool, scratch, found);
    EXPECT_TRUE(s.capsules[at(found.back().a)].sheet);  // negative control
}

TEST(Sheets, TheMesenteryDoesNotPassThroughItself) {
    const auto fall = [](bool self_contact) {
        const SceneDescription scene = read_scene(
            find_scene("intestine", {std::string("gut.mesentery_self_contact=") + (self_contact ? "true" : "false")}));
        World world = make_world(scene);
        world.keep_trail(true);
        Script script(scene);
        audit::Audit audit(all_sheets(world.model()), world.model().rest,
                           static_cast<int>(world.model().bodies.size()));
        int pass_throughs = 0;
        for (int i = 0; i < 20; ++i) {
            const StepReport report = world.step(script.next(world));
            pass_throughs += audit.examine(world.trail(), report.substeps).pass_throughs;
        }
        return pass_throughs;
    };
    EXPECT_EQ(fall(true), 0);
    EXPECT_GT(fall(false), 100);  // negative control
}

}  // namespace
}  // namespace plica::testing
