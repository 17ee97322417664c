#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

namespace plica {

// Types with doubles in them cannot prove it to the compiler; they say so with a member packed_doubles.
template <class T>
constexpr bool has_no_padding() {
    if constexpr (std::is_floating_point_v<T> || std::has_unique_object_representations_v<T>) {
        return true;
    } else {
        return T::packed_doubles;
    }
}

// 64-bit running hash. For a fixed state each word is mixed in by a bijection (xor, odd multiply, xor-shift), and for a
// fixed word the state is too, so two inputs of equal length that differ in exactly one word can never collide. Long
// inputs are dealt out to four such states, which do not wait for each other and are mixed in at the end.
class Hash {
public:
    void add(std::uint64_t word) noexcept { mix(m_state, word); }
    void add_bytes(const void* data, std::size_t size) noexcept {
        const auto* bytes = static_cast<const unsigned char*>(data);
        add(static_cast<std::uint64_t>(size));
        if (size >= 64) {
            std::uint64_t lane[4] = {m_state, m_state + 1, m_state + 2, m_state + 3};
            for (; size >= 32; size -= 32, bytes += 32) {
                std::uint64_t word[4];
                std::memcpy(word, bytes, 32);
                for (int k = 0; k < 4; ++k) mix(lane[k], word[k]);
            }
            for (const std::uint64_t each : lane) add(each);
        }
        for (; size >= 8; size -= 8, bytes += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, 8);
            add(word);
        }
        if (size > 0) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, size);
            add(word);
        }
    }
    // T must have no padding: padding bytes are not part of a value.
    template <class T>
    void add_all(std::span<const T> values) noexcept {
        static_assert(std::is_trivially_copyable_v<T>);
        static_assert(has_no_padding<T>());
        add_bytes(values.data(), values.size_bytes());
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return m_state; }

private:
    static void mix(std::uint64_t& state, std::uint64_t word) noexcept {
        state = (state ^ word) * 0x9E3779B97F4A7C15ULL;
        state ^= state >> 29;
    }
    std::uint64_t m_state = 0x243F6A8885A308D3ULL;
};

// Sixteen lower-case hexadecimal digits.
inline std::string to_hex(std::uint64_t value) {
    static const char* digits = "0123456789abcdef";
    std::string text(16, '0');
    for (int i = 15; i >= 0; --i, value >>= 4) text[static_cast<std::size_t>(i)] = digits[value & 15U];
    return text;
}

}  // namespace plica
