#include "bench/common/machine_limits.hpp"

#include <unistd.h>

#include <algorithm>

#include "bench/common/multiply_add_kernel.hpp"

namespace plica::bench {
namespace {

constexpr std::size_t floats_a_chunk = 1 << 16;

// Of one of two arrays: together four times the last cache.
std::size_t array_length(bool quick) {
    std::size_t cache = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    for (const int level : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE}) {
        cache = std::max(cache, static_cast<std::size_t>(std::max(0L, sysconf(level))));
    }
#endif
    const std::size_t least = (quick ? std::size_t{16} : std::size_t{64}) << 20;
    const std::size_t most = std::size_t{512} << 20;
    return std::clamp(2 * cache, least, most) / sizeof(float);
}

}  // namespace

MachineLimits::MachineLimits(std::vector<Isa> sets, std::vector<int> threads, bool quick)
    : m_sets(std::move(sets)), m_rounds(quick ? 100'000 : 1'000'000) {
    for (const int count : threads) {
        m_pools.push_back(std::make_unique<ThreadPool>(count));
        m_memory[count] = 0.0;
        for (const Isa isa : m_sets) m_arithmetic[{isa, count}] = 0.0;
    }
    m_x.assign(array_length(quick), 1.0F);
    m_y.assign(m_x.size(), 0.5F);
}

void MachineLimits::measure() {
    for (const auto& pool : m_pools) {
        stream(*pool, m_memory[pool->threads()]);
        for (const Isa isa : m_sets) calculate(isa, *pool, m_arithmetic[{isa, pool->threads()}]);
    }
}

void MachineLimits::stream(ThreadPool& pool, double& best) {
    const int chunks = static_cast<int>(m_x.size() / floats_a_chunk);
    const double began = seconds_for(pool.threads());
    pool.for_chunks(chunks, [&](int chunk) {
        const std::size_t first = static_cast<std::size_t>(chunk) * floats_a_chunk;
        const float* x = m_x.data() + first;
        float* y = m_y.data() + first;
        for (std::size_t i = 0; i < floats_a_chunk; ++i) y[i] += 0.25F * x[i];
    });
    const double bytes = 3.0 * sizeof(float) * static_cast<double>(floats_a_chunk) * chunks;
    best = std::max(best, bytes / (seconds_for(pool.threads()) - began));
}

void MachineLimits::calculate(Isa isa, ThreadPool& pool, double& best) const {
    const auto kernel = PLICA_PICK_KERNEL(isa, multiply_and_add);
    const auto lanes = PLICA_PICK_KERNEL(isa, float_lanes);
    const double began = seconds_for(pool.threads());
    pool.for_chunks(pool.threads(), [&](int) {
        volatile float kept = kernel(m_rounds);
        static_cast<void>(kept);
    });
    const double done = static_cast<double>(pool.threads()) * static_cast<double>(m_rounds) * operations_a_round *
                        static_cast<double>(lanes());
    best = std::max(best, done / (seconds_for(pool.threads()) - began));
}

}  // namespace plica::bench
