#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <system_error>
#include <utility>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "io/recording/recording.hpp"
#include "io/recording/recording_format.hpp"

namespace plica {
namespace {

using namespace recording_format;

// Compresses as the bytes come, so that the work is spread over the steps and not done at once at the end of a block.
// Runs and Huffman codes only: with a search for longer matches (level 6) residuals get 2 to 7 % smaller and take two
// to three times as long.
class Packer {
public:
    Packer() {
        if (deflateInit2(&m_stream, 1, Z_DEFLATED, 15, 9, Z_RLE) != Z_OK) {
            throw Error("zlib cannot start", Status::environment);
        }
    }
    ~Packer() { deflateEnd(&m_stream); }
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;
    Packer(Packer&&) = delete;
    Packer& operator=(Packer&&) = delete;

    void add(std::string_view bytes) {
        m_raw_size += bytes.size();
        // zlib does not write to its input; its older interface only says so where ZLIB_CONST is defined.
        m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        m_stream.avail_in = static_cast<uInt>(bytes.size());
        run(Z_NO_FLUSH);
    }
    // The packed bytes of all that was added; they last until start().
    std::string_view finish() {
        run(Z_FINISH);
        return {m_packed.data(), m_size};
    }
    void start() {
        deflateReset(&m_stream);
        m_size = 0;
        m_raw_size = 0;
    }
    [[nodiscard]] std::size_t raw_size() const noexcept { return m_raw_size; }

private:
    void run(int mode) {
        for (;;) {
            if (m_packed.size() - m_size < (1U << 16)) m_packed.resize(2 * m_packed.size() + (1U << 17));
            const auto room = static_cast<uInt>(m_packed.size() - m_size);
            m_stream.next_out = reinterpret_cast<Bytef*>(m_packed.data() + m_size);
            m_stream.avail_out = room;
            const int result = deflate(&m_stream, mode);
            m_size += room - m_stream.avail_out;
            if (result == Z_STREAM_END || (mode == Z_NO_FLUSH && m_stream.avail_out > 0)) return;
        }
    }

    z_stream m_stream{};
    std::string m_packed;
    std::size_t m_size = 0;
    std::size_t m_raw_size = 0;
};

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
    if (!within(header.warm_nodes, header.nodes)) throw Error(path + ": more warm nodes than nodes");
    if (positions != static_cast<std::size_t>(header.nodes)) {
        throw Error(path + ": " + std::to_string(positions) + " initial positions for " + std::to_string(header.nodes) +
                    " nodes");
    }
}

}  // namespace

struct RecordingWriter::State {
    State(std::string file_path, const RecordingHeader& header, double interval)
        : path(std::move(file_path)),
          nodes(header.nodes),
          tools(header.tools),
          warm_nodes(header.warm_nodes),
          steps_per_block(steps_per_second(header.dt)),
          coder(nodes, tools, warm_nodes),
          flush_interval(interval) {}
    ~State() {
        if (file != nullptr) std::fclose(file);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    State(State&&) = delete;
    State& operator=(State&&) = delete;

    [[noreturn]] void fail(int code) {
        if (file != nullptr) std::fclose(std::exchange(file, nullptr));
        throw Error(path + ": cannot be written: " + std::generic_category().message(code), Status::environment);
    }

    void write(std::string_view bytes) {
        if (bytes.empty()) return;
        if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) fail(errno);
    }

    // Writes what the packer holds as one block and starts the next.
    void write_block(BlockType type) {
        BlockHead head;
        head.type = type;
        head.steps = steps_in_block;
        head.first_step = steps_written;
        head.raw_size = static_cast<std::uint32_t>(packer.raw_size());
        const std::string_view packed = head.raw_size > 0 ? packer.finish() : std::string_view{};
        head.packed_size = static_cast<std::uint32_t>(packed.size());
        head.packed_crc = checksum(packed);
        write(head_bytes(head));
        write(packed);
        if (std::fflush(file) != 0) fail(errno);
        last_flush = wall_seconds();
        steps_written += steps_in_block;
        steps_in_block = 0;
        packer.start();
        coder.start_block();
    }

    std::string path;
    std::int32_t nodes, tools, warm_nodes;
    std::uint32_t steps_per_block;
    StepCoder coder;
    double flush_interval;  // s
    Packer packer;
    std::FILE* file = nullptr;
    double last_flush = 0.0;  // s, on the wall clock
    std::uint64_t steps_written = 0;
    std::uint32_t steps_in_block = 0;
};

RecordingWriter::RecordingWriter(std::string path, const RecordingHeader& header,
                                 std::span<const Vec3> initial_positions, double flush_interval) {
    check_header(path, header, initial_positions.size());
    const std::string bytes = header_bytes(header, to_floats(initial_positions));
    if (bytes.size() > max_raw_size) throw Error(path + ": the scene's text is too long to record");
    m_state = std::make_unique<State>(std::move(path), header, flush_interval);
    State& s = *m_state;
    s.file = std::fopen(s.path.c_str(), "wb");
    if (s.file == nullptr) s.fail(errno);
    s.write(start_bytes());
    s.packer.add(bytes);
    s.write_block(BlockType::header);
}

RecordingWriter::~RecordingWriter() {
    try {
        close();
    } catch (...) {  // a destructor has nobody to tell
    }
}

void RecordingWriter::append(const Inputs& inputs, std::uint64_t hash, std::span<const Vec3> tool_forces,
                             std::span<const Vec3> tool_torques, std::span<const Vec3> positions,
                             std::span<const float> temperature) {
    State& s = *m_state;
    if (s.file == nullptr) throw Error(s.path + ": the recording is closed", Status::environment);
    const auto tools = static_cast<std::size_t>(s.tools);
    if (inputs.tools.size() != tools || tool_forces.size() != tools || tool_torques.size() != tools ||
        positions.size() != static_cast<std::size_t>(s.nodes) ||
        temperature.size() != static_cast<std::size_t>(s.warm_nodes)) {
        throw Error(s.path + ": a step does not have the recording's nodes and tools");
    }
    s.packer.add(s.coder.encode(inputs, hash, tool_forces, tool_torques, positions, temperature));
    ++s.steps_in_block;
    if (s.steps_in_block >= s.steps_per_block || s.packer.raw_size() >= full_block_size ||
        wall_seconds() - s.last_flush >= s.flush_interval) {
        flush();
    }
}

void RecordingWriter::flush() {
    State& s = *m_state;
    if (s.file != nullptr && s.steps_in_block > 0) s.write_block(BlockType::steps);
}

void RecordingWriter::close() {
    State& s = *m_state;
    if (s.file == nullptr) return;
    flush();
    s.write_block(BlockType::end);
    if (std::fclose(std::exchange(s.file, nullptr)) != 0) s.fail(errno);
}

}  // namespace plica
