#pragma once
#include <array>
#include <span>
#include <vector>

#include "collision/tree/update.hpp"

// The traversal of the hierarchy against itself, bodies two by two, and what it finds: pairs of features that are near.
namespace plica {

// What a traversal works on. Subtrees of the paper's lazy update are refitted when they are looked into.
struct TreeContext {
    Hierarchy& tree;
    const FanCones& cones;
    LazyUpdate& lazy;
};

class PairSearch {
public:
    explicit PairSearch(const Hierarchy& tree);

    // Has any two bodies' search expired, because their frames have drifted apart too far? All of them have when `all`.
    bool expire(const Hierarchy& tree, bool all);
    // Searches again for what has expired or was touched. True when pairs() changed.
    bool renew(const TreeContext& context, bool all);

    [[nodiscard]] std::span<const std::array<std::int32_t, 2>> pairs() const { return m_pairs; }

    // What is remembered from one update to the next (memory.cpp).
    template <class Self, class Archive>
    static void visit(Self& self, const Hierarchy& tree, Archive& archive);

private:
    // Two bodies, when they were last searched. One that deforms comes first.
    struct Meeting {
        std::int32_t a, b;
        Pose at_a{}, at_b{};
        double margin = -1.0;  // m: how far their frames may drift apart; < 0: never searched
        bool cull = false;
        bool expired = true;
    };
    // How one tree is searched against another.
    struct Search {
        Pose b_to_a{};
        bool turned = false;  // b_to_a is more than a shift
        double margin = 0.0;  // m, beyond the boxes: how far the frames may drift
        bool cull = false;
        bool all = false;  // not only what was touched
    };
    // Pairs of features of one kind that wait to be measured.
    struct FeatureBatch {
        static constexpr int size = 8;
        Vec3 point[5 * size];
        std::array<std::int32_t, 2> pair[size];
        double limit[size];  // m
        int count = 0;
    };
    // Two volumes that are to be compared; the number of their search.
    struct Open {
        std::int32_t a, b, search;
    };
    // A share of a traversal: what is still open and what was found. Shares follow from what is open, not from threads.
    struct Share {
        std::vector<Open> stack;  // the first `open` of them
        std::size_t open = 0;
        FeatureBatch corners{}, edges{};
        std::vector<std::array<std::int32_t, 2>> found;
        std::vector<std::array<std::int32_t, 2>> facet_pairs;  // their patches
        std::int64_t visits = 0;

        void push(std::int32_t a, std::int32_t b, std::int32_t search) {
            if (open == stack.size()) stack.resize(2 * open + 64);
            stack[open++] = {a, b, search};
        }
    };
    // A leaf and where its corners are, in the frame of the search.
    struct Corners {
        const Leaf& leaf;
        Vec3 at[3];  // m
    };

    static double drift(const Hierarchy& tree, const Meeting& meeting, const Pose& a, const Pose& b);
    static bool has_drifted(const Hierarchy& tree, const Meeting& meeting);
    static void arrange(const Hierarchy& tree, Meeting& meeting);
    void drop_pairs(const Hierarchy& tree, bool all);
    void list_searches(const Hierarchy& tree, bool all);
    void search_all(const TreeContext& context, bool all);
    std::size_t share_out(const TreeContext& context);
    void work_on(const TreeContext& context, Share& share) const;
    [[gnu::always_inline]] void look_at(const TreeContext& context, const Open& next, Share& share) const;
    [[gnu::always_inline]] static void expand_self(const TreeContext& context, const Open& next, const Search& s,
                                                   Share& share);
    [[gnu::always_inline]] void compare(const TreeContext& context, const Open& next, const Search& s,
                                        Share& share) const;
    void emit(const Hierarchy& tree, const Leaf& a, const Leaf& b, const Search& s, Share& share) const;
    void emit_corners(const Surface& surface, const Corners& a, const Corners& b, double within, Share& share) const;
    void emit_edges(const Surface& surface, const Corners& a, const Corners& b, double within, Share& share) const;
    void keep_near(FeatureBatch& batch, int points, Share& share) const;
    void gather_found(const Hierarchy& tree, std::size_t shares);
    bool merge_found();
    [[nodiscard]] bool can_meet(const Hierarchy& tree, std::int32_t patch, std::int32_t other) const;
    [[nodiscard]] bool can_list(const Hierarchy& tree, const std::array<std::int32_t, 2>& pair) const;

    Isa m_isa;
    std::vector<Meeting> m_meetings;
    std::vector<std::int32_t> m_meeting_of;  // per two bodies
    std::vector<Search> m_searches;          // of the present round
    std::vector<Share> m_shares;
    std::vector<std::array<std::int32_t, 2>> m_facet_pairs;  // their patches
    std::vector<std::array<std::int32_t, 2>> m_pairs, m_found, m_kept, m_merged;
};

}  // namespace plica
