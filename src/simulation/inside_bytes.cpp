#include <cmath>
#include <cstring>

#include "core/error.hpp"
#include "simulation/inside.hpp"

// A simulation as bytes.
namespace plica {
namespace {

struct SavedHeader {
    char magic[8] = {'P', 'L', 'I', 'C', 'A', 'S', 'A', 'V'};
    std::uint64_t version = 1;
    std::uint64_t fingerprint = 0;  // of the scenario
    std::uint64_t step = 0;
    std::uint64_t size = 0;      // bytes that follow
    std::uint64_t checksum = 0;  // of them
};

std::uint64_t compute_checksum(std::span<const std::byte> bytes) {
    Hash hash;
    hash.add_bytes(bytes.data(), bytes.size());
    return hash.value();
}

bool is_factor(double value) {
    return value > 0.0 && value <= 1e6;
}

// BodyFactors without a gap.
struct SavedFactors {
    static constexpr bool packed_doubles = true;
    std::int64_t body = 0;
    double stiffness = 1.0, damping = 1.0;
};

template <class Part, class Archive>
void visit_tuning(Part& tuning, std::size_t bodies, Archive& archive) {
    archive.value(tuning.stiffness, is_factor);
    archive.value(tuning.damping, [](double value) { return value == 0.0 || is_factor(value); });
    archive.value(tuning.friction, [](double value) { return value >= -1.0 && value <= 1e6; });
    archive.value(tuning.detector);
    std::vector<SavedFactors> factors;
    for (const BodyFactors& each : tuning.bodies) factors.push_back({each.body, each.stiffness, each.damping});
    archive.list(factors, [&](const SavedFactors& own, const SavedFactors* before) {
        return own.body >= 0 && static_cast<std::size_t>(own.body) < bodies && is_factor(own.stiffness) &&
               (own.damping == 0.0 || is_factor(own.damping)) && (before == nullptr || before->body < own.body);
    });
    if constexpr (!std::is_const_v<Part>) {
        if (!archive.stores() || !archive.ok()) return;
        tuning.bodies.clear();
        for (const SavedFactors& each : factors) {
            tuning.bodies.push_back({static_cast<std::int32_t>(each.body), each.stiffness, each.damping});
        }
    }
}

bool is_input(const ToolInput& input, std::size_t nodes) {
    return is_finite(input.target) && is_finite(input.turn) && input.node >= -1 &&
           input.node < static_cast<std::int32_t>(nodes) && (input.present == 0 || input.present == 1);
}

// Whether there is one, and what it is; without one, what it would be.
template <class Part, class Archive, class IsValid>
void visit_optional(Part& optional, Archive& archive, const IsValid& is_valid) {
    auto value = optional.value_or(typename std::remove_const_t<Part>::value_type{});
    bool any = optional.has_value();
    archive.flag(any);
    archive.value(value, is_valid);
    if constexpr (!std::is_const_v<Part>) {
        if (!archive.stores() || !archive.ok()) return;
        optional.reset();
        if (any) optional = value;
    }
}

[[noreturn]] void refuse(const std::string& found) {
    throw Error("a saved state " + found);
}

SavedHeader read_header(std::span<const std::byte> bytes, std::uint64_t fingerprint) {
    SavedHeader header;
    const SavedHeader expected;
    if (bytes.size() < sizeof header) refuse("of " + std::to_string(bytes.size()) + " bytes; expected more");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0) refuse("is none: it begins otherwise");
    if (header.version != expected.version) {
        refuse("of version " + std::to_string(header.version) + "; expected " + std::to_string(expected.version));
    }
    if (header.fingerprint != fingerprint) refuse("of another scene; expected one of this");
    const auto rest = bytes.subspan(sizeof header);
    if (header.size != rest.size() || header.checksum != compute_checksum(rest)) refuse("is damaged");
    return header;
}

}  // namespace

void Simulation::Inside::save(std::vector<std::byte>& out) const {
    SavedHeader header;
    out.resize(sizeof header);
    ByteWriter archive(out);
    m_world.save(archive);
    m_script.save(archive);
    for (const auto& tool : m_taken) visit_optional(tool, archive, [](const auto&) { return true; });
    visit_optional(m_gravity, archive, [](const auto&) { return true; });
    visit_tuning(m_tuning, m_scenario->bodies.size(), archive);
    const auto rest = std::span<const std::byte>(out).subspan(sizeof header);
    header.fingerprint = m_scenario->fingerprint;
    header.step = m_world.state().step;
    header.size = rest.size();
    header.checksum = compute_checksum(rest);
    std::memcpy(out.data(), &header, sizeof header);
}

void Simulation::Inside::visit_archive(ByteReader& archive, std::uint64_t step) {
    m_world.load(archive, step);
    m_script.load(archive, m_world, step);
    const auto is_tool = [&](const ToolInput& input) { return is_input(input, model().nodes()); };
    for (auto& tool : m_taken) visit_optional(tool, archive, is_tool);
    visit_optional(m_gravity, archive, [](const Vec3& gravity) { return is_finite(gravity); });
    visit_tuning(m_tuning, m_scenario->bodies.size(), archive);
}

void Simulation::Inside::load(std::span<const std::byte> bytes) {
    const SavedHeader header = read_header(bytes, m_scenario->fingerprint);
    if (!m_recorder.path().empty()) {
        throw Error(m_recorder.path() + ": a recording goes from step to step; expected stop_recording() before");
    }
    const auto rest = bytes.subspan(sizeof header);
    ByteReader check(rest, false);
    visit_archive(check, header.step);
    if (!check.is_at_end()) refuse("says what no run of this scene can");
    ByteReader reader(rest, true);
    visit_archive(reader, header.step);
    m_report = {};
}

}  // namespace plica
