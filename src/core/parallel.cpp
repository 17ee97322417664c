#include "core/parallel.hpp"

#ifdef PLICA_THREADS
#include <atomic>
#include <condition_variable>
#include <cstdint>
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

// To be woken takes a thread longer than many a round: it looks out for the next one for a few tens of microseconds
// before it goes to sleep, where there is a core for each.
template <class Condition>
void look_out(int times, Condition&& condition) {
    for (int i = 0; i < times && !condition(); ++i) {
#ifdef __SSE2__
        __builtin_ia32_pause();
#endif
    }
}

}  // namespace

// Chunks are handed out one at a time under the lock: they are coarse (tens of microseconds), so the lock is not felt.
struct ThreadPool::Workers {
    std::mutex mutex;
    std::condition_variable start;
    std::condition_variable done;
    std::vector<std::thread> threads;
    Call call = nullptr;
    void* context = nullptr;
    int next = 0;
    int chunks = 0;
    int looks = 0;
    std::atomic<int> busy = 0;  // these two change under the lock only, but are looked at without it
    std::atomic<std::uint64_t> round = 0;
    bool stop = false;

    void end() {
        {
            const std::lock_guard lock(mutex);
            stop = true;
        }
        start.notify_all();
        for (std::thread& thread : threads) thread.join();
    }
    void take_chunks(std::unique_lock<std::mutex>& lock) {
        while (next < chunks) {
            const int chunk = next++;
            lock.unlock();
            call(context, chunk);
            lock.lock();
        }
    }
    void work() {
        std::uint64_t seen = 0;
        for (;;) {
            look_out(looks, [&] { return round != seen; });
            std::unique_lock lock(mutex);
            start.wait(lock, [&] { return stop || round != seen; });
            if (stop) return;
            seen = round;
            ++busy;
            take_chunks(lock);
            if (--busy == 0) done.notify_one();
        }
    }
};

ThreadPool::ThreadPool(int threads) : m_threads(threads < 1 ? 1 : threads) {
    if (m_threads == 1) return;
    m_workers = std::make_unique<Workers>();
    m_workers->looks = static_cast<unsigned>(m_threads) <= std::thread::hardware_concurrency() ? 2000 : 0;
    try {
        for (int i = 1; i < m_threads; ++i)
            m_workers->threads.emplace_back([workers = m_workers.get()] { workers->work(); });
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
    std::unique_lock lock(workers.mutex);
    workers.call = call;
    workers.context = context;
    workers.next = 0;
    workers.chunks = chunks;
    ++workers.round;
    workers.start.notify_all();
    workers.take_chunks(lock);
    if (workers.busy != 0) {
        lock.unlock();
        look_out(workers.looks, [&] { return workers.busy == 0; });
        lock.lock();
    }
    workers.done.wait(lock, [&] { return workers.busy == 0; });
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
