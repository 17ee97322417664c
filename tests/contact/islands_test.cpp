#include "contact/islands.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/contact/contacts.hpp"

// Rows that are worked on at the same time must share no node that moves.
namespace plica::testing {
namespace {

// Rungs of ladders: each row is an edge over another, and those of a ladder are joined end to end.
struct Ladders : Bench {
    std::vector<double> radius;

    Ladders(int ladders, int rungs) {
        for (int l = 0; l < ladders; ++l) {
            for (int i = 0; i <= rungs; ++i) {
                add_node({0.01 * i, 0.1 * l, 0.0}, 1.0);
                add_node({0.01 * i, 0.1 * l, 0.001}, 1.0);
                if (i == 0) continue;
                const std::int32_t n = static_cast<std::int32_t>(x.size()) - 4;
                add_capsule(n, n + 2, 0.001);
                add_capsule(n + 1, n + 3, 0.001);
                list.pairs.push_back({});
                list.pairs.back().a = static_cast<std::int32_t>(surface.capsules.size()) - 2;
                list.pairs.back().b = list.pairs.back().a + 1;
                list.pairs.back().push = 1.0;
            }
        }
        surface.features.edges = static_cast<std::int32_t>(surface.capsules.size());
        p = x;
        radius.assign(x.size(), -1.0);
        forget_pairs(substep(), scratch);
    }
    ContactWorld substep() { return {surface, {}, radius, w, settings, 1e-3, x, p, list, {}, {}}; }

    // Bins of all rows, in their order.
    std::vector<std::size_t> take_bins() {
        std::vector<std::size_t> bins;
        for (const RowEnds& ends : scratch.pairs.ends) bins.push_back(take_bin(ends, scratch.islands));
        return bins;
    }
    // Nodes that rows of two bins move.
    [[nodiscard]] int count_shared(const std::vector<std::size_t>& bins) const {
        std::vector<std::size_t> of(x.size(), most_bins + 1);
        int shared = 0;
        for (std::size_t i = 0; i < bins.size(); ++i) {
            for (const std::int32_t n : scratch.pairs.ends[i].node) {
                if (w[at(n)] == 0.0 || bins[i] == shared_bin) continue;
                if (of[at(n)] != most_bins + 1 && of[at(n)] != bins[i]) ++shared;
                of[at(n)] = bins[i];
            }
        }
        return shared;
    }
};

TEST(Islands, ShareNoNodeThatMoves) {
    Ladders ladders(5, 100);
    deal_islands(ladders.substep(), ladders.scratch);
    ASSERT_EQ(5U, ladders.scratch.islands.bins);
    const std::vector<std::size_t> bins = ladders.take_bins();
    EXPECT_EQ(0, ladders.count_shared(bins));
    for (std::size_t i = 0; i < bins.size(); ++i) EXPECT_EQ(bins[i - i % 100], bins[i]);
    EXPECT_EQ(0, ladders.scratch.islands.rows[shared_bin]);
    std::vector<std::size_t> wrong = bins;  // the count can fail
    wrong[1] = (bins[0] + 1) % 5;
    EXPECT_GT(ladders.count_shared(wrong), 0);
}

// What contact does not move joins nothing.
TEST(Islands, EndWhereNothingMoves) {
    Ladders ladders(1, 600);
    ladders.w[600] = ladders.w[601] = 0.0;  // in the middle
    forget_pairs(ladders.substep(), ladders.scratch);
    deal_islands(ladders.substep(), ladders.scratch);
    EXPECT_EQ(2U, ladders.scratch.islands.bins);
    const std::vector<std::size_t> bins = ladders.take_bins();
    EXPECT_EQ(0, ladders.count_shared(bins));
    EXPECT_NE(bins.front(), bins.back());
}

// A row that comes later and joins two of them is solved while no bin is worked on.
TEST(Islands, AreJoinedByRowsOfTheirOwnBin) {
    Ladders ladders(2, 300);
    deal_islands(ladders.substep(), ladders.scratch);
    std::vector<std::size_t> bins = ladders.take_bins();
    RowEnds across = ladders.scratch.pairs.ends.front();
    across.node[0] = ladders.scratch.pairs.ends.back().node[0];
    EXPECT_EQ(shared_bin, take_bin(across, ladders.scratch.islands));
    RowEnds floating = ladders.scratch.pairs.ends.front();
    floating.floating = true;
    EXPECT_EQ(shared_bin, take_bin(floating, ladders.scratch.islands));
    EXPECT_EQ(bins.front(), take_bin(ladders.scratch.pairs.ends.front(), ladders.scratch.islands));
}

// Few rows, and tubes alone, stay in one bin: one after the other, as they come.
TEST(Islands, AreNotDealtOutWhereThereAreFew) {
    Ladders few(2, 20);
    deal_islands(few.substep(), few.scratch);
    EXPECT_EQ(1U, few.scratch.islands.bins);
    Ladders tubes(5, 100);
    tubes.surface.features.edges = 0;
    deal_islands(tubes.substep(), tubes.scratch);
    EXPECT_EQ(1U, tubes.scratch.islands.bins);
}

}  // namespace
}  // namespace plica::testing
