#pragma once
#include <array>
#include <cstdint>

namespace plica {

enum class Stage : std::uint8_t { tissue, detect, respond, certify };
inline constexpr std::size_t stage_count = 4;
inline constexpr std::array<const char*, stage_count> stage_names{"tissue", "detect", "respond", "certify"};

enum class FlagKind : std::uint8_t {
    non_finite,     // a node's position or velocity, or a number of an own tissue, is none: the step was undone
    overstretched,  // a spring is beyond the model's stretch limit
    inverted,    // a cell was turned inside out and will not come back, however short the substeps: the step was undone
    unstable,    // an organ's cell grows without bound, however short the substeps: the step was undone
    overheated,  // heat pulls on a surface more than its rest shape can answer: it softens instead of stiffening
    limited,     // a tool is behind its path, or tissue was thrown: neither goes further than contact can follow
    held,        // contact of the body was not resolved with the work a step may do: nodes stayed where they were
    crushed      // cells of an organ were pressed flat, or further: they come back
};
inline const char* flag_name(FlagKind kind) {
    constexpr std::array<const char*, 8> names{"non_finite", "overstretched", "inverted", "unstable",
                                               "overheated", "limited",       "held",     "crushed"};
    return names[static_cast<std::size_t>(kind)];
}

// The step was undone.
inline bool is_fatal(FlagKind kind) {
    return kind == FlagKind::non_finite || kind == FlagKind::inverted || kind == FlagKind::unstable;
}

struct Flag {
    FlagKind kind;
    std::int32_t body;       // index into the model's bodies; -1: a tool
    std::int32_t cell = -1;  // of the body's mesh, where it is about one
};

// What a step tells; fixed size, so that telling allocates nothing.
struct StepReport {
    std::array<double, stage_count> stage_seconds{};
    double seconds = 0.0;  // the whole step; CPU time of the calling thread when it is the only one
    int substeps = 0;      // taken; more than the model's when something is very fast
    std::int64_t distance_tests = 0;
    int retries = 0;           // of the step with shorter substeps, because an organ did not bear the first
    bool interrupted = false;  // it was given up, see World::stop_on(): nothing has happened
    bool at_rest = false;      // all organs that relax have come to rest
    int rebuilds = 0;          // of the candidate list
    int candidates = 0;
    std::int64_t held = 0;           // nodes that certify held back, summed over the substeps
    std::int64_t certify_tests = 0;  // distances that certify measured
    int sweeps = 0;                  // of contact, summed over the substeps
    int full_substeps = 0x7fffffff;  // as in Inputs, for a replay of this step
    int late_substeps = 0;           // that took one pass over contact
    double contacts = 0.0;           // mean number of pairs that carry load, over the substeps
    std::array<Flag, 8> flags{};
    int flag_count = 0;
    std::uint64_t hash = 0;  // of State after the step

    void raise(FlagKind kind, std::int32_t body, std::int32_t cell = -1) {
        if (flag_count >= static_cast<int>(flags.size())) return;
        flags[static_cast<std::size_t>(flag_count++)] = {kind, body, cell};
    }
    [[nodiscard]] bool has(FlagKind kind, std::int32_t body) const {
        for (int i = 0; i < flag_count; ++i) {
            const Flag& flag = flags[static_cast<std::size_t>(i)];
            if (flag.kind == kind && flag.body == body) return true;
        }
        return false;
    }
    [[nodiscard]] bool is_valid() const {
        for (int i = 0; i < flag_count; ++i) {
            if (is_fatal(flags[static_cast<std::size_t>(i)].kind)) return false;
        }
        return true;
    }
};

}  // namespace plica
