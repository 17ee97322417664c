#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "tissue/tled/forces_kernel.hpp"

namespace plica::tled {
namespace {

template <class S>
void reserve(const Organ& organ, Buffers<S>& buffers) {
    buffers.partial.assign(4 * organ.slot_node.size(), S(0));
    if (organ.settings.tetrahedra == ElementKind::t4anp) buffers.pressure.assign(organ.slot_node.size(), S(0));
    buffers.least.assign(organ.blocks.size(), S(1));
    buffers.most.assign(organ.blocks.size(), S(1));
    buffers.area.assign(organ.blocks.size(), S(1));
}

// The kernels of one precision.
template <class S>
struct Kernels {
    void (*compute)(BlockTask<S>&);
    void (*volumes)(BlockTask<S>&);
};

// Pressure of each slot from its node's present volume; materials that meet at a node have a pressure each.
template <class S>
void find_pressures(const Organ& organ, const CellData<S>& data, ThreadPool& pool, Buffers<S>& buffers) {
    const auto block_of_slot = [&](std::int32_t slot) {
        const auto after = std::upper_bound(organ.blocks.begin(), organ.blocks.end(), slot,
                                            [](std::int32_t s, const Block& b) { return s < b.first_slot; });
        return after - 1;
    };
    const bool one_material = organ.materials.size() == 1;
    for_node_chunks(organ, pool, [&](std::int32_t begin, std::int32_t end) {
        for (std::int32_t n = begin; n < end; ++n) {
            const std::span<const std::int32_t> slots(organ.slots.data() + organ.first_slot[at(n)],
                                                      at(organ.first_slot[at(n) + 1] - organ.first_slot[at(n)]));
            const auto material = [&](std::size_t i) { return one_material ? 0 : block_of_slot(slots[i])->material; };
            for (std::size_t i = 0; i < slots.size(); ++i) {
                const std::int32_t own = material(i);
                const auto is_own = [&](std::size_t k) { return material(k) == own; };
                bool first = true;
                for (std::size_t k = 0; k < i; ++k) first = first && !is_own(k);
                if (!first) continue;  // has it already
                S now(0), rest(0);
                for (std::size_t k = i; k < slots.size(); ++k) {
                    if (!is_own(k)) continue;
                    now += buffers.pressure[at(slots[k])];
                    rest += data.slot_volume[at(slots[k])];
                }
                const S bulk = static_cast<S>(organ.materials[at(own)].bulk);
                const S pressure = rest > S(0) ? bulk * (now / rest - S(1)) : S(0);
                for (std::size_t k = i; k < slots.size(); ++k) {
                    if (is_own(k)) buffers.pressure[at(slots[k])] = pressure;
                }
                if (one_material) break;
            }
        }
    });
}

// What an evaluation reads and writes in one precision.
template <class S>
struct Precision {
    Kernels<S> kernels;
    const CellData<S>& data;
    const std::vector<S>& history;
    std::vector<S>& next;
};

template <class S>
void compute(const Organ& organ, const Configuration& now, const Precision<S>& in, ThreadPool& pool,
             Buffers<S>& buffers) {
    const auto run = [&](std::size_t b, void (*kernel)(BlockTask<S>&)) {
        const Block& block = organ.blocks[b];
        const Constants<S> constants(organ.materials[at(block.material)], now.h);
        BlockTask<S> task{&block,
                          &constants,
                          constants.is_plain(),
                          organ.index.data() + block.first_index,
                          in.data.number.data() + block.first_number,
                          organ.slot_node.data() + block.first_slot,
                          now.rest.data(),
                          now.x.data(),
                          buffers.partial.data() + 4 * at(block.first_slot),
                          buffers.pressure.empty() ? nullptr : buffers.pressure.data() + block.first_slot,
                          in.history.data() + block.first_history,
                          in.next.data() + block.first_history,
                          S(1),
                          S(1),
                          S(1)};
        kernel(task);
        buffers.least[b] = task.least;
        buffers.most[b] = task.most;
        buffers.area[b] = task.area;
    };
    const int blocks = static_cast<int>(organ.blocks.size());
    if (!buffers.pressure.empty()) {
        pool.for_chunks(blocks, [&](int b) {
            if (organ.blocks[at(b)].kind == ElementKind::t4anp) run(at(b), in.kernels.volumes);
        });
        find_pressures(organ, in.data, pool, buffers);
    }
    pool.for_chunks(blocks, [&](int b) { run(at(b), in.kernels.compute); });
}

template <class S>
Extremes extremes_of(const Buffers<S>& buffers) {
    Extremes extremes;
    for (std::size_t b = 0; b < buffers.least.size(); ++b) {
        extremes.least = std::min(extremes.least, static_cast<double>(buffers.least[b]));
        extremes.most = std::max(extremes.most, static_cast<double>(buffers.most[b]));
        extremes.area = std::max(extremes.area, static_cast<double>(buffers.area[b]));
    }
    extremes.area = std::sqrt(extremes.area);
    return extremes;
}

}  // namespace

void prepare(const Organ& organ, Workspace& work, Isa isa) {
    work.isa = isa;
    if (organ.settings.exact) {
        reserve(organ, work.exact);
        work.next.exact.assign(organ.history, 0.0);
    } else {
        reserve(organ, work.single);
        work.next.single.assign(organ.history, 0.0F);
    }
}

void compute_forces(const Organ& organ, const Configuration& now, ThreadPool& pool, Workspace& work) {
    if (organ.settings.exact) {
        const Kernels<double> kernels{PLICA_PICK_KERNEL(work.isa, compute_block_exactly),
                                      PLICA_PICK_KERNEL(work.isa, sum_volumes_exactly)};
        compute<double>(organ, now, {kernels, organ.exact, now.history.exact, work.next.exact}, pool, work.exact);
    } else {
        const Kernels<float> kernels{PLICA_PICK_KERNEL(work.isa, compute_block),
                                     PLICA_PICK_KERNEL(work.isa, sum_volumes)};
        compute<float>(organ, now, {kernels, organ.single, now.history.single, work.next.single}, pool, work.single);
    }
}

void sum_forces_at(const Organ& organ, const Workspace& work, std::int32_t begin, std::int32_t end,
                   std::span<Vec3> force) {
    const std::int32_t* first = organ.first_slot.data();
    const std::int32_t* slots = organ.slots.data();
    if (organ.settings.exact) {
        const auto sum = PLICA_PICK_KERNEL(work.isa, sum_slots_exactly);
        sum(first, slots, work.exact.partial.data(), begin, end, force.data());
    } else {
        const auto sum = PLICA_PICK_KERNEL(work.isa, sum_slots);
        sum(first, slots, work.single.partial.data(), begin, end, force.data());
    }
}

void sum_forces(const Organ& organ, const Workspace& work, ThreadPool& pool, std::span<Vec3> force) {
    for_node_chunks(organ, pool,
                    [&](std::int32_t begin, std::int32_t end) { sum_forces_at(organ, work, begin, end, force); });
}

Extremes find_extremes(const Organ& organ, const Workspace& work) {
    return organ.settings.exact ? extremes_of(work.exact) : extremes_of(work.single);
}

}  // namespace plica::tled
