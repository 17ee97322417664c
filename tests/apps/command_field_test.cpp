#include <gtest/gtest.h>

#include <memory>
#include <plica/plica.hpp>

#include "tests/apps/commands.hpp"
#include "tests/engine/tissues/swinging.hpp"
#include "tests/render/png.hpp"

// Fields that a tissue from outside published, drawn and exported from its recording.
namespace plica::testing {
namespace {

class CommandField : public Command {
protected:
    [[nodiscard]] std::string record_two() const {
        Scene scene;
        scene.add_tissue("thing", std::make_shared<Swinging>()).add_tissue("other", std::make_shared<Beside>());
        Simulation simulation = Simulation::build(scene);
        simulation.record(path("two.plica"));
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(simulation.step().valid);
        simulation.stop_recording();
        return path("two.plica");
    }
};

TEST_F(CommandField, IsAColour) {
    const std::string file = record_two();
    const auto draw = [&](const std::string& colour) {
        const std::string picture = path(colour + ".png");
        const Outcome outcome =
            run({"render", file, "--at", "0.1", "--size", "96x64", "--colour", colour, "-o", picture});
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return read_png(picture);
    };
    EXPECT_GT(compare(draw("tissue"), draw("height")).mean, 1.0);
    const Outcome unknown = run({"render", file, "--colour", "depth", "-o", path("b.png")});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_TRUE(contains(unknown.err, "which has height")) << unknown.err;
    EXPECT_TRUE(contains(unknown.err, "curvature")) << unknown.err;
    EXPECT_EQ(lines_of(unknown.err).size(), 1U) << unknown.err;
}

TEST_F(CommandField, IsPointDataOfAnExport) {
    const std::string file = record_two();
    ASSERT_EQ(run({"export", file, "--to", "vtk", "-o", path("vtk")}).status, 0);
    const std::string text = slurp(path("vtk/frame_000003.vtk")),
                      head = "SCALARS height double 1\nLOOKUP_TABLE default\n";
    EXPECT_TRUE(contains(text, "POINT_DATA 8\n"));
    const std::size_t at = text.find(head);
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(text.find(head, at + 1), std::string::npos) << "both bodies in one field";
    // Big-endian doubles: of both bodies, and none of them is not a number.
    for (std::size_t n = 0; n < 8; ++n) {
        const auto first = static_cast<unsigned char>(text.at(at + head.size() + 8 * n));
        EXPECT_NE(first & 0x7FU, 0x7FU) << n;
    }
}

}  // namespace
}  // namespace plica::testing
