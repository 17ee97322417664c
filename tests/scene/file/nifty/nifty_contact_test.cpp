#include <gtest/gtest.h>

#include "audit/audit.hpp"
#include "engine/world.hpp"
#include "scene/build.hpp"
#include "scene/description.hpp"
#include "scene/script.hpp"
#include "tests/scene/file/nifty/nifty_models.hpp"

// NiftySim models whose bodies touch: each other, themselves, rigid surfaces.
namespace plica::testing {
namespace {

SceneSource source_of(const std::string& text, std::vector<std::string> overrides = {}) {
    return {"model", "model.xml", text, std::move(overrides)};
}

// A model, run to its end and `rest` of its time again, with an audit of every step.
class Touching {
public:
    Touching(const SceneSource& source, double rest) : m_scene(read_scene(source)), m_world(make(source)) {
        Script script(m_scene);
        audit::Audit audit(without_edges(model().surface), model().rest, static_cast<int>(model().bodies.size()));
        m_world.keep_trail(true, audit.trail_interval());
        const int steps = static_cast<int>(std::lround((1.0 + rest) * m_scene.seconds / m_scene.dt));
        for (int i = 0; i < steps; ++i) {
            const StepReport report = m_world.step(script.next(m_world));
            EXPECT_TRUE(report.is_valid());
            for (const Vec3& force : m_world.frame().tool_force) m_peak = std::max(m_peak, norm(force));
            const int interval = audit.trail_interval();
            const int moves = (report.substeps + interval - 1) / interval;
            m_intersections += audit.examine(m_world.trail(), moves, interval).intersections;
        }
    }

    const SceneDescription& scene() const { return m_scene; }
    const Model& model() const { return m_world.model(); }
    const State& state() const { return m_world.state(); }
    int intersections() const { return m_intersections; }
    double peak_force() const { return m_peak; }  // N, on a tool
    Vec3 tool_force() const { return m_world.frame().tool_force.at(0); }

    Vec3 momentum(std::size_t body) const {
        Vec3 sum;
        for_each_node(body, [&](std::size_t n) {
            if (model().inverse_mass[n] > 0.0) sum += state().v[n] / model().inverse_mass[n];
        });
        return sum;
    }

    // Mean position of the nodes of a body that were there at rest.
    Vec3 mean_at(std::size_t body, int axis, double value) const {
        Vec3 sum;
        double count = 0.0;
        for_each_node(body, [&](std::size_t n) {
            const Vec3& p = model().rest[n];
            if (std::abs((axis == 0 ? p.x : axis == 1 ? p.y : p.z) - value) > 1e-9) return;
            sum += state().x[n];
            count += 1.0;
        });
        return sum / count;
    }

private:
    static World make(const SceneSource& source) {
        Built built = build_scene(source, 1);
        return World(std::move(built.model), std::move(built.state), 1);
    }
    template <class Visit>
    void for_each_node(std::size_t body, Visit&& visit) const {
        const Body& b = model().bodies[body];
        for (std::int32_t n = b.first_node; n < b.first_node + b.nodes; ++n) visit(static_cast<std::size_t>(n));
    }

