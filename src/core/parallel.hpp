#pragma once
#include <memory>

namespace plica {

// A fixed set of worker threads. Work is cut into numbered chunks by the caller; which thread takes a chunk is left
// open, so a result that depends on the chunk number only is the same for every number of threads.
class ThreadPool {
public:
    explicit ThreadPool(int threads = 1);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ThreadPool(ThreadPool&&) = delete;
    ThreadPool& operator=(ThreadPool&&) = delete;

    [[nodiscard]] int threads() const noexcept { return m_threads; }

    // Calls body(chunk) once for each chunk in [0, chunks) and returns when all are done. Allocates nothing.
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

private:
    using Call = void (*)(void* context, int chunk);
    void run(int chunks, Call call, void* context);

    struct Workers;
    int m_threads;
    std::unique_ptr<Workers> m_workers;
};

}  // namespace plica
