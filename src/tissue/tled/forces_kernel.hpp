#pragma once
#include "core/isa.hpp"
#include "tissue/tled/laws.hpp"
#include "tissue/tled/organ.hpp"

namespace plica::tled {

// One block's share of an evaluation.
template <class S>
struct BlockTask {
    const Block* block;
    const Constants<S>* material;
    bool plain;                  // neo-Hookean and nothing else
    const std::uint16_t* index;  // of the block, as are all below
    const Line<S>* number;
    const std::int32_t* slot_node;
    const Vec3* rest;  // of the organ
    const Vec3* x;     // of the organ
    S* partial;
    S* pressure;
    const S* history;
    S* next;
    S least, most;  // out: J
    S area;         // out: the largest |cof F|^2
};

// Slots a block may have: what fits on the stack.
inline constexpr int most_slots = 2048;

PLICA_KERNEL_VARIANTS(
    // Forces on the block's slots.
    void compute_block(BlockTask<float>& task); void compute_block_exactly(BlockTask<double>& task);
    // Quarters of the cells' present volumes, summed in task.pressure.
    void sum_volumes(BlockTask<float>& task); void sum_volumes_exactly(BlockTask<double>& task);
    // Sums the slots' forces at nodes [begin, end); first and slots are the organ's.
    void sum_slots(const std::int32_t* first, const std::int32_t* slots, const float* partial, std::int32_t begin,
                   std::int32_t end, Vec3* force);
    void sum_slots_exactly(const std::int32_t* first, const std::int32_t* slots, const double* partial,
                           std::int32_t begin, std::int32_t end, Vec3* force))

}  // namespace plica::tled
