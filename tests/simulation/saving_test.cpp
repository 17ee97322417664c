#include <gtest/gtest.h>

#include <cstring>
#include <plica/plica.hpp>

#include "core/hash.hpp"
#include "core/random.hpp"
#include "simulation/inside.hpp"

// Saving, restoring and forking: bit for bit, also in the middle of contact, and only what was saved.
namespace plica::testing {
namespace {

constexpr std::size_t header_size = 48, size_at = 32, checksum_at = 40;

const LoadOptions small_pile{.overrides = {"gut.segments=40", "gut.length=1.6", "gut.radius=0.02"}};

std::vector<std::uint64_t> hashes_of(Simulation& simulation, int steps) {
    std::vector<std::uint64_t> hashes;
    for (int i = 0; i < steps; ++i) hashes.push_back(simulation.step().hash);
    return hashes;
}

std::vector<std::byte> copy_of(const SavedState& state) {
    return {state.bytes().begin(), state.bytes().end()};
}

// Bytes that say of themselves that they are whole.
SavedState forged(std::vector<std::byte> bytes) {
    Hash hash;
    hash.add_bytes(bytes.data() + header_size, bytes.size() - header_size);
    const std::uint64_t size = bytes.size() - header_size, checksum = hash.value();
    std::memcpy(bytes.data() + size_at, &size, sizeof size);
    std::memcpy(bytes.data() + checksum_at, &checksum, sizeof checksum);
    return SavedState(std::move(bytes));
}

std::string refusal_of(Simulation& simulation, const SavedState& state) {
    try {
        simulation.restore(state);
    } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_input);
        return error.what();
    }
    return "";
}

// Solids that press on each other: the search for their pairs remembers more than the state does.
class SavedSolids : public ::testing::Test {
protected:
    Simulation simulation = Simulation::load("ball-slab");
    SavedState saved;
    std::vector<std::uint64_t> expected;

    void SetUp() override {
        hashes_of(simulation, 60);
        saved = simulation.save();
        expected = hashes_of(simulation, 40);
    }
};

TEST_F(SavedSolids, GoOnBitForBit) {
    ASSERT_FALSE(simulation.contacts().empty());
    simulation.restore(saved);
    EXPECT_EQ(hashes_of(simulation, 40), expected);
    Simulation other = Simulation::load("ball-slab");
    hashes_of(other, 7);  // whatever it did before
    other.restore(SavedState(copy_of(saved)));
    EXPECT_EQ(hashes_of(other, 40), expected);
}

TEST_F(SavedSolids, AStateThatIsAnotherIsSeen) {
    simulation.restore(saved);
    State state = simulation.inside().world().state();
    state.v[0].x += 1e-12;
    simulation.inside().world().restore(state);
    EXPECT_NE(hashes_of(simulation, 40), expected) << "the control: the comparison can fail";
}

TEST_F(SavedSolids, AResetIsANewStart) {
    simulation.reset();
    Simulation fresh = Simulation::load("ball-slab");
    EXPECT_EQ(hashes_of(simulation, 70), hashes_of(fresh, 70));
}

TEST_F(SavedSolids, ForcesAreSavedToo) {
    simulation.restore(saved);
    Simulation other = simulation.fork();
    const auto a = simulation.contacts(), b = other.contacts();
    ASSERT_EQ(a.size(), b.size());
    ASSERT_FALSE(a.empty());
    EXPECT_EQ(a.front().force, b.front().force);
    EXPECT_EQ(a.front().point, b.front().point);
}

// Everything that a program can have done to a simulation.
void meddle(Simulation& simulation) {
    hashes_of(simulation, 20);
    const std::size_t probe = simulation.tool("probe");
    simulation.hold(probe, simulation.node_at("gut", 0.5));
    simulation.set_parameter("gut.stiffness", 1.5);
    simulation.set_parameter("friction", 0.4);
    simulation.set_gravity({1, 0, -9});
    hashes_of(simulation, 5);
    Point hand = simulation.tool_info(probe).place;
    hand[2] += 0.05;
    simulation.move(probe, hand);
    hashes_of(simulation, 5);
}

const char* const probed = R"(plica = 1
[environment]
plane = { friction = 0.3 }
[[body]]
name = "gut"
anatomy = "rope"
length = 0.4
segments = 20
from = [-0.2, 0, 0.05]
[[tool]]
name = "probe"
path = [ { t = 0.1, at = "gut:0.2" }, { t = 0.6, move = [0, 0, 0.1] }, { t = 0.8, release = true } ]
repeat = 1.0
)";

