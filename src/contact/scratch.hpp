#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "contact/floating_walls.hpp"
#include "contact/islands.hpp"
#include "contact/johnsen.hpp"
#include "contact/owners.hpp"
#include "contact/rows.hpp"
#include "contact/walls.hpp"
#include "core/parallel.hpp"
#include "geometry/vec3.hpp"

// Work arrays of the contact solver, by who uses them, and what a substep of it tells. Nothing here is state: results
// depend on none of it.
namespace plica {

// Arrays that kernels go through are as long as a multiple of eight.
constexpr std::size_t padded(std::size_t count) {
    return (count + 7) / 8 * 8;
}

// What never changes about a pair.
struct RowEnds {
    std::int32_t a, b;  // primitives
    std::int32_t node[5];
    Shape shape;
    bool solid;            // a side belongs to a solid
    bool rated;            // the rate layer concerns it
    bool floating;         // a side belongs to a floating body
    std::uint8_t moving;   // bit k: contact may move node k
    double radii;          // m
    std::int32_t rub = 0;  // where its coefficient of friction is, see Frictions
};

// Nothing is known of a pair: it is measured when it is looked at, however little its primitives went.
inline constexpr double due_at_once = -std::numeric_limits<double>::infinity();

// What is known of pairs, one after the other.
struct KnownPairs {
    std::vector<RowEnds> ends;
    std::vector<std::int32_t> owner_a, owner_b;
    std::vector<double> due;    // m: sum of both paths at which it is to be measured again
    std::vector<double> away;   // m: what certify allows beyond a gap of zero
    std::vector<double> radii;  // m: as in the ends
    // In a crowd only (crowd.cpp).
    std::vector<double> facing[3];  // unit: normal when last measured; zero: never
    std::vector<std::int32_t> side_node[5];
};

// The candidate pairs, between substeps (known_pairs.cpp).
struct PairScratch : KnownPairs {
    std::vector<std::int32_t> loaded, sided;  // pairs that carry load; pairs whose side is remembered
    std::vector<std::uint8_t> marks;          // per pair, as a list is adopted: carries load; its side is remembered
    KnownPairs before;                        // of the last list
};

// A pair at the start of the substep.
struct RowStart {
    Vec3 normal;
    double gap, distance, least_gap;
    double weight[5];  // of the nodes; floating bodies ask for them before a pass has measured the row
};

// What the passes over the rows of one bin found.
struct alignas(64) BinPass {
    double moved = 0.0;  // largest correction of a row of solids, in contact radii
    std::int64_t tests = 0;
};

// The substep's constraint rows (batches.cpp).
struct RowScratch {
    std::vector<RowBatch> batches;
    std::size_t count = 0;                            // of the batches in use
    std::vector<std::int32_t> in_bin[most_bins + 1];  // batches, in order
    BinPass pass[most_bins + 1];
    std::vector<std::int32_t> dealt[most_bins + 1];  // rows that wait for their batches, by bins
    std::vector<std::uint8_t> has_row;               // per pair: is in a batch
    std::vector<std::uint8_t> sided;                 // per pair, as the substep ends: its side is to be remembered
    std::vector<std::int32_t> fresh;                 // pairs that may have come to touch
    std::vector<RowStart> start;                     // of the fresh pairs
    std::vector<std::uint8_t> unwanted;              // per fresh pair: it cannot touch yet
    std::vector<std::uint32_t> busy;                 // per node: which open batches it is in
};

// How far things went (paths.cpp). A pair whose gap was g cannot touch before its primitives have gone that far: what
// is skipped by this would have been measured in vain, so results do not depend on it.
struct PathScratch {
    Owners owners;
    std::vector<double> path;         // m, per owner: furthest any of its nodes went, summed over substeps
    std::vector<double> travel;       // m, per owner: the same within this substep
    std::vector<double> now;          // m, per owner: path + travel
    bool now_is_final = false;        // it is that of the substep's end
    std::vector<double> node_travel;  // m, per node, against the mean of all
    std::vector<double> grown;        // m, per piece of the owners
};

// No other pairs are due until an owner (in a crowd: a node) has gone further than the margin.
struct NearList {
    std::vector<std::int32_t> pairs;  // in order
    std::vector<double> listed_path;  // m, per owner: when they were listed
    double margin = -1.0;             // m; negative: they are not listed
};

// In a crowd pairs are told apart by how they face each other instead (crowd.cpp).
struct CrowdScratch {
    bool active = false;
    std::vector<Vec3> listed_at;             // m, per node: where it was when the near pairs were listed
    std::vector<double> clearance;           // m, per near pair
    std::vector<std::uint8_t> clear_at_end;  // per near pair
};

// What a substep tells the engine.
struct ContactOutcome {
    std::vector<Vec3> force;  // kg m, per node: what the rows gave, summed when a tool wants to know
    std::int64_t distance_tests = 0;
    int contacts = 0;
    bool corrected = true;      // the last sweep may have moved nodes
    double moved = 0.0;         // largest correction of the last sweep among the rows of solids, in contact radii
    double moved_before = 0.0;  // of the sweep before
};

struct ContactScratch {
    RowKernels kernels = row_kernels(best_isa());
    PairScratch pairs;
    RowScratch rows;
    PathScratch paths;
    NearList near;
    CrowdScratch crowd;
    IslandScratch islands;
    WallRows walls;
    std::vector<FloatingWallRow> floating_walls;
    JohnsenScratch johnsen;
    ContactOutcome outcome;
    ThreadPool* pool = nullptr;  // none: what calls does it all
};

// Calls work(chunk) for each chunk in [0, chunks), side by side where there are threads.
template <class Work>
void for_chunks(ContactScratch& scratch, int chunks, Work&& work) {
    if (scratch.pool != nullptr) return scratch.pool->for_chunks(chunks, work);
    for (int chunk = 0; chunk < chunks; ++chunk) work(chunk);
}

// Calls work(begin, end) for [0, count) in pieces.
template <class Work>
void for_pieces(ContactScratch& scratch, std::size_t count, std::size_t size, Work&& work) {
    if (scratch.pool != nullptr) return scratch.pool->for_pieces(count, size, work);
    if (count > 0) work(std::size_t{0}, count);
}

}  // namespace plica
