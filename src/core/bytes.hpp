#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "core/hash.hpp"

// Values in a row of bytes, as this machine has them, written and read by one visitor: visit(archive) names each value
// once, and the archive is a writer, a check of what would be read, or a reader.
namespace plica {

// Made of doubles alone.
template <class T>
concept Numbers = std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> && alignof(T) == alignof(double) &&
                  sizeof(T) % sizeof(double) == 0;

class ByteWriter {
public:
    explicit ByteWriter(std::vector<std::byte>& out) : m_out(out) {}

    template <class T>
    void value(const T& value) {
        static_assert(has_no_padding<T>());
        put(&value, sizeof value);
    }
    void flag(const bool& flag) { value(static_cast<std::uint8_t>(flag ? 1 : 0)); }
    // As many as there always are.
    template <class T>
    void fixed(const std::vector<T>& values) {
        static_assert(has_no_padding<T>());
        put(values.data(), values.size() * sizeof(T));
    }
    template <class T>
    void fixed(std::span<const T> values) {
        static_assert(has_no_padding<T>());
        put(values.data(), values.size_bytes());
    }
    template <class Values, class IsValid>
    void fixed(const Values& values, const IsValid& /*is_valid*/) {
        fixed(values);
    }
    template <class T, class IsValid>
    void value(const T& each, const IsValid& /*is_valid*/) {
        value(each);
    }
    template <Numbers T>
    void numbers(const std::vector<T>& values) {
        put(values.data(), values.size() * sizeof(T));
    }
    template <Numbers T>
    void number(const T& value) {
        put(&value, sizeof value);
    }
    // As many as there are now; `is_valid` is for readers. Returns how many.
    template <class T, class IsValid>
    std::size_t list(const std::vector<T>& values, const IsValid& /*is_valid*/) {
        value(static_cast<std::uint64_t>(values.size()));
        fixed(values);
        return values.size();
    }
    void require(bool /*condition*/) {}

private:
    void put(const void* data, std::size_t size) {
        const std::size_t end = m_out.size();
        m_out.resize(end + size);
        if (size > 0) std::memcpy(m_out.data() + end, data, size);
    }
    std::vector<std::byte>& m_out;
};

// Whatever the bytes are, nothing is read beyond them and no value that `is_valid` refuses is taken. With `store` false
// nothing is changed: a visit says by ok() whether one that stores would succeed.
class ByteReader {
public:
    ByteReader(std::span<const std::byte> bytes, bool store) : m_bytes(bytes), m_store(store) {}

    template <class T>
    void value(T& value) {
        static_assert(has_no_padding<T>());
        get(&value, 1);
    }
    void flag(bool& flag) {
        std::uint8_t byte = flag ? 1 : 0;
        const bool stores = m_store;
        m_store = true;
        value(byte);
        m_store = stores;
        if (byte > 1) m_ok = false;
        if (m_store && m_ok) flag = byte != 0;
    }
    template <class T>
    void fixed(std::vector<T>& values) {
        static_assert(has_no_padding<T>());
        get(values.data(), values.size());
    }
    template <Numbers T>
    void numbers(std::vector<T>& values) {
        get(values.data(), values.size());
    }
    template <Numbers T>
    void number(T& value) {
        get(&value, 1);
    }
    template <class T>
    void fixed(std::span<T> values) {
        static_assert(has_no_padding<T>());
        get(values.data(), values.size());
    }
    template <class T, class IsValid>
    void fixed(std::span<T> values, const IsValid& is_valid) {
        check(values.size(), sizeof(T), [&](std::size_t i) { return is_valid(entry<T>(i)); });
        fixed(values);
    }
    template <class T, class IsValid>
    void fixed(std::vector<T>& values, const IsValid& is_valid) {
        fixed(std::span<T>(values), is_valid);
    }
    template <class T, class IsValid>
    void value(T& each, const IsValid& is_valid) {
        check(1, sizeof(T), [&](std::size_t i) { return is_valid(entry<T>(i)); });
        value(each);
    }
    // is_valid(entry, entry before or nullptr).
    template <class T, class IsValid>
    std::size_t list(std::vector<T>& values, const IsValid& is_valid) {
        static_assert(std::is_trivially_copyable_v<T> && has_no_padding<T>());
        std::uint64_t count = 0;
        if (!take(&count, sizeof count)) return 0;
        check(count, sizeof(T), [&](std::size_t i) {
            const T before = entry<T>(i > 0 ? i - 1 : i);
            return is_valid(entry<T>(i), i > 0 ? &before : nullptr);
        });
        if (!m_ok) return 0;
        if (m_store) values.resize(count);
        get(values.data(), count);
        return count;
    }
    void require(bool condition) {
        if (!condition) fail();
    }
    [[nodiscard]] bool ok() const { return m_ok; }
    [[nodiscard]] bool stores() const { return m_store; }
    [[nodiscard]] std::span<const std::byte> rest() const { return m_bytes.subspan(m_at); }
    [[nodiscard]] std::size_t left() const { return m_bytes.size() - m_at; }
    [[nodiscard]] bool is_at_end() const { return m_ok && left() == 0; }

private:
    void fail() { m_ok = false; }
    // Entry i of those that come next.
    template <class T>
    [[nodiscard]] T entry(std::size_t i) const {
        T value{};
        std::memcpy(&value, m_bytes.data() + m_at + i * sizeof(T), sizeof(T));
        return value;
    }
    template <class IsValid>
    void check(std::size_t count, std::size_t size, const IsValid& is_valid) {
        if (!m_ok || count > left() / size) return fail();
        for (std::size_t i = 0; i < count && m_ok; ++i) m_ok = is_valid(i);
    }
    bool take(void* data, std::size_t size) {
        if (!m_ok || size > left()) return m_ok = false;
        if (size > 0) std::memcpy(data, m_bytes.data() + m_at, size);
        m_at += size;
        return true;
    }
    template <class T>
    void get(T* values, std::size_t count) {
        const std::size_t size = count * sizeof(T);
        if (!m_ok || size > left()) return fail();
        if (m_store && size > 0) std::memcpy(values, m_bytes.data() + m_at, size);
        m_at += size;
    }
    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    bool m_store;
    bool m_ok = true;
};

}  // namespace plica
