#include <algorithm>
#include <cmath>
#include <utility>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/locked_file.hpp"
#include "io/recording/packer.hpp"
#include "io/recording/recording.hpp"
#include "io/recording/recording_format.hpp"

namespace plica {
namespace {

using namespace recording_format;

std::uint32_t steps_per_second(double dt) {
    return static_cast<std::uint32_t>(std::clamp(std::floor((1.0 + 1e-9) / dt), 1.0, 1e9));
}

std::vector<float> to_floats(std::span<const Vec3> positions) {
    std::vector<float> values;
    values.reserve(3 * positions.size());
    for (const Vec3& p : positions) {
        for (const double value : {p.x, p.y, p.z}) values.push_back(static_cast<float>(value));
    }
    return values;
}

void check_header(const std::string& path, const RecordingHeader& header, std::size_t positions) {
    if (!std::isfinite(header.dt) || header.dt <= 0.0) throw Error(path + ": a recording needs a time step above 0");
    const auto within = [](std::int32_t value, std::int32_t limit) { return value >= 0 && value <= limit; };
    if (!within(header.nodes, max_nodes) || !within(header.tools, max_tools)) {
        throw Error(path + ": a recording takes at most " + std::to_string(max_nodes) + " nodes and " +
                    std::to_string(max_tools) + " tools");
    }
    if (count_values(header.fields) > std::size_t{max_values}) {
        throw Error(path + ": a recording takes at most " + std::to_string(max_values) + " values of fields a step");
    }
    std::uint64_t bytes = 0;
    for (const auto& [file, content] : header.files) bytes += content.size();
    if (bytes > max_file_bytes) throw Error(path + ": the scene's files are too large to record, 4 GiB at most");
    if (positions != static_cast<std::size_t>(header.nodes)) {
        throw Error(path + ": " + std::to_string(positions) + " initial positions for " + std::to_string(header.nodes) +
                    " nodes");
    }
}

}  // namespace

struct RecordingWriter::State {
    State(std::string path, const RecordingHeader& header, double interval)
        : file(std::move(path), magic),
          nodes(static_cast<std::size_t>(header.nodes)),
          tools(static_cast<std::size_t>(header.tools)),
          values(count_values(header.fields)),
          bodies(header.shapes.bodies.size()),
          steps_per_block(steps_per_second(header.dt)),
          coder(header),
          flush_interval(interval) {}

    // Writes what was packed as one block; the packer then starts the next.
    void write_block(BlockType type, Packer& packed_by) {
        BlockHead head;
        head.type = type;
        head.steps = steps_in_block;
        head.first_step = steps_written;
        head.raw_size = static_cast<std::uint32_t>(packed_by.raw_size());
        const std::string_view packed = head.raw_size > 0 ? packed_by.finish() : std::string_view{};
        head.packed_size = static_cast<std::uint32_t>(packed.size());
        head.packed_crc = checksum(packed);
        file.write(head_bytes(head).append(packed));
        packed_by.start();
    }
    void write_steps() {
        write_block(BlockType::steps, packer);
        last_flush = wall_seconds();
        steps_written += steps_in_block;
        steps_in_block = 0;
        coder.start_block();
    }
    void write_files(const StoredFiles& files);
    void write_header(std::string_view header, const StoredFiles& files);
    void check_factors(std::span<const BodyFactors> factors) const;

    LockedFile file;
    std::size_t nodes, tools, values, bodies;
    std::uint32_t steps_per_block;
    StepCoder coder;
    double flush_interval;  // s
    Packer packer;
    double last_flush = 0.0;  // s, on the wall clock
    std::uint64_t steps_written = 0;
    std::uint32_t steps_in_block = 0;
};

// One after the other, cut into blocks of a bounded size.
void RecordingWriter::State::write_files(const StoredFiles& files) {
    Packer files_packer(6, Z_DEFAULT_STRATEGY);
    for (const auto& [path, bytes] : files) {
        std::string_view rest = bytes;
        while (!rest.empty()) {
            const std::string_view piece = rest.substr(0, full_block_size - files_packer.raw_size());
            files_packer.add(piece);
            rest.remove_prefix(piece.size());
            if (files_packer.raw_size() == full_block_size) write_block(BlockType::files, files_packer);
        }
    }
    if (files_packer.raw_size() > 0) write_block(BlockType::files, files_packer);
}

// Without its header and files a recording is of no use, so that what cannot be finished is removed.
void RecordingWriter::State::write_header(std::string_view header, const StoredFiles& files) {
    try {
        file.write(start_bytes());
        packer.add(header);
        write_block(BlockType::header, packer);
        write_files(files);
    } catch (const Error&) {
        file.remove();
        throw;
    }
    last_flush = wall_seconds();
}

void RecordingWriter::State::check_factors(std::span<const BodyFactors> factors) const {
    for (const BodyFactors& each : factors) {
        if (each.body >= 0 && static_cast<std::size_t>(each.body) < bodies) continue;
        throw Error(file.path() + ": factors of body " + std::to_string(each.body) + ", expected one of the " +
                    std::to_string(bodies) + " bodies");
    }
}

RecordingWriter::RecordingWriter(std::string path, const RecordingHeader& header,
                                 std::span<const Vec3> initial_positions, double flush_interval) {
    check_header(path, header, initial_positions.size());
    const std::string bytes = header_bytes(header, to_floats(initial_positions));
    if (bytes.size() > max_raw_size) throw Error(path + ": the scene is too large to record");
    m_state = std::make_unique<State>(std::move(path), header, flush_interval);
    m_state->write_header(bytes, header.files);
}

RecordingWriter::~RecordingWriter() {
    try {
        close();
    } catch (...) {  // a destructor has nobody to tell
    }
}

void RecordingWriter::append(const Inputs& inputs, std::uint64_t hash, std::span<const Vec3> tool_forces,
                             std::span<const Vec3> tool_torques, std::span<const Vec3> positions,
                             std::span<const float> values) {
    State& s = *m_state;
    if (!s.file.is_open()) throw Error(s.file.path() + ": the recording is closed", Status::environment);
    if (inputs.tools.size() != s.tools || tool_forces.size() != s.tools || tool_torques.size() != s.tools ||
        positions.size() != s.nodes || values.size() != s.values) {
        throw Error(s.file.path() + ": a step does not have the recording's nodes, tools and fields");
    }
    s.check_factors(inputs.tuning.bodies);
    s.packer.add(s.coder.encode(inputs, hash, tool_forces, tool_torques, positions, values));
    ++s.steps_in_block;
    if (s.steps_in_block >= s.steps_per_block || s.packer.raw_size() >= full_block_size ||
        wall_seconds() - s.last_flush >= s.flush_interval) {
        flush();
    }
}

void RecordingWriter::flush() {
    State& s = *m_state;
    if (s.file.is_open() && s.steps_in_block > 0) s.write_steps();
}

void RecordingWriter::close() {
    State& s = *m_state;
    if (!s.file.is_open()) return;
    flush();
    s.write_block(BlockType::end, s.packer);
    s.file.close();
}

}  // namespace plica
