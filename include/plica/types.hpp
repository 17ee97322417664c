#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Plain values that a Simulation takes and gives. SI units; indices count from 0.
namespace plica {

using Point = std::array<double, 3>;  // m, m/s, N or N m

// No body, cell or node.
inline constexpr std::size_t no_index = static_cast<std::size_t>(-1);

struct LoadOptions {
    std::vector<std::string> overrides{};  // as --set: "gut.segments=400", applied in order
    std::uint64_t seed = 1;                // of the noise that a scene may start with
    int threads = 1;                       // that a step works on; results do not depend on it
};

// A body owns a contiguous range of nodes.
struct BodyInfo {
    std::string name;
    std::size_t first_node;
    std::size_t nodes;
};

// What a step may find wrong, without allocating: name_of(FlagInfo) of the simulation gives the words.
struct FlagInfo {
    enum class Kind : std::uint8_t {
        non_finite,     // a position or velocity is not a number: the step was undone
        overstretched,  // a spring is stretched beyond its limit
        inverted,       // a cell has lost its volume: the step was undone
        unstable,       // a cell grows without bound: the step was undone
        overheated      // heat pulls on a surface more than its rest shape can answer
    };
    Kind kind = Kind::non_finite;
    std::size_t body = no_index;  // index into bodies()
    std::size_t cell = no_index;  // of the body's mesh, as its file numbers them
};

// A list of fixed room.
class FlagList {
public:
    static constexpr std::size_t most = 8;
    void push_back(const FlagInfo& flag) {
        if (m_count < most) m_flags[m_count++] = flag;
    }
    [[nodiscard]] std::size_t size() const { return m_count; }
    [[nodiscard]] bool empty() const { return m_count == 0; }
    [[nodiscard]] const FlagInfo& operator[](std::size_t i) const { return m_flags[i]; }
    [[nodiscard]] const FlagInfo* begin() const { return m_flags.data(); }
    [[nodiscard]] const FlagInfo* end() const { return m_flags.data() + m_count; }

private:
    std::array<FlagInfo, most> m_flags{};
    std::size_t m_count = 0;
};

// What a step tells; nothing in it is allocated.
struct StepInfo {
    bool valid = true;       // false: the step was undone, the last good state was kept
    double seconds = 0.0;    // that the step took: CPU time with one thread, wall time with more
    double contacts = 0.0;   // pairs that carry load, mean over the substeps
    std::uint64_t hash = 0;  // of the whole state: equal runs have equal hashes
    FlagList flags{};
    int substeps = 0;
    double tissue_seconds = 0.0, detect_seconds = 0.0, respond_seconds = 0.0, certify_seconds = 0.0;  // wall time
};

}  // namespace plica
