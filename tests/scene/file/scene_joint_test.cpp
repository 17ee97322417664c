#include "tests/scene/file/scene_texts.hpp"

namespace plica::testing {
namespace {

// [[joint]] tables.

const std::string path = "path = [{ t = 0, at = [0, 0, 1] }]\n";
const std::string jaw_on_shaft = rope + "[[tool]]\nname = \"shaft\"\nkind = \"rigid\"\n" + path +       // 5 to 8
                                 "[[tool]]\nname = \"jaw\"\nkind = \"rigid\"\nstiffness = 0\n" + path;  // 9 to 13
const std::string joint = "[[joint]]\nbodies = [\"shaft\", \"jaw\"]\nat = [0.1, 0, 1]\n";               // 14 to 16

TEST(SceneJoint, HasADriveAndLimits) {
    const SceneDescription plain = read(jaw_on_shaft + joint);
    ASSERT_EQ(plain.joints.size(), 1U);
    EXPECT_EQ(plain.joints[0].first, "shaft");
    EXPECT_EQ(plain.joints[0].second, "jaw");
    EXPECT_EQ(plain.joints[0].place, (Vec3{0.1, 0, 1}));
    EXPECT_EQ(plain.joints[0].axis, (Vec3{0, 1, 0}));
    EXPECT_EQ(plain.joints[0].stiffness, 0.0);
    EXPECT_EQ(plain.joints[0].upper, std::numeric_limits<double>::infinity());
    const SceneDescription all =
        read(jaw_on_shaft + joint +
             "axis = [0, 0, 2]\nlimits = [-0.5, 1]\nstiffness = 2\ndamping = 0.1\nmax_torque = 0.05\n");
    EXPECT_EQ(all.joints[0].axis, (Vec3{0, 0, 1}));
    EXPECT_EQ(all.joints[0].lower, -0.5);
    EXPECT_EQ(all.joints[0].upper, 1.0);
    EXPECT_EQ(all.joints[0].damping, 0.1);
    EXPECT_EQ(all.joints[0].max_torque, 0.05);
}

TEST(SceneJoint, MistakesAreNamed) {
    const std::string head = jaw_on_shaft + "[[joint]]\n", at = "at = [0, 0, 0]\n";
    expect_mistake(head + "bodies = [\"shaft\", \"jew\"]\n" + at, 15, {"joint.bodies", "\"jew\"", "did you mean jaw?"});
    expect_mistake(head + "bodies = [\"gut\", \"jaw\"]\n" + at, 15, {"\"gut\"", "a rigid body or tool"});
    expect_mistake(head + "bodies = [\"jaw\", \"shaft\"]\n" + at, 15, {"\"shaft\"", "with stiffness"});
    expect_mistake(head + "bodies = [\"jaw\", \"jaw\"]\n" + at, 15, {"\"jaw\" twice"});
    expect_mistake(head + "bodies = [\"jaw\"]\n" + at, 15, {"expected two names"});
    expect_mistake(head + "bodies = [\"shaft\", \"jaw\"]\n", 14, {"joint.at", "found none"});
    expect_mistake(jaw_on_shaft + joint + joint, 18, {"jaw turns on another joint already"});
    expect_mistake(jaw_on_shaft + joint + "axis = [0, 0, 0]\n", 17, {"joint.axis", "zero vector"});
    for (const char* limits : {"[0.1, 0.5]", "[-0.5]", "[-4, 1]", "[\"a\", 1]"})
        expect_mistake(jaw_on_shaft + joint + "limits = " + limits + "\n", 17, {"joint.limits", "expected two angles"});
    expect_mistake(jaw_on_shaft + joint + "max_torque = -1\n", 17, {"joint.max_torque", "found -1"});
    expect_mistake(jaw_on_shaft, 12, {"jaw.stiffness", "found 0", "[[joint]]"});
    expect_mistake(jaw_on_shaft + joint + "stifness = 1\n", 17, {"unknown key", "joint.stiffness?"});
}

}  // namespace
}  // namespace plica::testing
