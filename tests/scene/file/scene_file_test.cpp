#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "engine/world.hpp"
#include "scene/build.hpp"
#include "scene/script.hpp"
#include "tests/scene/file/scene_texts.hpp"

namespace plica::testing {
namespace {

// What a scene says when nobody says anything.

TEST(SceneFile, ValidScenesGiveNoMistake) {
    EXPECT_EQ(mistakes(rope), Texts{});
    EXPECT_EQ(mistakes(intestine), Texts{});
    EXPECT_EQ(mistakes(every_table), Texts{});
    EXPECT_EQ(mistakes(probe + "path = [{ t = 0, at = \"gut:0\" }, { t = 1 }, { t = 2, to = [1, 1, 1] }, "
                               "{ t = 3, move = [0, 0, 1] }, { t = 4, release = true }]\n"),
              Texts{});
}

TEST(SceneFile, EveryBuiltInSceneReadsBuildsAndSteps) {
    ASSERT_GE(builtin_scenes().size(), 4U);
    for (const BuiltinScene& builtin : builtin_scenes()) {
        SCOPED_TRACE(builtin.name);
        const SceneSource source = find_scene(builtin.name);
        EXPECT_EQ(source.text, builtin.text);
        const SceneDescription scene = read_scene(source);
        EXPECT_FALSE(scene.bodies.empty());
        Built built = build_scene(scene, 1);
        EXPECT_GT(built.model.nodes(), 0U);
        EXPECT_EQ(built.state.x.size(), built.model.nodes());
        for (const Vec3& x : built.state.x) ASSERT_TRUE(is_finite(x));
        World world(std::move(built.model), std::move(built.state));
        Script script(scene);
        EXPECT_TRUE(world.step(script.next(world)).is_valid());
    }
}

TEST(SceneFile, EveryBuiltInSceneSaysWhatItIs) {
    for (const BuiltinScene& builtin : builtin_scenes()) {
        EXPECT_FALSE(read_scene(find_scene(builtin.name)).title.empty()) << builtin.name;
    }
}

TEST(SceneFile, ASceneOfFiveLinesRuns) {
    const std::string text = "plica = 1\n[[body]]\nname = \"gut\"\nanatomy = \"rope\"\nfixed = \"both\"\n";
    ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
    const SceneDescription scene = read(text);
    Built built = build_scene(scene, 1);
    World world(std::move(built.model), std::move(built.state));
    Script script(scene);
    const Vec3 middle = world.state().x[12];
    for (int i = 0; i < 30; ++i) ASSERT_TRUE(world.step(script.next(world)).is_valid());
    EXPECT_LT(world.state().x[12].z, middle.z - 0.001);
    EXPECT_EQ(world.state().x[0], world.model().rest[0]);
    EXPECT_EQ(world.state().x[25], world.model().rest[25]);
}

TEST(SceneFile, DefaultsOfTheScene) {
    const SceneDescription scene = read(rope);
    EXPECT_EQ(scene.title, "");
    EXPECT_DOUBLE_EQ(scene.seconds, 10.0);
    EXPECT_DOUBLE_EQ(scene.dt, 1.0 / 30.0);
    EXPECT_EQ(scene.substeps, 20);
    EXPECT_EQ(scene.gravity, (Vec3{0, 0, -9.81}));
    EXPECT_DOUBLE_EQ(scene.drag, 0.0);
    EXPECT_TRUE(scene.contact.enabled);
    EXPECT_EQ(scene.contact.response, ResponseKind::consistent);
    EXPECT_EQ(scene.contact.rate_layer, 0.0);
    EXPECT_EQ(scene.contact.normals, NormalKind::rounded);
    EXPECT_TRUE(scene.walls.empty());
    EXPECT_TRUE(scene.tools.empty());
}

TEST(SceneFile, DefaultsOfARope) {
    const SceneDescription scene = read(rope);
    ASSERT_EQ(scene.bodies.size(), 1U);
    const BodyDescription& body = scene.bodies[0];
    EXPECT_EQ(body.name, "gut");
    EXPECT_EQ(body.rope.layout, "line");
    EXPECT_DOUBLE_EQ(body.rope.length, 1.0);
    EXPECT_DOUBLE_EQ(body.rope.radius, 0.02);
    EXPECT_EQ(body.rope.segments, 25);
    EXPECT_EQ(body.rope.direction, (Vec3{1, 0, 0}));
    EXPECT_FALSE(body.fixed_start);
    EXPECT_FALSE(body.fixed_end);
    EXPECT_GT(body.mass_per_length, 0.0);
    EXPECT_GT(body.axial_stiffness, 0.0);
    EXPECT_GT(body.bending_stiffness, 0.0);
    EXPECT_DOUBLE_EQ(body.noise, 0.0);
}

TEST(SceneFile, DefaultsOfAnIntestineAreTheHumanPreset) {
    const BodyDescription body = read("plica = 1\n[[body]]\nname = \"gut\"\n").bodies.at(0);
    const IntestineParameters human = intestine_preset("human");
    EXPECT_EQ(body.anatomy, Anatomy::intestine);
    EXPECT_EQ(body.mesentery_name, "mesentery");
    EXPECT_EQ(body.intestine.segments, human.segments);
    EXPECT_EQ(body.intestine.rows, human.rows);
    EXPECT_EQ(body.intestine.mesentery, human.mesentery);
    EXPECT_DOUBLE_EQ(body.intestine.length, human.length);
    EXPECT_DOUBLE_EQ(body.intestine.radius_start, human.radius_start);
    EXPECT_DOUBLE_EQ(body.intestine.radius_end, human.radius_end);
    EXPECT_DOUBLE_EQ(body.intestine.half_thickness, human.half_thickness);
    EXPECT_EQ(body.axis, (Vec3{0, 0, 1}));
}

TEST(SceneFile, KnowsEveryResponseByItsName) {
    const std::pair<const char*, ResponseKind> names[] = {{"consistent", ResponseKind::consistent},
                                                          {"raghupathi", ResponseKind::raghupathi},
                                                          {"raghupathi_printed", ResponseKind::raghupathi_printed},
                                                          {"johnsen", ResponseKind::johnsen},
                                                          {"penalty", ResponseKind::penalty},
                                                          {"reaction", ResponseKind::reaction}};
    for (const auto& [name, kind] : names) {
        std::string text = "plica = 1\n[solver]\nresponse = \"";
        text.append(name).append("\"\n[[body]]\nname = \"gut\"\n");
        EXPECT_EQ(read(text).contact.response, kind) << name;
    }
}

TEST(SceneFile, NormalsOfRows) {
    EXPECT_EQ(read(rope + "[contact]\nnormals = \"smooth\"\n").contact.normals, NormalKind::smooth);
    EXPECT_EQ(read(rope + "[contact]\nnormals = \"facet\"\n").contact.normals, NormalKind::facet);
    EXPECT_EQ(read(rope + "[contact]\nnormals = \"rounded\"\n").contact.normals, NormalKind::rounded);
}

TEST(SceneFile, WhatAFileSaysIsWhatIsRead) {
    const SceneDescription scene = read(
        "plica = 1\ntitle = \"T\"\nseconds = 3\n"
        "[solver]\ndt = 0.01\nsubsteps = 7\nresponse = \"raghupathi\"\n"
        "[contact]\nenabled = false\nfriction = 0.7\nrate_layer = 2e-4\n"
        "[environment]\ngravity = [1, 2.5, -3]\ndrag = 4\nplane = { point = [0, 0, -1], normal = [0, 0, 2] }\n"
        "bowl = { radius = 0.3 }\ncavity = { radii = [1, 2, 3], friction = 0.9 }\n"
        "[[body]]\nname = \"a\"\nanatomy = \"rope\"\nfixed = \"end\"\nsegments = 10\nfrom = [1, 0, 0]\n"
        "[[body]]\nname = \"b\"\nanatomy = \"rope\"\nfrom = [0, 5, 0]\n"
        "[[tool]]\nname = \"p\"\npath = [{ t = 0.5, at = \"b:0.25\" }, { t = 1, release = true }]\n");
    EXPECT_EQ(scene.title, "T");
    EXPECT_DOUBLE_EQ(scene.seconds, 3.0);
    EXPECT_DOUBLE_EQ(scene.dt, 0.01);
    EXPECT_EQ(scene.substeps, 7);
    EXPECT_EQ(scene.contact.response, ResponseKind::raghupathi);
    EXPECT_FALSE(scene.contact.enabled);
    EXPECT_DOUBLE_EQ(scene.contact.rate_layer, 2e-4);
    EXPECT_EQ(scene.gravity, (Vec3{1, 2.5, -3}));
    ASSERT_EQ(scene.walls.size(), 3U);
    EXPECT_EQ(scene.walls[0].kind, WallKind::plane);
    EXPECT_EQ(scene.walls[0].normal, (Vec3{0, 0, 1}));
    EXPECT_DOUBLE_EQ(scene.walls[0].friction, 0.7);
    EXPECT_EQ(scene.walls[1].kind, WallKind::bowl);
    EXPECT_EQ(scene.walls[2].radii, (Vec3{1, 2, 3}));
    EXPECT_DOUBLE_EQ(scene.walls[2].friction, 0.9);
    ASSERT_EQ(scene.bodies.size(), 2U);
    EXPECT_TRUE(scene.bodies[0].fixed_end);
    EXPECT_EQ(scene.bodies[0].rope.segments, 10);
    ASSERT_EQ(scene.tools.size(), 1U);
    ASSERT_EQ(scene.tools[0].path.size(), 2U);
    EXPECT_EQ(scene.tools[0].path[0].body, "b");
    EXPECT_DOUBLE_EQ(scene.tools[0].path[0].fraction, 0.25);
    EXPECT_EQ(scene.tools[0].path[1].kind, WaypointKind::release);
}

// Files that are no scenes.

TEST(SceneFile, Version) {
    expect_mistake("[[body]]\nname = \"gut\"\nanatomy = \"rope\"\n", 1, {"version", "plica = 1"});
    for (const char* version : {"2", "0", "-1", "\"1\"", "1.0", "true", "[1]"}) {
        const std::string text = std::string("plica = ") + version + rope.substr(9);
        expect_mistake(text, 1, {"plica", "found", "expected"});
    }
}

TEST(SceneFile, NoBody) {
    expect_mistake("plica = 1\n", 1, {"no body", "[[body]]"});
    const Texts single = mistakes("plica = 1\n[body]\nname = \"gut\"\nanatomy = \"rope\"\n");
    ASSERT_FALSE(single.empty());
    EXPECT_TRUE(contains(join(single), "[[body]]")) << join(single);
}

TEST(SceneFile, EmptyFiles) {
    for (const char* text : {"", "\n", "\n\n\n", "# nothing\n", "   ", "\xEF\xBB\xBF"}) {
        const Texts found = mistakes(text);
        ASSERT_EQ(found.size(), 2U) << join(found);
        EXPECT_TRUE(contains(found[0], "plica = 1")) << found[0];
        EXPECT_TRUE(contains(found[1], "[[body]]")) << found[1];
        for (const int line : line_numbers(found)) EXPECT_GE(line, 1);
    }
}

TEST(SceneFile, NotToml) {
    expect_mistake("plica = 1\n\nthis is prose\n", 3, {"not a TOML file"});
    expect_mistake("plica = 1\n[body\n", 2, {"not a TOML file"});
    expect_mistake("plica = 1\nplica = 1\n", 2, {"not a TOML file"});
    expect_mistake("plica = 1\ntitle = \"open\n", 2, {"not a TOML file"});
    expect_mistake(rope + "[[body]\n", 5, {"not a TOML file"});
    expect_mistake("{\"plica\": 1}\n", 1, {"not a TOML file"});
    expect_mistake(std::string("plica = 1\n\0\1\2\n", 14), 2, {"not a TOML file"});
    expect_mistake("plica = 1\ntitle = \"\xFF\xFE\"\n", 2, {"not a TOML file"});
}

TEST(SceneFile, FilesThatAreNotThere) {
    try {
        find_scene("intestin");
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input);
        EXPECT_TRUE(contains(error.what(), "did you mean intestine?")) << error.what();
    }
    for (const char* name : {"missing/scene.toml", "scene.toml", "/", "."}) {
        try {
            find_scene(name);
            ADD_FAILURE() << name;
        } catch (const Error& error) {
            EXPECT_EQ(error.status(), Status::bad_input);
            EXPECT_EQ(std::string(error.what()).rfind(std::string(name) + ": ", 0), 0U) << error.what();
        }
    }
}

TEST(SceneFile, StrangeButValidTomlIsTold) {
    const Texts found = mistakes(
        "plica = 1\n"
        "seconds = 1979-05-27T07:32:00Z\n"
        "title = 07:32:00\n"
        "solver = [[1, 2], [\"a\", [{ b = 1 }]]]\n"
        "\"\" = 1\n"
        "'a b' = 2\n"
        "\"\\u00e9\" = 3\n"
        "x.y.z = 4\n"
        "[[body]]\n"
        "name = \"g\xC3\xA9t\xF0\x9F\x98\x80\"\n"
        "anatomy = \"rope\"\n"
        "length = 0x10\n"
        "radius = 1_0.0_1\n"
        "segments = 0b11\n");
    EXPECT_EQ(line_numbers(found), (std::vector<int>{2, 3, 4, 5, 6, 7, 8})) << join(found);
    EXPECT_EQ(mistakes("plica = 1\n[[body]]\nname = \"\xC3\xA9\"\nanatomy = \"rope\"\n"), Texts{});
    EXPECT_EQ(mistakes("\xEF\xBB\xBF" + rope), Texts{});
    std::string windows;
    for (const char c : rope) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_EQ(mistakes(windows), Texts{});
}

TEST(SceneFile, DeepNestingIsRefused) {
    const std::string open(100000, '[');
    const std::string close(100000, ']');
    EXPECT_FALSE(mistakes(rope + "length = " + open + close + "\n").empty());
    EXPECT_FALSE(mistakes(rope + "length = " + open + "\n").empty());
    std::string tables = "length = ";
    for (int i = 0; i < 10000; ++i) tables += "{a=";
    EXPECT_FALSE(mistakes(rope + tables + "\n").empty());
}

TEST(SceneFile, LongFilesAreRead) {
    const std::string filler(1 << 20, 'x');
    std::string title = "title = \"";
    title.append(filler).append("\"\n").append(rope);
    EXPECT_EQ(mistakes(title), Texts{});
    std::string comment = rope;
    comment.append("# ").append(filler).append(1 << 20, '\n');
    EXPECT_EQ(mistakes(comment), Texts{});
    std::string key(1 << 16, 'k');
    key.append(" = 1\n").append(rope);
    expect_mistake(key, 1, {"unknown key"});
    std::string many;
    for (int i = 0; i < 5000; ++i) many.append("k").append(std::to_string(i)).append(" = 1\n");
    EXPECT_EQ(mistakes(many + rope).size(), 5000U);
}

// Anything may be thrown at the reader; it answers with a scene or with Error.
void read_anything(const std::string& text) {
    try {
        read(text);
    } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
    }
}

