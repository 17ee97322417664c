#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "engine/world.hpp"
#include "geometry/mesh/write_mesh.hpp"
#include "scene/build.hpp"
#include "scene/description.hpp"
#include "scene/script.hpp"
#include "tests/scene/file/nifty/nifty_models.hpp"
#include "tests/support/temp_folder.hpp"
#include "tissue/tled/fields.hpp"

namespace plica::testing {
namespace {

constexpr double model_seconds = 2.0, damping = 20.0, model_tolerance = 1e-3;

SceneSource model_source(const std::string& text, std::vector<std::string> overrides = {}) {
    return {"model", "model.xml", text, std::move(overrides)};
}

// A model, run to its end and half as long again.
class Course {
public:
    explicit Course(const SceneSource& source) : m_scene(read_scene(source)), m_world(make(source)) {
        Script script(m_scene);
        for (int i = 0; i < static_cast<int>(std::lround(1.5 * m_scene.seconds / m_scene.dt)); ++i) {
            EXPECT_TRUE(m_world.step(script.next(m_world)).is_valid());
        }
    }

    const World& world() const { return m_world; }
    const SceneDescription& scene() const { return m_scene; }

    // Mean position of the nodes that were there at rest.
    Vec3 mean_at(int axis, double value, std::size_t body = 0) const {
        const Body& b = m_world.model().bodies[body];
        Vec3 sum;
        double count = 0.0;
        for (auto n = static_cast<std::size_t>(b.first_node); n < static_cast<std::size_t>(b.first_node + b.nodes);
             ++n) {
            const Vec3& p = m_world.model().rest[n];
            const double c = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
            if (std::abs(c - value) > 1e-9) continue;
            sum += m_world.state().x[n];
            count += 1.0;
        }
        return sum / count;
    }

