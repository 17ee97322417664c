#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

// Rows that can be solved at the same time. Rows that share no node which moves, neither directly nor by way of others,
// are islands to each other: what is done to one the other does not feel. Islands are dealt out to a few bins, and the
// bins are worked on side by side. Which bin a row is in follows from the state alone, not from the threads.
namespace plica {

struct ContactWorld;
struct ContactScratch;
struct RowEnds;

inline constexpr std::size_t most_bins = 16;
// Rows that lie between two bins, or that a floating body feels: they are solved while no bin is worked on.
inline constexpr std::size_t shared_bin = most_bins;

struct Island {
    std::int32_t rows, root;
};

struct IslandScratch {
    std::size_t bins = 1;                // in use; of one all rows are, whatever they share
    bool stale = true;                   // a step begins
    std::vector<std::int8_t> bin_of;     // per node that moves; -1: no row is there yet
    std::int32_t rows[most_bins + 1]{};  // in each bin
    std::vector<std::int32_t> parent;    // per node, while islands are looked for
    std::vector<std::int32_t> of_rows;   // the same when only rows were joined
    std::vector<std::int32_t> count;     // rows, per node that stands for an island
    std::vector<std::int32_t> touched;   // nodes of rows
    std::vector<Island> islands;         // the largest first
};

// May rows be dealt out at all? Not those of tubes alone, which are few and come one after the other, nor where what is
// measured is shared.
bool can_split(const ContactWorld& world);
// Deals the islands of the pairs that carry load out anew, where a step begins or too many rows have come to lie
// between the bins.
void deal_islands(const ContactWorld& world, ContactScratch& scratch);
// The bin of a row, which its nodes belong to from now on.
std::size_t take_bin(const RowEnds& ends, IslandScratch& islands);

}  // namespace plica
