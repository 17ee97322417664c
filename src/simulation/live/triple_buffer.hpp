#pragma once
#include <array>
#include <atomic>
#include <cstdint>

namespace plica {

// Hands the newest of many values from one thread to another; neither ever waits. The writer fills a slot that nobody
// else sees, the reader keeps one that nobody writes, and the third goes to and fro between them.
template <class T>
class TripleBuffer {
public:
    // The writer's.
    T& back() { return m_slots[m_back]; }
    void publish() { m_back = m_between.exchange(static_cast<std::uint8_t>(m_back | fresh)) & place; }

    // The reader's. False: nothing was published since; front() is what it was.
    bool take() {
        if ((m_between.load() & fresh) == 0) return false;
        m_front = m_between.exchange(m_front) & place;
        return true;
    }
    const T& front() const { return m_slots[m_front]; }

private:
    static constexpr std::uint8_t place = 3, fresh = 4;
    std::array<T, 3> m_slots{};
    std::uint8_t m_back = 0, m_front = 1;
    std::atomic<std::uint8_t> m_between{2};
};

}  // namespace plica
