#include "tests/engine/tools/spring_tools.hpp"

// Rigid tools whose way is given: no faster and no harder than a hand.
namespace plica::testing {
namespace {

// A rope lies on a table of bone, a plate is on its way down through both.
std::string table_scene(const std::string& keys, const std::string& path) {
    return R"(plica = 1
seconds = 2
[solver]
dt = 0.02
substeps = 10
[environment]
gravity = [0, 0, -9.81]
drag = 2
[[body]]
name = "rope"
anatomy = "rope"
length = 0.1
radius = 0.01
segments = 10
from = [-0.05, 0, 0.0125]
[[body]]
name = "table"
tissue = "rigid"
shape = "block"
size = [0.2, 0.2, 0.02]
center = [0, 0, -0.01]
[[tool]]
name = "plate"
kind = "rigid"
shape = "block"
size = [0.15, 0.1, 0.01]
)" + keys + "\npath = [ " +
           path + " ]\n";
}
const std::string down = "{ t = 0, at = [0, 0, 0.06] }, { t = 0.5, to = [0, 0, -0.1] }";

struct Pushed {
    double least = 1e9, most = 0.0;       // N, over the last half second
    double lowest = 1e9, highest = -1e9;  // m, the same
    int limited = 0, pass_throughs = 0;
    bool valid = true;
};
Pushed push_with(const std::string& keys) {
    SpringWorld tool(table_scene(keys, down));
    Pushed found;
    while (tool.world.frame().time < 1.5 && found.valid) {
        const StepReport report = tool.world.step(tool.script.next(tool.world));
        found.valid = report.is_valid();
        found.limited += report.has(FlagKind::limited, tool.body().body) ? 1 : 0;
        const auto moves = static_cast<int>(tool.world.trail().size() / tool.world.model().nodes()) - 1;
        found.pass_throughs += tool.audit.examine(tool.world.trail(), moves, tool.audit.trail_interval()).pass_throughs;
        if (tool.world.frame().time < 1.0) continue;
        found.least = std::min(found.least, norm(tool.force()));
        found.most = std::max(found.most, norm(tool.force()));
        found.lowest = std::min(found.lowest, tool.tool().position.z);
        found.highest = std::max(found.highest, tool.tool().position.z);
    }
    return found;
}

TEST(Pushing, StopsAtItsLargestForceAndStaysThere) {
    const Pushed found = push_with("max_force = 5");
    EXPECT_TRUE(found.valid);
    EXPECT_EQ(found.pass_throughs, 0);
    EXPECT_GT(found.limited, 40);
    EXPECT_GT(found.least, 0.7 * 5.0);
    EXPECT_LT(found.most, 1.05 * 5.0);
    EXPECT_GT(found.lowest, 0.02) << "the rope is between it and the table";
    EXPECT_LT(found.highest - found.lowest, 1e-4) << "it neither hammers nor trembles";
    const Pushed control = push_with("max_force = 1e6");
    EXPECT_GT(control.most, 50.0);
    EXPECT_EQ(control.pass_throughs, 0);
}

// Held tissue carries no load that could be felt: certify stops the plate.
TEST(Pushing, StopsAtWhatIsHeld) {
    const auto lowest = [](const std::string& more) {
        std::string text = table_scene("", "{ t = 0, at = [0, 0, 0.06] }, { t = 0.1, to = [0, 0, -0.1] }");
        text.replace(text.find("anatomy"), 7, "fixed = \"both\"\nanatomy");
        text.replace(text.find("substeps"), 8, more + "substeps");
        SpringWorld tool(text);
        double least = 1e9;
        while (tool.world.frame().time < 0.5 && tool.world.step(tool.script.next(tool.world)).is_valid()) {
            least = std::min(least, tool.tool().position.z);
        }
        return least;
    };
    const double touches = 0.0125 + 0.01 + 0.005 + 0.0005;  // m: rope, half the plate, its thickness
    EXPECT_GT(lowest(""), touches - 0.25 * 0.0105);
    EXPECT_LT(lowest("certify = false\nadapt = false\n"), touches - 0.25 * 0.0105)
        << "the control: it goes where it is sent";
}

TEST(Pushing, HasTheForceOfAHandUnlessTheSceneSays) {
    EXPECT_EQ(make_world(read_text(table_scene("", down))).model().rigids.back().max_force, 50.0);
    const World strong = make_world(read_text(table_scene("max_force = 300", down)));
    EXPECT_EQ(strong.model().rigids.back().max_force, 300.0);
    EXPECT_EQ(strong.model().contact.max_force, 300.0);
    EXPECT_TRUE(std::isinf(make_world(rope_scene(0.1, 2)).model().contact.max_force));
    EXPECT_TRUE(std::isinf(make_world(read_text(table_scene("stiffness = 300", down))).model().contact.max_force));
}

// To a place in millimetres instead of metres: it stays behind, step by step, and is there when it had the time.
TEST(Pushing, TooFarForAStepItComesLater) {
    SpringWorld tool(table_scene("", "{ t = 0, at = [0, 0, 0.06] }, { t = 0.02, to = [300, 0, 0.06] }"));
    for (int k = 0; k < 20; ++k) {
        const Vec3 before = tool.tool().position;
        const StepReport report = tool.world.step(tool.script.next(tool.world));
        ASSERT_TRUE(report.is_valid());
        EXPECT_TRUE(report.has(FlagKind::limited, tool.body().body));
        EXPECT_LE(report.substeps, 70);
        EXPECT_LT(report.candidates, 2000);
        const double way = distance(tool.tool().position, before);
        EXPECT_GT(way, 1e-3);
        EXPECT_LT(way, 1.001e-3 * report.substeps) << "a thickness a substep";
    }
    SpringWorld late(table_scene("", "{ t = 0, at = [0, 0, 0.06] }, { t = 0.02, to = [0.3, 0, 0.06] }"));
    ASSERT_TRUE(late.run(0.06));
    EXPECT_LT(late.tool().position.x, 0.29);
    ASSERT_TRUE(late.run(1.0));
    EXPECT_LT(distance(late.tool().position, {0.3, 0, 0.06}), 1e-15);
}

}  // namespace
}  // namespace plica::testing