    SceneDescription m_scene;
    World m_world;
    int m_intersections = 0;
    double m_peak = 0.0;
};

constexpr double margin = 0.001;  // m
constexpr double tolerance = 1e-3;

std::string parameters(const std::string& more = "") {
    return system_text(0.5, 1e-3, 30.0, fmt::format("<ContactSafetyMargin>{}</ContactSafetyMargin>", margin) + more);
}

// A block on rollers and what presses on it from above.
std::string pressed(const std::string& type, const std::string& surface, double shear = mu) {
    const VolumeMesh mesh = make_cube(type == "H8", 3);
    return model_text(mesh_text(mesh, type) + material_text(shear) + rollers(mesh) + surface + parameters());
}

constexpr double start = 0.102, way = 0.012;              // m
constexpr double height = (start - way - margin) / side;  // of the block at the end, of its own
double press_force(double shear) {
    return -neo_hookean(shear, height, free_width(shear, height)).along * side * side;
}

std::string moving_sheet(const std::string& more = "") {
    return sheet_text(-0.05, 0.2, start, fmt::format("<Motion Type=\"Translation\">0 0 {}</Motion>\n{}", -way, more));
}

std::string moving_plate() {
    return fmt::format(
        "<ContactPlate><a>-0.05 -0.05 {0}</a><b>-0.05 0.2 {0}</b><c>0.2 -0.05 {0}</c><Disp>0 0 {1}</Disp>"
        "<SlvNodes>0</SlvNodes></ContactPlate>\n",
        start, -way);
}

TEST(NiftyContact, AMovingSurfacePressesABlock) {
    for (const auto& [type, surface] :
         {std::pair<std::string, std::string>{"T4", moving_sheet()}, {"H8", moving_sheet()}, {"T4", moving_plate()}}) {
        const Touching run(source_of(pressed(type, surface)), 2.0);
        EXPECT_EQ(run.intersections(), 0);
        EXPECT_NEAR(run.mean_at(0, 2, side).z, height * side, 0.02 * margin);
        EXPECT_NEAR(run.tool_force().z, press_force(mu), tolerance * press_force(mu));
        EXPECT_LT(run.peak_force(), 1.5 * press_force(mu)) << "it was hit, not pressed";
        EXPECT_LT(norm(Vec3{run.tool_force().x, run.tool_force().y, 0.0}), 2.0 * tolerance * press_force(mu));
        const std::string name = fmt::format("{}_{}", type, run.scene().tools[0].tool.name);
        RecordProperty(fmt::format("{}_peak", name), fmt::format("{:.3f}", run.peak_force() / press_force(mu)));
        RecordProperty(name, fmt::format("{:.2e}", run.tool_force().z / press_force(mu) - 1.0));
        const Touching softer(source_of(pressed(type, surface, 0.99 * mu)), 2.0);
        EXPECT_GT(std::abs(softer.tool_force().z / press_force(mu) - 1.0), tolerance) << "a wrong modulus goes unseen";
    }
}

TEST(NiftyContact, TheAuditSeesASurfaceThatDoesNotTouch) {
    const Touching run(source_of(pressed("T4", moving_sheet()), {"contact.enabled=false"}), 0.0);
    EXPECT_GT(run.intersections(), 0);
    EXPECT_NEAR(run.mean_at(0, 2, side).z, side, 1e-9);
}

// Two free blocks, 2 mm apart; the first is driven towards the second.
std::string two_blocks(const std::string& switches) {
    const VolumeMesh first = make_cube(false, 2), second = moved(make_cube(true, 2), {side + 0.002, 0.01, 0.01});
    const std::string drive =
        "<Constraint Type=\"Gravity\" NumNodes=\"all\" LoadShape=\"STEP\"><Nodes>0</Nodes>"
        "<AccelerationMagnitude>2</AccelerationMagnitude><AccelerationDirection>1 0 0</AccelerationDirection>"
        "</Constraint>";
    return model_text("<SubModel>" + mesh_text(first, "T4") + material_text() + drive + "</SubModel>\n<SubModel>" +
                      mesh_text(second, "H8") + material_text() + "</SubModel>\n" +
                      system_text(0.1, 1e-3, 0.0, switches));
}

TEST(NiftyContact, BlocksThatCollideExchangeMomentum) {
    const Touching run(source_of(two_blocks("<DoDeformableCollision>1</DoDeformableCollision>")), 0.0);
    EXPECT_TRUE(run.scene().contact.enabled);
    EXPECT_EQ(run.intersections(), 0);
    const double driven = 1000.0 * side * side * side * 2.0 * run.scene().seconds;  // kg m/s
    const Vec3 first = run.momentum(0), second = run.momentum(1), both = first + second;
    EXPECT_NEAR(both.x, driven, 0.01 * driven);
    EXPECT_LT(std::abs(both.y) + std::abs(both.z), 1e-3 * driven);
    EXPECT_GT(second.x, 0.2 * driven);
    RecordProperty("given", fmt::format("{:.3f}", second.x / driven));

    const Touching through(source_of(two_blocks("<DoDeformableCollision>0</DoDeformableCollision>")), 0.0);
    EXPECT_FALSE(through.scene().contact.enabled);
    EXPECT_GT(through.intersections(), 0);
    EXPECT_EQ(norm(through.momentum(1)), 0.0);
    EXPECT_NEAR(through.momentum(0).x, both.x, 1e-6 * driven);
    RecordProperty("drift", fmt::format("{:.2e}", (both.x - through.momentum(0).x) / driven));
}

std::string all_notes(const SceneDescription& scene) {
    std::string all;
    for (const std::string& note : scene.notes) all += note + "\n";
    return all;
}

TEST(NiftyContact, SwitchesSayWhatTouches) {
    const auto scene_of = [](const std::string& switches) { return read_scene(source_of(two_blocks(switches))); };
    const SceneDescription none = scene_of("");
    EXPECT_FALSE(none.contact.enabled);
    const SceneDescription others = scene_of("<DoDeformableCollision>1</DoDeformableCollision>");
    EXPECT_TRUE(others.contact.enabled);
    EXPECT_FALSE(others.bodies[0].organ.self_contact);
    EXPECT_FALSE(others.bodies[1].organ.self_contact);
    EXPECT_EQ(others.contact.friction, 0.0);
    EXPECT_EQ(all_notes(others), "");
    const SceneDescription itself = scene_of("<DoSelfCollision Type=\"MultiPass\">1</DoSelfCollision>");
    EXPECT_TRUE(itself.contact.enabled);
    EXPECT_TRUE(itself.bodies[0].organ.self_contact);
    EXPECT_TRUE(itself.bodies[1].organ.self_contact);
    EXPECT_NE(all_notes(itself).find("Type has no effect"), std::string::npos);
    const SceneDescription rough = scene_of(
        "<DoDeformableCollision>1</DoDeformableCollision><DeformableFrictionCoefficient>0.3"
        "</DeformableFrictionCoefficient><RateConstraintDistance>0.01</RateConstraintDistance><BVType>AABB</BVType>");
    EXPECT_EQ(rough.contact.friction, 0.3);
    for (const char* word : {"RateConstraintDistance", "BVType"}) {
        EXPECT_NE(all_notes(rough).find(word), std::string::npos) << all_notes(rough);
    }
}

// A block that falls in a closed box, whichever way the box's normals point.
std::string boxed(bool inward) {
    const VolumeMesh mesh = make_cube(false, 2);
    const char* const sides = inward ? "1 3 2 0  6 7 5 4  4 5 1 0  3 7 6 2  2 6 4 0  5 7 3 1"
                                     : "0 2 3 1  4 5 7 6  0 1 5 4  2 6 7 3  0 4 6 2  1 3 7 5";
    return model_text(
        mesh_text(mesh, "T4") + material_text(3000.0) +
        fmt::format("<ContactSurface><Nodes NumNodes=\"8\">-0.02 -0.03 -0.02  0.13 -0.03 -0.02  -0.02 0.12 -0.02  "
                    "0.13 0.12 -0.02  -0.02 -0.03 0.2  0.13 -0.03 0.2  -0.02 0.12 0.2  0.13 0.12 0.2</Nodes>"
                    "<Elements NumEls=\"6\" Type=\"Q4\">{}</Elements></ContactSurface>\n",
                    sides) +
        "<Constraint Type=\"Gravity\" NumNodes=\"all\" LoadShape=\"STEP\"><Nodes>0</Nodes>"
        "<AccelerationMagnitude>9.81</AccelerationMagnitude><AccelerationDirection>0.3 0 -1</AccelerationDirection>"
        "</Constraint>" +
        system_text(0.5, 1e-3, 8.0));
}

TEST(NiftyContact, AClosedSurfaceMayHoldABody) {
    for (const bool inward : {false, true}) {
        const Touching run(source_of(boxed(inward)), 0.0);
        EXPECT_EQ(run.intersections(), 0);
        EXPECT_LT(run.mean_at(0, 2, 0.0).z, -0.015);
        EXPECT_GT(run.mean_at(0, 2, 0.0).z, -0.02);
        const Touching through(source_of(boxed(inward), {"contact.enabled=false"}), 0.0);
        EXPECT_GT(through.intersections(), 0);
    }
}

// A mesh of two parts, as one body: they collide, though nothing is to touch itself.
TEST(NiftyContact, PartsOfOneMeshCollide) {
    VolumeMesh mesh = make_cube(false, 2);
    const VolumeMesh second = moved(mesh, {0.01, 0.01, side + 0.002});
    const auto first_nodes = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.insert(mesh.nodes.end(), second.nodes.begin(), second.nodes.end());
    for (auto cell : second.tetrahedra) {
        for (std::int32_t& n : cell) n += first_nodes;
        mesh.tetrahedra.push_back(cell);
    }
    const std::string text =
        model_text(mesh_text(mesh, "T4") + material_text() + constraint_text("Type=\"Fix\"", nodes_at(mesh, 2, 0.0)) +
                   constraint_text("Type=\"Disp\" DOF=\"2\" LoadShape=\"RAMP\"", nodes_at(mesh, 2, 2.0 * side + 0.002),
                                   uniform(-0.01)) +
                   system_text(0.3, 1e-3, 30.0, "<DoDeformableCollision>1</DoDeformableCollision>"));
    const Touching run(source_of(text), 0.0);
    EXPECT_NE(all_notes(run.scene()).find("2 parts"), std::string::npos);
    EXPECT_EQ(run.intersections(), 0);
    EXPECT_LT(run.mean_at(0, 2, side).z, side - 0.001);
}

// A horseshoe whose arms are driven together.
std::string horseshoe(const std::string& switches) {
    VolumeMesh mesh = make_tetrahedral_block({}, {0.1, 0.04, 0.1}, {5, 2, 5});
    std::erase_if(mesh.tetrahedra, [&](const std::array<std::int32_t, 4>& cell) {
        Vec3 middle;
        for (const std::int32_t n : cell) middle += mesh.nodes[static_cast<std::size_t>(n)] * 0.25;
        return std::abs(middle.x - 0.05) < 0.01 && middle.z > 0.04;
    });
    const auto top_of = [&](double x) {
        std::vector<std::int32_t> nodes;
        for (const std::int32_t n : nodes_at(mesh, 0, x)) {
            if (mesh.nodes[static_cast<std::size_t>(n)].z > 0.09) nodes.push_back(n);
        }
        return nodes;
    };
    return model_text(mesh_text(mesh, "T4") + material_text() +
                      constraint_text("Type=\"Fix\"", nodes_at(mesh, 2, 0.0)) +
                      constraint_text("Type=\"Disp\" DOF=\"0\"", top_of(0.0), uniform(0.015)) +
                      constraint_text("Type=\"Disp\" DOF=\"0\"", top_of(0.1), uniform(-0.015)) +
                      system_text(0.5, 1e-3, 20.0, switches));
}

TEST(NiftyContact, ABodyTouchesItselfWhenItIsTo) {
    const Touching run(source_of(horseshoe("<DoSelfCollision>1</DoSelfCollision>")), 0.0);
    EXPECT_EQ(run.intersections(), 0);
    EXPECT_LT(run.mean_at(0, 0, 0.04).x, run.mean_at(0, 0, 0.06).x);
    const Touching through(source_of(horseshoe("<DoDeformableCollision>1</DoDeformableCollision>")), 0.0);
    EXPECT_TRUE(through.scene().contact.enabled);
    EXPECT_GT(through.intersections(), 0);
}

TEST(NiftyContact, EachSurfaceHasItsFriction) {
    const auto rub = [](double friction) {
        return fmt::format("<FrictionCoefficient>{}</FrictionCoefficient>", friction);
    };
    const SceneDescription one = read_scene(source_of(pressed("T4", moving_sheet(rub(0.4)))));
    EXPECT_EQ(one.contact.friction, 0.4);
    EXPECT_TRUE(one.friction_pairs.empty());
    EXPECT_EQ(all_notes(one), "");
    const SceneDescription two =
        read_scene(source_of(pressed("T4", moving_sheet(rub(0.4)) + sheet_text(-0.05, 0.2, 0.3, rub(0.1)))));
    EXPECT_EQ(two.contact.friction, 0.4);
    EXPECT_EQ(all_notes(two), "");
    ASSERT_EQ(two.friction_pairs.size(), 1U);
    EXPECT_EQ(two.friction_pairs[0].body, two.bodies[0].name);
    EXPECT_EQ(two.friction_pairs[0].other, "surface2");
    EXPECT_EQ(two.friction_pairs[0].friction, 0.1);
    EXPECT_EQ(two.bodies.size(), 2U);
    EXPECT_EQ(two.bodies[1].name, "surface2");
    EXPECT_EQ(two.bodies[1].tissue, TissueKind::rigid);
    ASSERT_EQ(two.tools.size(), 1U);
    EXPECT_EQ(two.tools[0].tool.name, "surface1");
}

TEST(NiftyContact, TheMarginIsWhatContactAdds) {
    const SceneDescription scene = read_scene(source_of(pressed("T4", moving_sheet())));
    EXPECT_EQ(scene.bodies[0].organ.thickness, margin);
    EXPECT_EQ(scene.tools[0].rigid.thickness, margin);
    EXPECT_FALSE(scene.bodies[0].organ.self_contact);
    std::string text = pressed("T4", moving_sheet());
    const std::string given = fmt::format(">{}</ContactSafetyMargin>", margin);
    text.replace(text.find(given), given.size(), ">0.5</ContactSafetyMargin>");
    const SceneDescription wide = read_scene(source_of(text));
    EXPECT_LT(wide.bodies[0].organ.thickness, 0.02);
    EXPECT_NE(all_notes(wide).find("ContactSafetyMargin"), std::string::npos);
}

TEST(NiftyContact, ASurfaceForBodiesThatDoNotCollideIsNoted) {
    std::string text = two_blocks("");
    text.insert(text.find("<SystemParams>"), sheet_text(-0.05, 0.2, 0.3, ""));
    const SceneDescription scene = read_scene(source_of(text));
    EXPECT_TRUE(scene.contact.enabled);
    EXPECT_NE(all_notes(scene).find("no switch"), std::string::npos) << all_notes(scene);
}

}  // namespace
}  // namespace plica::testing
