#pragma once
#include "collision/tree/hierarchy.hpp"

// Normal cones of the leaves. A leaf's cone holds the normals of all triangles around its corners, its fan, so that
// what touches a corner or an edge of it is seen as well.
namespace plica {

class FanCones {
public:
    explicit FanCones(const Hierarchy& tree);

    // Takes a patch's normals that have turned by more than the tolerance since they were last told, or all of them.
    void take_normals(const Hierarchy& tree, std::size_t patch, bool all);
    // Tells neighbours of those that were taken.
    void tell(const Hierarchy& tree, std::size_t patch);
    // The cones of leaves that were told, and those above them in their patches.
    void refit(Hierarchy& tree);
    // Those that were told need not be looked at: all of them are.
    void drop_told();

    // The cone around a leaf's fan. `extra`, rad: turn beyond the margin that patches around it had.
    [[nodiscard]] Cone compute(const Hierarchy& tree, const Leaf& leaf, double& extra) const;
    // Of a leaf, as its neighbours know it.
    [[nodiscard]] const Vec3& normal(std::int32_t leaf) const { return m_normals[static_cast<std::size_t>(leaf)]; }

    // What is remembered from one update to the next (memory.cpp).
    template <class Self, class Archive>
    static void visit(Self& self, Archive& archive);

private:
    // What a leaf's cone was made for; as constructed, nothing.
    struct Fit {
        double cosine = 2.0;   // of the widest angle between its axis and a normal around it
        double extra = 0.0;    // rad: turn beyond the margin that patches around it had
        std::int64_t age = 0;  // times it was looked at since
    };
    [[nodiscard]] bool is_bounded(const Hierarchy& tree, const Leaf& leaf, const Fit& fit) const;
    bool refit_leaf(Hierarchy& tree, std::int32_t leaf);
    static int climb(Hierarchy& tree, const Leaf& leaf);

    std::vector<Fit> m_fits;                  // per leaf
    std::vector<Vec3> m_normals;              // per leaf
    std::vector<std::int32_t> m_restless;     // leaves whose cones are to be bounded again
    std::vector<std::uint8_t> m_is_restless;  // per leaf
    std::vector<std::uint8_t> m_coned;        // per patch: cones below changed
    // Within an update.
    std::vector<std::uint8_t> m_taken;       // per leaf: its normal was taken; its cone has changed
    std::vector<std::int32_t> m_coned_list;  // those patches
    std::vector<std::int32_t> m_climbed;     // per patch: cones merged
};

}  // namespace plica
