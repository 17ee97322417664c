#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/recording/byte_cursor.hpp"
#include "io/recording/recording.hpp"

// The bytes of a recording; the reader and the writer are the only users.
namespace plica::recording_format {

inline constexpr std::string_view magic = "PLICAREC";
inline constexpr std::uint32_t version = 6;
inline constexpr std::size_t start_size = 12;  // magic, version

// Bounds that hold for every recording, so that a damaged size cannot ask for more memory than a real one.
inline constexpr std::int32_t max_nodes = 1 << 22;
inline constexpr std::int32_t max_tools = 1 << 16;
inline constexpr std::int32_t max_values = 1 << 23;  // of fields
inline constexpr double longest_step = 1e300;        // s
inline constexpr std::uint32_t max_raw_size = 1U << 28;
inline constexpr std::uint64_t max_file_bytes = 1ULL << 32;  // of all files that a scene names
inline constexpr std::uint32_t full_block_size = 1U << 25;   // a block takes no further step beyond this

enum class BlockType : std::uint32_t { header = 1, steps = 2, end = 3, files = 4 };

// In front of every block. It has a checksum of its own, so a damaged size is never mistaken for a cut file.
struct BlockHead {
    static constexpr std::size_t size = 32;
    BlockType type = BlockType::end;
    std::uint32_t steps = 0;
    std::uint64_t first_step = 0;   // steps in all blocks before
    std::uint32_t raw_size = 0;     // bytes before compression
    std::uint32_t packed_size = 0;  // bytes that follow
    std::uint32_t packed_crc = 0;
};

std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);
std::string start_bytes();
std::string head_bytes(const BlockHead& head);
// False: the checksum does not fit. `bytes` has BlockHead::size bytes.
bool parse_head(std::string_view bytes, BlockHead& head);

// What the header says of a file; its bytes are in blocks behind, all files one after the other in this order.
struct FileEntry {
    std::string path;
    std::uint64_t size = 0;
    std::uint64_t hash = 0;
};
std::vector<FileEntry> list_files(const StoredFiles& files);
// False: the bytes are not those that the entries speak of.
bool take_files(std::span<const FileEntry> entries, std::string_view bytes, StoredFiles& files);

std::string header_bytes(const RecordingHeader& header, std::span<const float> initial_positions);
// False: the bytes are not a header. Every count and every number of a node or body in it can be relied on.
bool parse_header(std::string_view bytes, RecordingHeader& header, std::vector<float>& initial_positions,
                  std::vector<FileEntry>& files);

// False: the bytes do not unpack to exactly raw_size.
bool unpack(std::string_view packed, std::uint32_t raw_size, std::string& raw);

// Turns steps into bytes that compress well, and back; the state is what the steps before in the same block predict.
//
// A step is: one byte with the order of the prediction; the inputs, hash, forces, torques and the factors of all bodies
// as 64-bit words, each xored with that of the step before; positions and values of fields as float bits in an
// order-preserving map to integers, each less its extrapolation (constant, linear or quadratic) from the steps before,
// with the sign in the lowest bit. Words are cut into planes: all lowest bytes, then all second bytes and so on. All of
// it is integer arithmetic, hence exact.
class StepCoder {
public:
    StepCoder() : StepCoder(RecordingHeader{}) {}
    explicit StepCoder(const RecordingHeader& header);

    [[nodiscard]] std::size_t step_size() const noexcept;
    void start_block() noexcept { m_known = 0; }
    // The bytes of the next step; they last until the next call.
    std::string_view encode(const Inputs& inputs, std::uint64_t hash, std::span<const Vec3> tool_forces,
                            std::span<const Vec3> tool_torques, std::span<const Vec3> positions,
                            std::span<const float> values);
    // False: the bytes, step_size() of them, are not a step.
    bool decode(std::string_view bytes, RecordedStep& step);

private:
    static constexpr int max_order = 3;
    [[nodiscard]] std::uint32_t predicted(int order, std::size_t i) const noexcept;
    [[nodiscard]] int best_order() const noexcept;
    void advance() noexcept;

    std::size_t m_coordinates;
    std::size_t m_numbers;  // coordinates, then values of fields
    std::size_t m_tools, m_bodies;
    int m_known = 0;                                           // steps of this block in m_past, at most max_order
    std::vector<std::uint64_t> m_words, m_words_before;        // of this step and the one before
    std::vector<std::uint32_t> m_now;                          // mapped numbers of this step
    std::array<std::vector<std::uint32_t>, max_order> m_past;  // of the steps before, the latest first
    std::vector<std::uint32_t> m_residuals;
    std::string m_bytes;
};

}  // namespace plica::recording_format