TEST(Saving, KeepsScriptToolsAndParameters) {
    Simulation simulation = Simulation::from_text(probed);
    hashes_of(simulation, 10);  // the script holds the gut
    const SavedState scripted = simulation.save();
    const auto script = hashes_of(simulation, 40);
    simulation.reset();
    meddle(simulation);
    const SavedState taken = simulation.save();
    const auto hand = hashes_of(simulation, 40);
    simulation.restore(scripted);
    EXPECT_EQ(simulation.parameter("gut.stiffness"), 1.0);
    EXPECT_EQ(hashes_of(simulation, 40), script);
    Simulation other = Simulation::from_text(probed);
    other.restore(taken);
    EXPECT_EQ(other.parameter("gut.stiffness"), 1.5);
    EXPECT_EQ(other.parameter("gravity.x"), 1.0);
    EXPECT_EQ(hashes_of(other, 40), hand);
    EXPECT_NE(script, hand);
}

TEST(Saving, BytesAreEqualWhereStatesAre) {
    Simulation one = Simulation::load("intestine-pile", small_pile), two = one.fork();
    hashes_of(one, 30);
    hashes_of(two, 30);
    EXPECT_EQ(copy_of(one.save()), copy_of(two.save()));
    two.step();
    EXPECT_NE(copy_of(one.save()), copy_of(two.save()));
}

TEST(Saving, RefusesWhatIsDamagedOrOfAnother) {
    Simulation simulation = Simulation::load("intestine-pile", small_pile);
    hashes_of(simulation, 30);
    const SavedState saved = simulation.save();
    std::vector<std::byte> bytes = copy_of(saved);
    EXPECT_NE(refusal_of(simulation, SavedState{}), "");
    for (const std::size_t size : {std::size_t{20}, header_size, bytes.size() / 2, bytes.size() - 1}) {
        EXPECT_NE(refusal_of(simulation, SavedState({bytes.begin(), bytes.begin() + static_cast<long>(size)})), "");
    }
    bytes[bytes.size() / 2] ^= std::byte{1};
    EXPECT_NE(refusal_of(simulation, SavedState(bytes)).find("damaged"), std::string::npos);
    bytes[bytes.size() / 2] ^= std::byte{1};
    bytes[8] ^= std::byte{2};
    EXPECT_NE(refusal_of(simulation, SavedState(bytes)).find("version"), std::string::npos);
    bytes[8] ^= std::byte{2};
    EXPECT_EQ(refusal_of(simulation, SavedState(bytes)), "") << "the control: as it was";
    LoadOptions stiffer = small_pile;
    stiffer.overrides.emplace_back("contact.friction=0.3");
    Simulation other = Simulation::load("intestine-pile", stiffer);
    EXPECT_NE(refusal_of(other, saved).find("another scene"), std::string::npos);
}

// Whoever made the bytes: what is taken can be stepped, what is refused changes nothing.
void fuzz(Simulation& simulation, int trials, std::uint64_t seed) {
    const SavedState saved = simulation.save();
    Simulation plain = simulation.fork();
    const std::uint64_t expected = plain.step().hash;
    Random random{seed};
    int refused = 0;
    for (int i = 0; i < trials; ++i) {
        std::vector<std::byte> bytes = copy_of(saved);
        const int changes = 1 + static_cast<int>(random.next() % 3);
        for (int k = 0; k < changes; ++k) {
            const std::size_t at = header_size + random.next() % (bytes.size() - header_size);
            bytes[at] = static_cast<std::byte>(random.next() & 0xFF);
        }
        if (i % 7 == 0) bytes.resize(header_size + random.next() % (bytes.size() - header_size));
        if (i % 11 == 0) bytes.insert(bytes.end(), 8, std::byte{0});
        if (refusal_of(simulation, forged(bytes)).empty()) {
            simulation.step();
            simulation.restore(saved);
        } else {
            ++refused;
        }
    }
    EXPECT_GT(refused, trials / 20);
    EXPECT_LT(refused, trials) << "the control: some bytes may be anything";
    EXPECT_EQ(simulation.step().hash, expected);
}

TEST(Saving, ForgedBytesOfTubesDoNoHarm) {
    Simulation simulation = Simulation::from_text(probed);
    hashes_of(simulation, 12);
    fuzz(simulation, 300, 1);
}

TEST(Saving, ForgedBytesOfSolidsDoNoHarm) {
    Simulation simulation = Simulation::load("ball-slab");
    hashes_of(simulation, 60);
    fuzz(simulation, 60, 2);
}

TEST(Saving, WaitsForTheEndOfARecording) {
    const std::string path = ::testing::TempDir() + "plica_saving_test.plica";
    Simulation simulation = Simulation::from_text(probed);
    const SavedState saved = simulation.save();
    simulation.record(path);
    simulation.step();
    EXPECT_NE(refusal_of(simulation, saved).find("stop_recording"), std::string::npos);
    simulation.stop_recording();
    EXPECT_EQ(refusal_of(simulation, saved), "");
    std::remove(path.c_str());
}

}  // namespace
}  // namespace plica::testing
