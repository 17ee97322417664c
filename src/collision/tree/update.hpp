#pragma once
#include "collision/tree/fan_cones.hpp"
#include "collision/tree/hierarchy.hpp"

// Refit policies of the bounding volume hierarchy: how it is kept up to date with nodes that go from x to p.
namespace plica {

// Ours: a patch is refitted when one of its corners has left its margin or a normal may have turned too far.
void update_by_margins(Hierarchy& tree, FanCones& cones, std::span<const Vec3> x, std::span<const Vec3> p);

// The paper's way (Johnsen 2012, eq. 5), and what it was compared with. All boxes bound what is between the start and
// the end of one step, and everything is searched at every step.
class LazyUpdate {
public:
    explicit LazyUpdate(const Hierarchy& tree);

    void update(Hierarchy& tree, FanCones& cones, std::span<const Vec3> x, std::span<const Vec3> p);
    // Is the patch's subtree to be refitted when it is looked into?
    [[nodiscard]] bool is_behind(std::int32_t patch) const {
        return !m_behind.empty() && patch >= 0 && m_behind[static_cast<std::size_t>(patch)] != 0;
    }
    void refit_below(Hierarchy& tree, const FanCones& cones, std::size_t patch);

    // What is remembered from one update to the next (memory.cpp).
    template <class Self, class Archive>
    static void visit(Self& self, Archive& archive);

private:
    double refit_root(Hierarchy& tree, std::size_t patch);

    std::vector<Vec3> m_since;               // per corner: place at the last refit of the subtree
    std::vector<double> m_half, m_fan_half;  // rad, per patch: its cone then, of its own facets and with their fans
    std::vector<double> m_diameter;          // m, per patch: the smallest of a facet then
    std::vector<std::uint8_t> m_behind;      // per patch
};

}  // namespace plica
