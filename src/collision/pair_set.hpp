#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// A hash set of primitive pairs.
namespace plica {

// A set of pairs of primitives: open addressing, emptied by counting generations up, so that a warm one never
// allocates. Grows when it is half full.
class PairSet {
public:
    // Room for this many pairs.
    void reserve(std::size_t pairs) {
        std::size_t slots = 16;
        while (slots < 2 * pairs + 2) slots *= 2;
        if (slots > m_slots.size()) grow(slots);
    }
    void clear() noexcept {
        ++m_generation;
        m_size = 0;
    }
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }
    // False when the pair was there already.
    bool insert(std::int32_t a, std::int32_t b) {
        if (2 * (m_size + 1) > m_slots.size()) grow(2 * m_slots.size() + 16);
        return put((static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32) | static_cast<std::uint32_t>(b));
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint64_t generation = 0;  // taken when it is the set's
    };

    bool put(std::uint64_t key) noexcept {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t i = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ULL) >> 32) & mask;
        for (; m_slots[i].generation == m_generation; i = (i + 1) & mask) {
            if (m_slots[i].key == key) return false;
        }
        m_slots[i] = {key, m_generation};
        ++m_size;
        return true;
    }
    void grow(std::size_t least) {
        std::size_t slots = 16;
        while (slots < least) slots *= 2;
        std::vector<Slot> old(slots);
        std::swap(old, m_slots);
        m_size = 0;
        for (const Slot& slot : old) {
            if (slot.generation == m_generation) put(slot.key);
        }
    }

    std::vector<Slot> m_slots;  // a power of two
    std::uint64_t m_generation = 1;
    std::size_t m_size = 0;
};

}  // namespace plica