TEST(SceneFile, GarbageNeverCrashes) {
    Random random{11};
    for (const std::size_t size : {1U, 2U, 3U, 10U, 100U, 1000U, 1U << 20}) {
        std::string bytes(size, ' ');
        std::string printable(size, ' ');
        for (std::size_t i = 0; i < size; ++i) {
            bytes[i] = static_cast<char>(random.next() & 0xFFU);
            printable[i] = " \n=[]{}\"'.,#abc019-+_:TZ"[random.next() % 24];
        }
        read_anything(bytes);
        read_anything(printable);
        read_anything(rope + bytes);
        read_anything(rope + printable);
    }
}

TEST(SceneFile, MutatedScenesNeverCrash) {
    Random random{12};
    std::string base = every_table + find_scene("intestine-pile").text.substr(10);
    std::size_t read_well = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string text = round % 2 == 0 ? every_table : find_scene("intestine-pile").text;
        const std::uint64_t changes = 1 + random.next() % 4;
        for (std::uint64_t c = 0; c < changes; ++c) {
            const std::size_t at = random.next() % text.size();
            const std::size_t from = random.next() % base.size();
            switch (random.next() % 4) {
                case 0:
                    text[at] = static_cast<char>(random.next() & 0x7FU);
                    break;
                case 1:
                    text.erase(at, 1 + random.next() % 8);
                    break;
                case 2:
                    text.insert(at, base.substr(from, 1 + random.next() % 12));
                    break;
                default:
                    text = text.substr(0, at) + base.substr(from, 40) + text.substr(at);
                    break;
            }
            if (text.empty()) text.push_back('\n');
        }
        try {
            read(text);
            ++read_well;
        } catch (const Error& error) {
            for (const std::string& line : scene_lines(error.what())) EXPECT_NE(line, "");
        }
    }
    EXPECT_GT(read_well, 0U);  // not everything was garbage
}

}  // namespace
}  // namespace plica::testing
