#pragma once
#include <cstdint>
#include <memory>
#include <type_traits>

namespace plica {

// A fixed set of worker threads. Work is cut into numbered chunks by the caller; which thread takes a chunk is left
// open, so a result that depends on the chunk number only is the same for every number of threads.
//
// To hand work out and to see its end takes about a microsecond while the workers are awake: they look out for the next
// round for a while before they sleep, and give way to whoever else wants the core.
class ThreadPool {
public:
    explicit ThreadPool(int threads = 1);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ThreadPool(ThreadPool&&) = delete;
    ThreadPool& operator=(ThreadPool&&) = delete;

    [[nodiscard]] int threads() const noexcept { return m_threads; }

    // Calls body(chunk) once for each chunk in [0, chunks) and returns when all are done. Allocates nothing. A thread
    // begins with chunks of about the same numbers every time: what it worked on last is in its cache.
    template <class Body>
    void for_chunks(int chunks, Body&& body) {
        if (m_threads <= 1 || chunks <= 1) {
            for (int chunk = 0; chunk < chunks; ++chunk) body(chunk);
            return;
        }
        run(
            chunks, [](void* context, int chunk) { (*static_cast<std::remove_reference_t<Body>*>(context))(chunk); },
            const_cast<void*>(static_cast<const void*>(&body)));
    }

    // Calls body(begin, end) for [0, count) in pieces of `size`, which should take some microseconds: fewer are not
    // worth handing out.
    template <class Body>
    void for_pieces(std::size_t count, std::size_t size, Body&& body) {
        for_chunks(static_cast<int>((count + size - 1) / size), [&](int chunk) {
            const std::size_t begin = static_cast<std::size_t>(chunk) * size;
            body(begin, begin + size < count ? begin + size : count);
        });
    }

private:
    using Call = void (*)(void* context, int chunk);
    void run(int chunks, Call call, void* context);

    struct Workers;
    int m_threads;
    std::unique_ptr<Workers> m_workers;
};

}  // namespace plica