    // What holds the far side along x, N.
    double pull() const {
        const tled::Workspace& work = m_world.work<Solids>().organs[0];
        double sum = 0.0;
        for (std::size_t n = 0; n < work.force.size(); ++n) {
            if (std::abs(m_world.model().rest[n].x - side) < 1e-9) sum += work.force[n].x;
        }
        return sum;
    }

private:
    static World make(const SceneSource& source) {
        Built built = build_scene(source, 1);
        return World(std::move(built.model), std::move(built.state), 1);
    }
    SceneDescription m_scene;
    World m_world;
};

std::string stretched(const std::string& type, int cells, double shear = mu) {
    const VolumeMesh mesh = make_cube(type == "H8", cells);
    return model_text(
        mesh_text(mesh, type) + material_text(shear) + rollers(mesh) +
        constraint_text("Type=\"Disp\" DOF=\"0\" LoadShape=\"POLY345\"", nodes_at(mesh, 0, side), uniform(0.3 * side)) +
        system_text(model_seconds, 1e-3, damping));
}

// How far force and width are from the closed form, relative.
double stretch_error(const std::string& type, int cells, double shear) {
    const Course run(model_source(stretched(type, cells, shear)));
    const double b = free_width(mu, 1.3);
    const double force = neo_hookean(mu, 1.3, b).along * side * side;
    EXPECT_NEAR(run.mean_at(0, side).x, 1.3 * side, 1e-9);
    return std::max({std::abs(run.pull() / force - 1.0), std::abs(run.mean_at(1, side).y / (b * side) - 1.0),
                     std::abs(run.mean_at(2, side).z / (b * side) - 1.0)});
}

TEST(Nifty, StretchedBlocksHaveTheClosedForm) {
    for (const char* type : {"H8", "T4", "T4ANP"}) {
        for (const int cells : {1, 3}) {
            const double error = stretch_error(type, cells, mu);
            EXPECT_LT(error, model_tolerance) << type << " " << cells;
            RecordProperty(fmt::format("{}_{}", type, cells), fmt::format("{:.2e}", error));
            EXPECT_GT(stretch_error(type, cells, 1.01 * mu), model_tolerance) << "a wrong shear modulus goes unseen";
        }
    }
}

// A load on the side +x of a block on rollers.
std::string loaded(const std::string& type, const std::string& load, double shear = mu) {
    const VolumeMesh mesh = make_cube(type == "H8", 2);
    return model_text(mesh_text(mesh, type) + material_text(shear) + rollers(mesh) + load +
                      system_text(model_seconds, 1e-3, damping));
}

std::string normal_load(const std::string& type, const std::string& magnitude) {
    return fmt::format(
        "<Constraint Type=\"{}\" SpecType=\"NORMAL\" LoadShape=\"POLY345\"><Normal ToleranceAngle=\"1\">1 0 0</Normal>"
        "{}</Constraint>\n",
        type, magnitude);
}

TEST(Nifty, PressedAndPulledBlocksHaveTheClosedForm) {
    const double pressure = 600.0;
    const double pressed = stretch_under(mu, -pressure), pulled = stretch_under(mu, 600.0);
    EXPECT_LT(pressed, 0.9);
    const std::string press = normal_load("Pressure", "<Magnitude>600</Magnitude>");
    // NiftySim's tractions push along -t.
    const std::string pull = normal_load("Traction", "<Magnitudes Type=\"UNIFORM\">-600 0 0</Magnitudes>");
    for (const char* type : {"H8", "T4", "T4ANP"}) {
        const double x = Course(model_source(loaded(type, press))).mean_at(0, side).x / side;
        EXPECT_NEAR(x, pressed, model_tolerance * std::abs(pressed - 1.0)) << type;
        const double longer = Course(model_source(loaded(type, pull))).mean_at(0, side).x / side;
        EXPECT_NEAR(longer, pulled, model_tolerance * std::abs(pulled - 1.0)) << type;
        RecordProperty(fmt::format("{}_pressed", type),
                       fmt::format("{:.2e}", std::abs((x - pressed) / (pressed - 1.0))));
        RecordProperty(fmt::format("{}_pulled", type),
                       fmt::format("{:.2e}", std::abs((longer - pulled) / (pulled - 1.0))));
        const double wrong = Course(model_source(loaded(type, press, 1.01 * mu))).mean_at(0, side).x / side;
        EXPECT_GT(std::abs(wrong - pressed), model_tolerance * std::abs(pressed - 1.0)) << type;
    }
}

TEST(Nifty, FacesListedAndFacesByNormalAreTheSame) {
    const VolumeMesh mesh = make_cube(true, 1);
    const auto corner = [&](double y, double z) {
        for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
            if (distance(mesh.nodes[n], {side, y, z}) < 1e-9) return static_cast<std::int32_t>(n);
        }
        return -1;
    };
    const std::vector<std::int32_t> square{corner(0, 0), corner(side, 0), corner(side, side), corner(0, side)};
    const std::string by_list = fmt::format(
        "<Constraint Type=\"Pressure\" NumFaces=\"1\" FaceType=\"Quad\"><Faces>{}</Faces><Magnitude>500"
        "</Magnitude></Constraint>\n",
        list(square));
    const std::string both = normal_load("Pressure", "<Magnitude>500</Magnitude>");
    const std::string rest =
        mesh_text(mesh, "H8") + material_text() + rollers(mesh) + system_text(model_seconds, 1e-3, damping);
    const double listed = Course(model_source(model_text(rest + by_list))).mean_at(0, side).x;
    const double found = Course(model_source(model_text(rest + both))).mean_at(0, side).x;
    EXPECT_NEAR(listed, found, 1e-12);
    EXPECT_LT(listed, 0.95 * side);
}

TEST(Nifty, ForcesAreOfEachNode) {
    const VolumeMesh mesh = make_cube(true, 1);
    // Four corners that share a side: 2 N each are 800 Pa at rest.
    const std::string load = constraint_text("Type=\"Force\" DOF=\"0\" LoadShape=\"RAMP\"", nodes_at(mesh, 0, side),
                                             "<Magnitudes Type=\"DIFFORM\">2 2 2 2</Magnitudes>");
    const Course run(model_source(model_text(mesh_text(mesh, "H8") + material_text() + rollers(mesh) + load +
                                             system_text(model_seconds, 1e-3, damping))));
    const double a = run.mean_at(0, side).x / side;
    EXPECT_NEAR(neo_hookean(mu, a, free_width(mu, a)).along, 800.0, 0.8);
}

TEST(Nifty, GravityIsTheWeightOfItsNodes) {
    const VolumeMesh mesh = make_cube(false, 2);
    const std::string load = constraint_text(
        "Type=\"Gravity\" LoadShape=\"RAMP\"", nodes_at(mesh, 0, side),
        "<AccelerationMagnitude>9.81</AccelerationMagnitude><AccelerationDirection>0 0 -2</AccelerationDirection>");
    const Course run(model_source(model_text(mesh_text(mesh, "T4") + material_text() +
                                             constraint_text("Type=\"Fix\"", nodes_at(mesh, 2, 0.0)) + load +
                                             system_text(model_seconds, 1e-3, damping))));
    const Load& weight = run.world().model().of<Solids>()[0].loads[0];
    double mass = 0.0, expected = 0.0;
    for (const double m : weight.masses) mass += m;
    for (const double m : tled::lump_masses(mesh, std::vector<tled::Material>(1, [] {
                                                tled::Material m;
                                                m.density = 1000.0;
                                                return m;
                                            }()))) {
        expected += m;
    }
    EXPECT_NEAR(expected, 1.0, 1e-9);
    EXPECT_GT(mass, 0.05);
    EXPECT_LT(mass, 0.5);
    double held = 0.0;
    const tled::Workspace& work = run.world().work<Solids>().organs[0];
    for (std::size_t n = 0; n < work.force.size(); ++n) {
        if (run.world().model().rest[n].z < 1e-9) held += work.force[n].z - work.external[n].z;
    }
    EXPECT_NEAR(held, 9.81 * mass, 1e-3 * 9.81 * mass);
}

TEST(Nifty, SetsHaveTheirOwnMaterials) {
    // Two cubes in a row: the softer one gives way.
    const VolumeMesh mesh = make_hexahedral_block({}, {2.0 * side, side, side}, {2, 1, 1});
    const auto text = [&](const std::string& sets) {
        return model_text(mesh_text(mesh, "H8") + sets + rollers(mesh) +
                          constraint_text("Type=\"Disp\" DOF=\"0\"", nodes_at(mesh, 0, 2.0 * side), uniform(0.04)) +
                          system_text(model_seconds, 1e-3, damping));
    };
    const Course same(model_source(text(material_text(mu, "2", "0"))));
    EXPECT_NEAR(same.mean_at(0, side).x, 0.12, 1e-5);
    const Course soft_first(model_source(text(material_text(0.5 * mu, "1", "0") + material_text(mu, "1", "1"))));
    EXPECT_GT(soft_first.mean_at(0, side).x, 0.123);
    const Course soft_last(model_source(text(material_text(0.5 * mu, "1", "1") + material_text(mu, "1", "0"))));
    EXPECT_LT(soft_last.mean_at(0, side).x, 0.117);
}

TEST(Nifty, FibresAreHalfAsStiffInOurEnergy) {
    const VolumeMesh mesh = make_cube(true, 1);
    const std::string set =
        "<ElementSet Size=\"1\"><Material Type=\"TI\"><ElasticParams NumParams=\"6\">1000 5000 400 3 0 0"
        "</ElasticParams><Density>900</Density></Material>0</ElementSet>";
    const SceneDescription scene = read_scene(model_source(
        model_text(mesh_text(mesh, "H8") + set + rollers(mesh) + system_text(model_seconds, 1e-3, damping))));
    const tled::Material& material = scene.bodies.at(0).organ.by_region.at(0);
    EXPECT_EQ(material.fibre.stiffness, 200.0);
    EXPECT_EQ(material.fibre.direction.x, 1.0);
    EXPECT_EQ(material.density, 900.0);
}

TEST(Nifty, EqualTermsRelaxAllOfTheStress) {
    const VolumeMesh mesh = make_cube(true, 1);
    const std::string set =
        "<ElementSet Size=\"1\"><Material Type=\"NHV\"><ElasticParams NumParams=\"2\">1000 5000</ElasticParams>"
        "<ViscoParams NumIsoTerms=\"1\" NumVolTerms=\"1\">0.5 0.1 0.5 0.1</ViscoParams></Material>0</ElementSet>";
    const Course run(model_source(
        model_text(mesh_text(mesh, "H8") + set + rollers(mesh) +
                   constraint_text("Type=\"Disp\" DOF=\"0\"", nodes_at(mesh, 0, side), uniform(0.3 * side)) +
                   system_text(model_seconds, 1e-3, damping))));
    const double force = neo_hookean(mu, 1.3, free_width(mu, 1.3)).along * side * side;
    EXPECT_NEAR(run.pull(), 0.5 * force, 2e-3 * force);
}

TEST(Nifty, StepsAreAFrameAndNoLongerThanNiftySims) {
    const VolumeMesh mesh = make_cube(true, 1);
    const auto scene_of = [&](double time, double step) {
        return read_scene(model_source(
            model_text(mesh_text(mesh, "H8") + material_text() + rollers(mesh) + system_text(time, step, 0.0))));
    };
    const SceneDescription scene = scene_of(0.5, 1e-3);
    EXPECT_DOUBLE_EQ(scene.seconds, 0.5);
    EXPECT_DOUBLE_EQ(scene.dt, 0.005);
    EXPECT_EQ(scene.substeps, 5);
    EXPECT_FALSE(scene.contact.enabled);
    EXPECT_EQ(norm(scene.gravity), 0.0);
    EXPECT_NEAR(scene_of(100.0, 1e-2).dt, 1.0 / 30.0, 1e-12);
    const SceneDescription fine = scene_of(1.0, 1e-7);
    EXPECT_LE(fine.dt / fine.substeps, 1.0000001e-7);
}

TEST(Nifty, OverridesReachTheSettings) {
    const std::string text = stretched("H8", 1);
    EXPECT_EQ(read_scene(model_source(text, {"solver.substeps=7"})).substeps, 7);
    EXPECT_TRUE(read_scene(model_source(text, {"solver.precision=double"})).exact);
    EXPECT_EQ(read_scene(model_source(text, {"seconds=3"})).seconds, 3.0);
    EXPECT_THROW(read_scene(model_source(text, {"model.damping=3"})), Error);
}

TEST(Nifty, ToolsMayFollowTheModel) {
    const SceneDescription scene = read_scene(
        model_source(stretched("H8", 1) +
                     "[[tool]]\nname = \"hand\"\npath = [ { t = 1e9, at = \"model\", near = [0, 0, 0.1] } ]\n"));
    ASSERT_EQ(scene.tools.size(), 1U);
    EXPECT_EQ(scene.tools[0].tool.name, "hand");
}

using NiftyFiles = TempFolderTest;

TEST_F(NiftyFiles, MeshesLieBesideTheModel) {
    write_gmsh(make_cube(false, 2), file("cube.msh"));
    write_vtk(make_cube(true, 1), file("cube.vtk"));
    const auto part = [&](const std::string& mesh, const std::string& extra) {
        return "<SubModel>" + mesh + material_text() + extra + "</SubModel>\n";
    };
    const std::string pull =
        "<Constraint Type=\"Fix\" SpecType=\"NORMAL\"><Normal ToleranceAngle=\"5\">-1 0 0</Normal></Constraint>"
        "<Constraint Type=\"Disp\" DOF=\"0\" SpecType=\"NORMAL\" LoadShape=\"RAMPHOLD\"><Normal ToleranceAngle=\"5\">1 "
        "0 "
        "0</Normal><Magnitudes Type=\"UNIFORM\">0.01</Magnitudes></Constraint>";
    const std::string text = model_text(
        part("<MSHMesh Type=\"T4ANP\">cube.msh<Translation>1 0 0</Translation></MSHMesh>", pull) +
        part("<VTKMesh Type=\"H8\">cube.vtk<ScaleFactor>2</ScaleFactor><Rotation>0 0 0 0 0 90</Rotation></VTKMesh>",
             "") +
        system_text(0.5, 1e-3, damping));
    std::ofstream(file("two.xml")) << text;
    const Course run(find_scene(file("two.xml")));
    ASSERT_EQ(run.world().model().bodies.size(), 2U);
    EXPECT_EQ(run.world().model().bodies[0].name, "submodel1");
    EXPECT_EQ(run.world().model().bodies[1].name, "submodel2");
    EXPECT_NEAR(run.mean_at(0, 1.0 + side, 0).x, 1.0 + side + 0.01, 1e-9);
    // Turned about z by 90 degrees: x goes to y, y to -x; then twice as large.
    EXPECT_NEAR(run.mean_at(0, -2.0 * side, 1).x, -2.0 * side, 1e-6);
    EXPECT_NEAR(run.mean_at(1, 2.0 * side, 1).y, 2.0 * side, 1e-6);
    // The text knows where its files are.
    SceneSource elsewhere = find_scene(file("two.xml"));
    elsewhere.file = "two (in the recording)";
    EXPECT_EQ(build_scene(elsewhere, 1).model.nodes(), run.world().model().nodes());
    elsewhere.text = text;
    elsewhere.files = nullptr;
    EXPECT_THROW(build_scene(elsewhere, 1), Error);
}

TEST(Nifty, WhatHasNoEffectIsNoted) {
    std::string text = stretched("H8", 1);
    text.insert(text.find("</SystemParams>"), "<HGKappa>0.075</HGKappa><ROM>0</ROM>");
    text.insert(text.find("</Model>"), "<Output Freq=\"10\"><Variable>U</Variable></Output>\n");
    const SceneDescription scene = read_scene(model_source(text));
    ASSERT_EQ(scene.notes.size(), 3U);
    std::string all;
    for (const std::string& note : scene.notes) all += note + "\n";
    for (const char* word : {"HGKappa", "ROM", "Output", "model.xml:"}) EXPECT_NE(all.find(word), all.npos) << all;
}

}  // namespace
}  // namespace plica::testing
