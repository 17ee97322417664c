#include "io/recording/packer.hpp"

#include "core/error.hpp"

namespace plica::recording_format {

Packer::Packer(int level, int strategy) {
    if (deflateInit2(&m_stream, level, Z_DEFLATED, 15, 9, strategy) != Z_OK) {
        throw Error("zlib cannot start", Status::environment);
    }
}

void Packer::add(std::string_view bytes) {
    m_raw_size += bytes.size();
    // zlib does not write to its input; its older interface only says so where ZLIB_CONST is defined.
    m_stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    m_stream.avail_in = static_cast<uInt>(bytes.size());
    run(Z_NO_FLUSH);
}

std::string_view Packer::finish() {
    run(Z_FINISH);
    return {m_packed.data(), m_size};
}

void Packer::start() {
    deflateReset(&m_stream);
    m_size = 0;
    m_raw_size = 0;
}

void Packer::run(int mode) {
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

}  // namespace plica::recording_format
