#include <algorithm>
#include <fstream>
#include <utility>

#include "core/error.hpp"
#include "core/input_file.hpp"
#include "io/recording/recording.hpp"
#include "io/recording/recording_format.hpp"

namespace plica {

using namespace recording_format;

struct RecordingReader::State {
    enum class Found { block, cut, damage };
    struct Block {
        std::uint64_t offset = 0;  // of the packed bytes
        BlockHead head;
    };

    explicit State(std::string file_path) : path(std::move(file_path)) {}

    void open();
    void read_start();
    void read_header_block();
    void read_files();
    void scan_blocks();
    Found find_block(Block& block);
    [[nodiscard]] bool fits(const BlockHead& head) const;
    bool read(std::string& bytes, std::size_t size);
    bool check_packed(const Block& block);
    bool load_block(const Block& block);
    void report(bool damage, const std::string& what);

    std::string path;
    std::ifstream file;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;  // of the next block in the scan

    RecordingHeader header;
    std::vector<FileEntry> entries;
    std::uint64_t file_bytes = 0;  // of them all
    std::vector<float> initial_positions;
    std::uint64_t steps = 0;
    bool truncated = false;
    bool damaged = false;
    std::string message;

    StepCoder coder;
    std::vector<Block> blocks;
    std::size_t next_block = 0;
    std::uint64_t steps_read = 0;
    std::string packed, raw;   // raw: of the block before next_block
    std::size_t raw_used = 0;  // bytes of it that were given as steps
};

void RecordingReader::State::open() {
    size = InputFile(path).size();  // says what is wrong with one that cannot be opened
    file.open(path, std::ios::binary);
    if (!file) throw Error(path + ": cannot be read", Status::environment);
}

// At `offset`; false: there are not so many bytes. Sizes are checked against the file before.
bool RecordingReader::State::read(std::string& bytes, std::size_t count) {
    bytes.resize(count);
    file.clear();
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    return file.good();
}

void RecordingReader::State::read_start() {
    const auto available = static_cast<std::size_t>(std::min<std::uint64_t>(size, start_size));
    std::string bytes;
    if (!read(bytes, available)) throw Error(path + ": cannot be read", Status::environment);
    const std::size_t compared = std::min(available, magic.size());
    if (bytes.substr(0, compared) != magic.substr(0, compared)) throw Error(path + ": not a recording");
    if (available < start_size) throw Error(path + ": the recording is cut before its first block");
    const std::uint32_t found = get_u32(bytes.data() + magic.size());
    if (found != version) {
        throw Error(path + ": recording format " + std::to_string(found) + "; this program reads " +
                    std::to_string(version) + " only, open it with the version of Plica that wrote it");
    }
    offset = start_size;
}

bool RecordingReader::State::fits(const BlockHead& head) const {
    const bool empty = head.raw_size == 0 && head.packed_size == 0;
    if (head.first_step != steps || head.raw_size > max_raw_size) return false;
    if (head.type == BlockType::end) return head.steps == 0 && empty;
    if (head.type == BlockType::header || head.type == BlockType::files) return head.steps == 0 && !empty;
    return head.type == BlockType::steps && head.steps > 0 &&
           head.raw_size == std::uint64_t{head.steps} * coder.step_size();
}

bool RecordingReader::State::check_packed(const Block& block) {
    std::string piece;
    std::uint32_t crc = 0;
    const std::uint64_t end = block.offset + block.head.packed_size;
    for (offset = block.offset; offset < end; offset += piece.size()) {
        if (!read(piece, static_cast<std::size_t>(std::min<std::uint64_t>(end - offset, 1U << 18)))) return false;
        crc = checksum(piece, crc);
    }
    return crc == block.head.packed_crc;
}

// The block at `offset`, which then moves behind it.
RecordingReader::State::Found RecordingReader::State::find_block(Block& block) {
    if (size - offset < BlockHead::size) return Found::cut;
    std::string bytes;
    if (!read(bytes, BlockHead::size) || !parse_head(bytes, block.head) || !fits(block.head)) return Found::damage;
    block.offset = offset + BlockHead::size;
    if (block.head.packed_size > size - block.offset) return Found::cut;
    return check_packed(block) ? Found::block : Found::damage;
}

bool RecordingReader::State::load_block(const Block& block) {
    offset = block.offset;
    raw_used = 0;
    return read(packed, block.head.packed_size) && checksum(packed) == block.head.packed_crc &&
           unpack(packed, block.head.raw_size, raw);
}

void RecordingReader::State::read_header_block() {
    Block block;
    const Found found = find_block(block);
    if (found == Found::cut) throw Error(path + ": the recording is cut before its first block");
    const bool whole = found == Found::block && block.head.type == BlockType::header && load_block(block) &&
                       parse_header(raw, header, initial_positions, entries);
    if (!whole) throw Error(path + ": the recording's first block is damaged");
    raw.clear();
    offset = block.offset + block.head.packed_size;
    coder = StepCoder(header);
    for (const FileEntry& entry : entries) file_bytes += entry.size;
}

// The blocks of files that the header promises.
void RecordingReader::State::read_files() {
    std::string bytes;
    while (bytes.size() < file_bytes) {
        Block block;
        const Found found = find_block(block);
        if (found == Found::cut) throw Error(path + ": the recording is cut before its first step");
        const bool whole = found == Found::block && block.head.type == BlockType::files &&
                           block.head.raw_size <= file_bytes - bytes.size() && load_block(block);
        if (!whole) throw Error(path + ": the files that the recording carries are damaged");
        bytes += raw;
        offset = block.offset + block.head.packed_size;
    }
    raw.clear();
    if (!take_files(entries, bytes, header.files)) {
        throw Error(path + ": the files that the recording carries are damaged");
    }
}

void RecordingReader::State::report(bool damage, const std::string& what) {
    damaged = damaged || damage;
    message = path + ": " + what + "; " + std::to_string(steps) + (steps == 1 ? " step" : " steps") + " can be read";
}

void RecordingReader::State::scan_blocks() {
    for (;;) {
        Block block;
        const bool at_end = offset == size;
        const Found found = find_block(block);
        if (found == Found::block && block.head.type == BlockType::end) break;
        if (found == Found::block && block.head.type == BlockType::steps) {
            blocks.push_back(block);
            steps += block.head.steps;
            continue;
        }
        truncated = true;
        const bool damage = found != Found::cut;
        const char* cut = at_end ? "the recording was not finished" : "the recording is cut inside a block";
        report(damage, damage ? "block " + std::to_string(blocks.size() + 2) + " of the recording is damaged" : cut);
        return;
    }
    if (offset != size) report(true, "there are bytes after the recording's end");
}

RecordingReader::RecordingReader(std::string path) : m_state(std::make_unique<State>(std::move(path))) {
    m_state->open();
    m_state->read_start();
    m_state->read_header_block();
    m_state->read_files();
    m_state->scan_blocks();
}

RecordingReader::~RecordingReader() = default;

const RecordingHeader& RecordingReader::header() const noexcept {
    return m_state->header;
}
const std::vector<float>& RecordingReader::initial_positions() const noexcept {
    return m_state->initial_positions;
}
std::uint64_t RecordingReader::step_count() const noexcept {
    return m_state->steps;
}
bool RecordingReader::truncated() const noexcept {
    return m_state->truncated;
}
bool RecordingReader::damaged() const noexcept {
    return m_state->damaged;
}
const std::string& RecordingReader::message() const noexcept {
    return m_state->message;
}

bool RecordingReader::next(RecordedStep& step) {
    State& s = *m_state;
    if (s.steps_read == s.steps) return false;
    bool good = true;
    if (s.raw_used == s.raw.size()) {
        s.coder.start_block();
        good = s.load_block(s.blocks[s.next_block++]);
    }
    const std::size_t step_size = s.coder.step_size();
    good = good && s.coder.decode(std::string_view(s.raw).substr(s.raw_used, step_size), step);
    if (!good) {  // the checksums were right and the contents are not, or the file has changed since it was opened
        s.steps = s.steps_read;
        s.truncated = true;
        s.report(true, "the contents of the recording changed or were never right");
        return false;
    }
    s.raw_used += step_size;
    ++s.steps_read;
    return true;
}

}  // namespace plica
