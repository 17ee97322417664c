#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/contact/contacts.hpp"

// Friction belongs to bodies, walls and pairs of them.
namespace plica::testing {
namespace {

constexpr double gravity = 9.81;

// Three ropes side by side on what the scene says besides; x goes down the slope.
std::string ropes(const std::string& slick, const std::string& plain, const std::string& rough) {
    std::string text = "plica = 1\n[solver]\nsubsteps = 10\n";
    int i = 0;
    for (const auto& [name, keys] : {std::pair{"slick", slick}, {"plain", plain}, {"rough", rough}}) {
        text += fmt::format(
            "[[body]]\nname = \"{}\"\nanatomy = \"rope\"\nlength = 0.2\nradius = 0.01\nsegments = 5\n"
            "from = [-0.1, {}, 0.0105]\n{}",
            name, 0.1 * (i++ - 1), keys);
    }
    return text;
}
std::string table(const std::string& keys) {
    return "[[body]]\nname = \"table\"\ntissue = \"rigid\"\nshape = \"block\"\nsize = [60, 1, 0.1]\n"
           "center = [0, 0, -0.05]\n" +
           keys;
}
std::string plane(const std::string& keys) {
    return "[environment]\nplane = { point = [0, 0, 0.0005], normal = [0, 0, 1]" + keys + " }\n";
}
std::string pair(const std::string& who, double friction) {
    return fmt::format("[[contact.pair]]\n{}\nfriction = {}\n", who, friction);
}

// m/s^2, of each rope down a slope of this angle.
std::vector<double> accelerations(const std::string& text, double angle, double tuned = -1.0) {
    const SceneDescription scene = read_scene({"t", "t.toml", text, {}});
    World world = make_world(scene);
    Inputs inputs{{gravity * std::sin(angle), 0.0, -gravity * std::cos(angle)}, {}};
    inputs.tuning.friction = tuned;
    const auto speeds = [&] {
        std::vector<double> list;
        for (std::size_t b = 0; b < 3; ++b) {
            const Body& body = world.model().bodies[b];
            double sum = 0.0;
            for (std::int32_t n = 0; n < body.nodes; ++n) sum += world.state().v[at(body.first_node + n)].x;
            list.push_back(sum / body.nodes);
        }
        return list;
    };
    for (int k = 0; k < 15; ++k) world.step(inputs);
    const std::vector<double> before = speeds();
    constexpr int frames = 45;
    for (int k = 0; k < frames; ++k) EXPECT_TRUE(world.step(inputs).is_valid());
    std::vector<double> found = speeds();
    for (std::size_t b = 0; b < 3; ++b) found[b] = (found[b] - before[b]) / (frames * world.model().dt);
    return found;
}

// Is each where Coulomb's law has it: at rest within its cone, sliding beyond?
bool obey(const std::vector<double>& found, const std::vector<double>& friction, double angle) {
    bool good = true;
    for (std::size_t b = 0; b < 3; ++b) {
        const double theory = std::max(0.0, gravity * (std::sin(angle) - friction[b] * std::cos(angle)));
        good = good && std::abs(found[b] - theory) < 0.02 * theory + 0.0015 * gravity;
    }
    return good;
}

// At angles around the cones of all three.
void expect_friction(const std::string& text, const std::vector<double>& friction) {
    for (const double rim : friction) {
        for (const double share : {0.96, 1.04}) {
            const double angle = share * std::atan(rim);
            const std::vector<double> found = accelerations(text, angle);
            EXPECT_TRUE(obey(found, friction, angle))
                << angle << ": " << found[0] << " " << found[1] << " " << found[2] << "\n"
                << text;
        }
    }
}

const std::string own_slick = "friction = 0.1\n", own_rough = "friction = 0.9\n",
                  common = "[contact]\nfriction = 0.3\n";

TEST(PairFriction, IsTheGeometricMean) {
    expect_friction(ropes(own_slick, "", own_rough) + table("friction = 0.4\n") + common, {0.2, std::sqrt(0.12), 0.6});
    expect_friction(ropes(own_slick, "", own_rough) + table("") + common, {std::sqrt(0.03), 0.3, std::sqrt(0.27)});
}

TEST(PairFriction, AnEntryOfTheTableTakesItsPlace) {
    const std::string entries =
        pair("bodies = [\"table\", \"slick\"]", 0.7) + pair("bodies = [\"rough\", \"table\"]", 0.05);
    expect_friction(ropes(own_slick, "", own_rough) + table("friction = 0.4\n") + common + entries,
                    {0.7, std::sqrt(0.12), 0.05});
}

TEST(PairFriction, HoldsOnWallsToo) {
    const std::string entry = pair("body = \"rough\"\nwall = \"plane\"", 0.15);
    expect_friction(ropes(own_slick, "", own_rough) + plane(", friction = 0.4") + common, {0.2, 0.4, 0.6});
    expect_friction(ropes(own_slick, "", own_rough) + plane("") + common, {std::sqrt(0.03), 0.3, std::sqrt(0.27)});
    expect_friction(ropes(own_slick, "", own_rough) + plane(", friction = 0.4") + common + entry, {0.2, 0.4, 0.15});
}

// Bodies that have each other's numbers are seen not to obey.
TEST(PairFriction, ExchangedNumbersAreFound) {
    const double angle = std::atan(0.4);
    const std::vector<double> friction{0.2, std::sqrt(0.12), 0.6};
    for (const std::string& ground : {table("friction = 0.4\n"), plane(", friction = 0.4")}) {
        EXPECT_FALSE(obey(accelerations(ropes(own_rough, "", own_slick) + ground + common, angle), friction, angle));
    }
    const std::string entry = pair("bodies = [\"table\", \"plain\"]", 0.2);
    EXPECT_FALSE(
        obey(accelerations(ropes(own_slick, "", own_rough) + table("friction = 0.4\n") + common + entry, angle),
             friction, angle));
}

// What is tuned is the scene's number and the walls'.
TEST(PairFriction, TuningLeavesWhatBodiesAndPairsSay) {
    const double angle = std::atan(0.45);
    const std::string bodies = ropes(own_slick, "", own_rough);
    EXPECT_TRUE(obey(accelerations(bodies + table("friction = 0.4\n") + common, angle, 0.9), {0.2, 0.6, 0.6}, angle));
    EXPECT_TRUE(obey(accelerations(bodies + plane("") + common, angle, 0.25),
                     {std::sqrt(0.025), 0.25, std::sqrt(0.225)}, angle));
    const std::string entry = pair("bodies = [\"table\", \"plain\"]", 0.2);
    EXPECT_TRUE(
        obey(accelerations(bodies + table("friction = 0.4\n") + common + entry, angle, 0.9), {0.2, 0.2, 0.6}, angle));
}

// One number said in other words is the same run, to the last bit; and another number is another.
TEST(PairFriction, EqualNumbersAreTheScenes) {
    const auto hash = [](const std::vector<std::string>& overrides, const std::string& more = "") {
        SceneSource source = find_scene("intestine-pile", {"gut.segments=60", "gut.length=2.4", "gut.radius=0.02"});
        source.text += more;
        source.overrides.insert(source.overrides.end(), overrides.begin(), overrides.end());
        const SceneDescription scene = read_scene(source);
        World world = make_world(scene);
        Inputs inputs{scene.gravity, {}};
        std::uint64_t last = 0;
        for (int k = 0; k < 40; ++k) last = world.step(inputs).hash;
        return last;
    };
    const std::uint64_t plain = hash({});
    EXPECT_EQ(hash({"gut.friction=0.2"}), plain);
    EXPECT_EQ(hash({}, pair("bodies = [\"gut\", \"gut\"]", 0.2)), plain);
    EXPECT_NE(hash({"gut.friction=0.21"}), plain);
    EXPECT_NE(hash({}, pair("bodies = [\"gut\", \"gut\"]", 0.21)), plain);
}

// A block of tissue on one of bone is pulled along by a force.
double crept(double share, const std::string& keys) {
    constexpr double weight = 0.06 * 0.06 * 0.03 * 1000.0 * gravity, friction = 0.3;
    const std::string text = fmt::format(
        "plica = 1\n[solver]\ndt = 0.01\nsubsteps = 1\n[contact]\nfriction = 0.8\n"
        "[[body]]\nname = \"block\"\ntissue = \"tled\"\nshape = \"block\"\nsize = [0.06, 0.06, 0.03]\ncells = [3, 3, "
        "2]\n"
        "center = [0, 0, 0.0175]\nelement = \"h8\"\nmaterial = {{ young = 20000, poisson = 0.4, density = 1000 }}\n"
        "damping = 10\nthickness = 0.004\nload = [ {{ force = [{}, 0, 0], side = \"-z\", from = 0.5, until = 1.0 }} ]\n"
        "[[body]]\nname = \"bone\"\ntissue = \"rigid\"\nshape = \"block\"\nsize = [1, 1, 0.1]\ncenter = [0, 0, "
        "-0.05]\n{}",
        share * friction * weight, keys);
    const SceneDescription scene = read_scene({"t", "t.toml", text, {}});
    World world = make_world(scene);
    const Inputs inputs{scene.gravity, {}};
    for (int k = 0; k < 50; ++k) world.step(inputs);
    const Vec3 before = world.state().x[0];
    for (int k = 0; k < 150; ++k) EXPECT_TRUE(world.step(inputs).is_valid());
    return world.state().x[0].x - before.x;
}

TEST(PairFriction, ADraggedBlockSlipsBeyondItsCone) {
    const std::string keys = "friction = 0.3\n" + pair("bodies = [\"bone\", \"block\"]", 0.3);
    EXPECT_LT(std::abs(crept(0.95, keys)), 1e-3);
    EXPECT_GT(crept(1.1, keys), 5e-3);
    EXPECT_LT(std::abs(crept(1.1, "")), 1e-3);  // with the scene's number it sticks
}

}  // namespace
}  // namespace plica::testing
