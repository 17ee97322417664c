#pragma once
#include <zlib.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace plica::recording_format {

// Compresses as the bytes come, so that the work is spread over the steps and not done at once at the end of a block.
class Packer {
public:
    // Runs and Huffman codes only: with a search for longer matches (level 6) residuals of steps get 2 to 7 % smaller
    // and take two to three times as long.
    Packer() : Packer(1, Z_RLE) {}
    Packer(int level, int strategy);
    ~Packer() { deflateEnd(&m_stream); }
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;
    Packer(Packer&&) = delete;
    Packer& operator=(Packer&&) = delete;

    void add(std::string_view bytes);
    // The packed bytes of all that was added; they last until start().
    std::string_view finish();
    void start();
    [[nodiscard]] std::size_t raw_size() const noexcept { return m_raw_size; }

private:
    void run(int mode);

    z_stream m_stream{};
    std::string m_packed;
    std::size_t m_size = 0;
    std::size_t m_raw_size = 0;
};

}  // namespace plica::recording_format
