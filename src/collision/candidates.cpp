#include "collision/candidates.hpp"

#include <algorithm>

#include "collision/find_pairs.hpp"

namespace plica {

void reserve_pairs_for(const Surface& surface, std::size_t pairs, DetectorScratch& scratch) {
    const auto chunks = static_cast<std::size_t>(count_chunks(surface));
    const auto primitives = static_cast<std::size_t>(primitive_count(surface));
    scratch.chunks.resize(chunks);
    for (DetectorScratch::Chunk& chunk : scratch.chunks) {
        chunk.raw.reserve((surface.features.edges > 0 ? 32 : 8) * pairs / chunks);  // sheets are crowded at their root
        chunk.hits.reserve(primitives + 8);
    }
    scratch.merged.reserve(pairs);
    scratch.boxes.resize(primitives);
    scratch.sorted.resize(primitives);
    scratch.id.reserve(primitives + 8);
    scratch.cell.reserve(primitives);
    scratch.first.reserve(4 * primitives + 128);
    scratch.cursor.reserve(4 * primitives + 128);
}

// Eight nodes at a time, each of their 24 numbers summed on its own: no sum waits for another, and the compiler keeps
// them in registers.
Vec3 mean_displacement(std::span<const Vec3> from, std::span<const Vec3> to, std::span<const NodeRange> moving) {
    if (to.empty()) return {};
    constexpr std::size_t block = 24;
    const double* f = &from[0].x;
    const double* t = &to[0].x;
    double sum[block] = {};
    for (const NodeRange& range : moving) {
        const std::size_t numbers = 3 * range.last;
        std::size_t i = 3 * range.first;
        for (; i + block <= numbers; i += block) {
            for (std::size_t k = 0; k < block; ++k) sum[k] += t[i + k] - f[i + k];
        }
        for (std::size_t k = 0; i + k < numbers; ++k) sum[k] += t[i + k] - f[i + k];
    }
    Vec3 all{};
    for (std::size_t k = 0; k < block; k += 3) all += {sum[k], sum[k + 1], sum[k + 2]};
    return all / static_cast<double>(to.size());
}

Vec3 mean_displacement(std::span<const Vec3> from, std::span<const Vec3> to) {
    const NodeRange all{0, to.size()};
    return mean_displacement(from, to, {&all, 1});
}

bool is_complete(const CandidateList& list, std::span<const Vec3> positions, std::span<const NodeRange> moving) {
    if (list.built.size() != positions.size()) return false;
    const auto holds_in = [&](const NodeRange& range, const Vec3& common) {
        constexpr std::size_t block = 32;  // between looks at whether to go on
        for (std::size_t i = range.first; i < range.last; i += block) {
            bool all = true;
            for (std::size_t k = i; k < std::min(i + block, range.last); ++k) {
                all &= squared_norm(positions[k] - list.built[k] - common) <= list.margin[k] * list.margin[k];
            }
            if (!all) return false;
        }
        return true;
    };
    const auto holds = [&](const Vec3& common) {
        return std::all_of(moving.begin(), moving.end(), [&](const NodeRange& r) { return holds_in(r, common); });
    };
    return holds(mean_displacement(list.built, positions, moving)) || holds({});
}

bool is_complete(const CandidateList& list, std::span<const Vec3> positions) {
    const NodeRange all{0, positions.size()};
    return is_complete(list, positions, {&all, 1});
}

namespace {

// Both lists are sorted: one walk carries the memory over.
void carry_memory(const std::vector<Pair>& from, std::span<Pair> found) {
    if (found.empty()) return;
    auto old = std::lower_bound(from.begin(), from.end(), found.front());
    for (Pair& pair : found) {
        while (old != from.end() && *old < pair) ++old;
        if (old == from.end() || !same_pair(*old, pair)) continue;
        pair.push = old->push;
        pair.friction = old->friction;
        pair.side = old->side;
    }
}

}  // namespace

void replace_pairs(CandidateList& list, std::vector<Pair>& found, std::span<const Vec3> positions) {
    carry_memory(list.pairs, found);
    list.pairs.swap(found);
    list.built.assign(positions.begin(), positions.end());
}

void replace_feature_pairs(const Surface& surface, std::span<const std::array<std::int32_t, 2>> features,
                           CandidateList& list, ThreadPool& pool, std::vector<Pair>& merged) {
    constexpr std::size_t pairs_a_piece = 512;
    merged.assign(list.pairs.begin(), find_first_feature(surface, list.pairs));
    const std::size_t others = merged.size();
    merged.resize(others + features.size());
    pool.for_pieces(features.size(), pairs_a_piece, [&](std::size_t begin, std::size_t end) {
        const std::span<Pair> piece = std::span(merged).subspan(others + begin, end - begin);
        for (std::size_t i = 0; i < piece.size(); ++i) {
            piece[i] = {};
            piece[i].a = features[begin + i][0];
            piece[i].b = features[begin + i][1];
        }
        carry_memory(list.pairs, piece);
    });
    list.pairs.swap(merged);
}

std::vector<Pair>::iterator find_first_feature(const Surface& surface, std::vector<Pair>& pairs) {
    const std::int32_t plain = plain_capsules(surface);
    return std::partition_point(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.a < plain; });
}

std::int64_t rebuild(CandidateList& list, DetectorKind detector, const DetectorView& view, ThreadPool& pool,
                     DetectorScratch& scratch, bool keep_features) {
    const std::vector<Pair>::iterator first_feature = find_first_feature(view.surface, list.pairs);
    std::int64_t tests = 0;
    switch (detector) {
        case DetectorKind::brute:
            tests = find_pairs_brute(view, list.margin, pool, scratch, scratch.merged);
            break;
        case DetectorKind::grid:
            tests = find_pairs_grid(view, list.margin, pool, scratch, scratch.merged);
            break;
        case DetectorKind::bvh:
            tests = find_pairs_bvh(view, list.margin, pool, scratch, scratch.merged);
            break;
        case DetectorKind::tracked:
            scratch.merged.clear();  // never asked
            break;
    }
    if (keep_features) scratch.merged.insert(scratch.merged.end(), first_feature, list.pairs.end());
    replace_pairs(list, scratch.merged, view.x);
    return tests;
}

}  // namespace plica
