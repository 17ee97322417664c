#pragma once
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/clock.hpp"
#include "core/isa.hpp"
#include "core/parallel.hpp"

// What this machine can do at best, measured between the rounds of a benchmark: whatever disturbs one disturbs the
// other.
namespace plica::bench {

// Seconds that count: CPU time of the one thread that works, which other programs cannot take away; of several threads,
// the time until all are done.
inline double seconds_for(int threads) {
    return threads == 1 ? thread_cpu_seconds() : wall_seconds();
}

class MachineLimits {
public:
    MachineLimits(std::vector<Isa> sets, std::vector<int> threads, bool quick);

    // Measures everything once more; the best counts.
    void measure();

    // y += a x over arrays that no cache holds: bytes read and written, per second.
    [[nodiscard]] double memory(int threads) const { return m_memory.at(threads); }
    // Multiplications and additions of floats in registers, not fused, per second.
    [[nodiscard]] double arithmetic(Isa isa, int threads) const { return m_arithmetic.at({isa, threads}); }
    [[nodiscard]] std::size_t array_bytes() const { return m_x.size() * sizeof(float); }

private:
    void stream(ThreadPool& pool, double& best);
    void calculate(Isa isa, ThreadPool& pool, double& best) const;

    std::vector<Isa> m_sets;
    std::vector<std::unique_ptr<ThreadPool>> m_pools;
    std::int64_t m_rounds;
    std::vector<float> m_x, m_y;
    std::map<int, double> m_memory;
    std::map<std::pair<Isa, int>, double> m_arithmetic;
};

}  // namespace plica::bench
