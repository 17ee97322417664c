#include "core/parallel.hpp"

#ifdef PLICA_THREADS
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#endif

namespace plica {

#ifdef PLICA_THREADS
namespace {

// A round of work: its number, which tells it from others, and how many chunks it has, in one word. A million rounds a
// second last for two weeks of it.
constexpr int chunk_bits = 24;
constexpr std::uint32_t most_chunks = (1U << chunk_bits) - 1;
struct Round {
    std::uint64_t number;
    std::uint32_t chunks;
};
constexpr std::uint64_t pack(Round round) {
    return round.number << chunk_bits | round.chunks;
}
constexpr Round unpack(std::uint64_t word) {
    return {word >> chunk_bits, static_cast<std::uint32_t>(word & most_chunks)};
}

void pause_briefly() {
#ifdef __SSE2__
    __builtin_ia32_pause();
#endif
}

// Waits by looking: first without leaving the core, then giving way to whoever wants it. False when the patience ends.
template <class Condition>
bool look_out(int looks, int yields, const Condition& condition) {
    for (int i = 0; i < looks; ++i) {
        if (condition()) return true;
        pause_briefly();
    }
    for (int i = 0; i < yields; ++i) {
        if (condition()) return true;
        std::this_thread::yield();
    }
    return condition();
}

}  // namespace

// Each thread has a share of a round's chunks of its own and helps the others when it is done. How many chunks of a
// share are taken is counted in one word with the number of the round: who comes late to a round that is over finds
// nothing in it, and nobody has to reset the counts.
struct ThreadPool::Workers {
    struct alignas(64) Share {
        std::atomic<std::uint64_t> taken = 0;
    };

    explicit Workers(std::size_t count) : shares(count) {}

    std::vector<Share> shares;
    alignas(64) std::atomic<std::uint64_t> round = 0;
    Call call = nullptr;  // these two belong to the round: they are read by who has a chunk of it, which keeps it open
    void* context = nullptr;
    alignas(64) std::atomic<std::uint32_t> done = 0;  // chunks of the round
    alignas(64) std::atomic<int> asleep = 0;
    std::atomic<bool> stop = false;
    std::mutex mutex;
    std::condition_variable wake;
    std::vector<std::thread> threads;
    int looks = 0;

    void end() {
        {
            const std::lock_guard lock(mutex);
            stop = true;
        }
        wake.notify_all();
        for (std::thread& thread : threads) thread.join();
    }

    // One more chunk of a share that has `size` of them, counted from its first; -1: there is none.
    static int take(Share& share, std::uint32_t size, std::uint64_t number) {
        std::uint64_t seen = share.taken.load(std::memory_order_acquire);
        for (;;) {
            const Round of = unpack(seen);
            if (of.number > number) return -1;  // that round is over
            const std::uint32_t next = of.number == number ? of.chunks : 0;
            if (next >= size) return -1;
            if (share.taken.compare_exchange_weak(seen, pack({number, next + 1}), std::memory_order_acq_rel,
                                                  std::memory_order_acquire))
                return static_cast<int>(next);
        }
    }

    void work_on(Round now, std::size_t self) {
        const std::size_t count = shares.size();
        const auto first_of = [&](std::size_t k) { return static_cast<std::uint32_t>(now.chunks * k / count); };
        std::uint32_t mine = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t whose = self + k < count ? self + k : self + k - count;
            const std::uint32_t first = first_of(whose), size = first_of(whose + 1) - first;
            for (int next = 0; size > 0 && (next = take(shares[whose], size, now.number)) >= 0; ++mine) {
                call(context, static_cast<int>(first) + next);
            }
        }
        if (mine > 0) done.fetch_add(mine, std::memory_order_acq_rel);
    }

    void sleep_until_changed(std::uint64_t seen) {
        std::unique_lock lock(mutex);
        ++asleep;
        wake.wait(lock, [&] { return stop || round != seen; });
        --asleep;
    }

    void work(std::size_t self) {
        constexpr int yields = 256;
        std::uint64_t seen = 0;
        for (;;) {
            const auto is_called = [&] { return round.load(std::memory_order_acquire) != seen || stop; };
            if (!look_out(looks, yields, is_called)) sleep_until_changed(seen);
            if (stop) return;
            seen = round;
            work_on(unpack(seen), self);
        }
    }
};

ThreadPool::ThreadPool(int threads) : m_threads(threads < 1 ? 1 : threads) {
    if (m_threads == 1) return;
    m_workers = std::make_unique<Workers>(static_cast<std::size_t>(m_threads));
    m_workers->looks = static_cast<unsigned>(m_threads) <= std::thread::hardware_concurrency() ? 2000 : 0;
    try {
        for (int i = 1; i < m_threads; ++i)
            m_workers->threads.emplace_back(
                [workers = m_workers.get(), i] { workers->work(static_cast<std::size_t>(i)); });
    } catch (const std::exception& error) {
        const std::size_t begun = m_workers->threads.size();
        m_workers->end();
        throw Error("of " + std::to_string(m_threads) + " threads only " + std::to_string(begun + 1) +
                        " could be started: " + error.what(),
                    Status::environment);
    }
}

ThreadPool::~ThreadPool() {
    if (m_workers) m_workers->end();
}

void ThreadPool::run(int chunks, Call call, void* context) {
    Workers& workers = *m_workers;
    workers.call = call;
    workers.context = context;
    workers.done.store(0, std::memory_order_relaxed);
    const Round now{unpack(workers.round.load(std::memory_order_relaxed)).number + 1,
                    static_cast<std::uint32_t>(chunks)};
    workers.round.store(pack(now));
    if (workers.asleep != 0) {
        {
            const std::lock_guard lock(workers.mutex);
        }
        workers.wake.notify_all();
    }
    workers.work_on(now, 0);
    // All chunks are taken: whoever has the last of them is at it, or wants this core for it.
    const auto is_done = [&] { return workers.done.load(std::memory_order_acquire) == now.chunks; };
    while (!look_out(workers.looks, 256, is_done)) {
    }
}
#else
struct ThreadPool::Workers {};
ThreadPool::ThreadPool(int) : m_threads(1) {}
ThreadPool::~ThreadPool() = default;
void ThreadPool::run(int chunks, Call call, void* context) {
    for (int chunk = 0; chunk < chunks; ++chunk) call(context, chunk);
}
#endif

}  // namespace plica
