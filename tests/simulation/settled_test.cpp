#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "plica/simulation.hpp"
#include "tests/support/temp_folder.hpp"

// A scene that starts settled: computed once, kept, the same bits either way.
namespace plica::testing {
namespace {

namespace fs = std::filesystem;

class Settled : public TempFolderTest {
protected:
    void SetUp() override {
        TempFolderTest::SetUp();
        setenv("XDG_CACHE_HOME", file("cache").c_str(), 1);
    }
    void TearDown() override {
        unsetenv("XDG_CACHE_HOME");
        TempFolderTest::TearDown();
    }
    [[nodiscard]] fs::path cache() const { return fs::path(file("cache")) / "plica"; }
    [[nodiscard]] int kept() const {
        int files = 0;
        for ([[maybe_unused]] const auto& each : fs::directory_iterator(cache())) ++files;
        return files;
    }
    static Simulation load(const std::string& start, std::uint64_t seed = 1, int threads = 1) {
        LoadOptions options;
        options.overrides = {"start=" + start, "gut.length=1.0", "gut.segments=40"};
        options.seed = seed;
        options.threads = threads;
        return Simulation::load("intestine-pile", options);
    }
    static std::uint64_t run(Simulation& simulation) {
        std::uint64_t hash = 0;
        for (int i = 0; i < 10; ++i) hash = simulation.step().hash;
        return hash;
    }
};

double speed(const Simulation& simulation) {
    double square = 0.0;
    for (const double v : simulation.velocities()) square += v * v;
    return std::sqrt(square / (static_cast<double>(simulation.velocities().size()) / 3.0));
}

TEST_F(Settled, ItLiesAtTimeZeroAndStaysThere) {
    Simulation settled = load("settled"), built = load("built");
    EXPECT_EQ(settled.time(), 0.0);
    EXPECT_LE(speed(settled), 0.002);
    const double height = settled.position(20)[2], fallen = built.position(20)[2];
    run(settled);
    run(built);
    EXPECT_NEAR(settled.position(20)[2], height, 1e-3);
    EXPECT_LT(built.position(20)[2], fallen - 0.01) << "the control falls";
}

TEST_F(Settled, ComputedOrKeptItHasTheSameBits) {
    Simulation computed = load("settled");
    ASSERT_EQ(kept(), 1);
    Simulation taken = load("settled", 1, 2);
    EXPECT_EQ(kept(), 1);
    const std::uint64_t hash = run(computed);
    EXPECT_EQ(hash, run(taken));
    Simulation other = load("settled", 2);
    EXPECT_EQ(kept(), 2) << "another seed is another scene";
    EXPECT_NE(hash, run(other));
}

TEST_F(Settled, AKeptStateIsUsedAndADamagedOneIsNot) {
    Simulation first = load("settled");
    const std::uint64_t hash = run(first);
    const fs::path kept_file = fs::directory_iterator(cache())->path();
    const auto size = fs::file_size(kept_file);
    for (const std::size_t at : {std::size_t{0}, static_cast<std::size_t>(size / 2)}) {
        std::fstream bytes(kept_file, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(at));
        bytes.put('\x5a');
        bytes.put('\xa5');
        bytes.close();
        Simulation again = load("settled");
        EXPECT_EQ(run(again), hash);
    }
    fs::resize_file(kept_file, 5);
    Simulation cut = load("settled");
    EXPECT_EQ(run(cut), hash);
    EXPECT_EQ(fs::file_size(kept_file), size) << "it was computed and kept anew";
}

TEST_F(Settled, WithoutAPlaceToKeepItItIsComputed) {
    Simulation first = load("settled");
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
    Simulation other = load("settled");
    EXPECT_EQ(run(first), run(other));
}

TEST_F(Settled, ARecordingReplaysWhereNothingIsKept) {
    Simulation simulation = load("settled");
    simulation.record(file("a.plica"));
    run(simulation);
    simulation.stop_recording();
    fs::remove_all(cache());
    Simulation other = load("settled");
    EXPECT_TRUE(other.replay(file("a.plica")).matches());
    Simulation built = load("built");
    EXPECT_FALSE(built.replay(file("a.plica")).matches()) << "the control";
}

// A soft block that hangs from its upper side, which goes up by 20 mm from a tenth of a second on.
Simulation hang(const std::string& start) {
    return Simulation::from_text("plica = 1\nstart = \"" + start + R"("
[solver]
dt = 0.02
substeps = 1
[[body]]
name = "block"
tissue = "tled"
shape = "block"
size = [0.04, 0.04, 0.1]
cells = [2, 2, 5]
element = "h8"
material = { young = 3000, poisson = 0.4, density = 1000 }
damping = 10.0
motion = [ { side = "+z", by = [0, 0, 0.02], from = 0.1, until = 0.3 } ]
[environment]
gravity = [0, 0, -9.81]
)");
}

double lowest(const Simulation& simulation) {
    double z = 1.0;
    for (std::size_t i = 2; i < simulation.positions().size(); i += 3) z = std::min(z, simulation.positions()[i]);
    return z;
}

TEST_F(Settled, MotionsWaitUntilItHasSettled) {
    Simulation settled = hang("settled"), built = hang("built");
    EXPECT_NEAR(lowest(built), -0.05, 1e-6);
    const double hangs = lowest(settled);
    EXPECT_LT(hangs, -0.055) << "its weight has drawn it out";
    EXPECT_LE(speed(settled), 0.002);
    EXPECT_EQ(settled.time(), 0.0);
    for (int i = 0; i < 4; ++i) settled.step();  // the motion has not begun
    EXPECT_NEAR(lowest(settled), hangs, 2e-4);
    for (int i = 0; i < 60; ++i) settled.step();
    EXPECT_NEAR(lowest(settled), hangs + 0.02, 2e-3);
}

}  // namespace
}  // namespace plica::testing
