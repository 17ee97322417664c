#include "geometry/mesh/stuffing_front.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace plica {
namespace {

// Labelle and Shewchuk 2007, table 1: a cut point nearer to a node than this share of its edge moves the node.
constexpr double nearest_long = 0.24999;
constexpr double nearest_short = 0.41189;
// Where a node cannot be moved, its cut point is instead: the smallest shares that keep the smallest angle over 1,500
// crumpled balls what it is when every such node is moved.
constexpr double put_long = 0.30;
constexpr double put_short = 0.46;

double nearest_share(int direction) {
    return Lattice::is_long(direction) ? nearest_long : nearest_short;
}

Vec3 step_of(int direction) {
    const std::array<int, 3> s = Lattice::step(direction);
    return {static_cast<double>(s[0]), static_cast<double>(s[1]), static_cast<double>(s[2])};
}

// A closed curve on the 14 neighbours of a node, pieced together from segments between points with a number each.
class Curve {
public:
    void add(int a, int b) { m_ends.push_back({a, b}); }
    // A segment given twice is none: the inside lies on both sides of it.
    void toggle(int a, int b) {
        const std::array<int, 2> ends{std::min(a, b), std::max(a, b)};
        const auto found = std::find(m_ends.begin(), m_ends.end(), ends);
        if (found == m_ends.end()) {
            m_ends.push_back(ends);
        } else {
            m_ends.erase(found);
        }
    }
    // Whether there is nothing, or one circle that meets itself nowhere.
    [[nodiscard]] bool is_simple() const {
        if (m_ends.empty()) return true;
        const int start = m_ends[0][0];
        int at = start;
        std::size_t last = m_ends.size();
        for (std::size_t length = 1;; ++length) {
            std::size_t next = m_ends.size();
            int meeting = 0;
            for (std::size_t i = 0; i < m_ends.size(); ++i) {
                if (m_ends[i][0] != at && m_ends[i][1] != at) continue;
                ++meeting;
                if (i != last) next = i;
            }
            if (meeting != 2) return false;
            at = m_ends[next][0] == at ? m_ends[next][1] : m_ends[next][0];
            last = next;
            if (at == start) return length == m_ends.size();
        }
    }

private:
    std::vector<std::array<int, 2>> m_ends;
};

}  // namespace

StuffingFront::StuffingFront(const Lattice& lattice, SurfaceMesh surface)
    : m_lattice(lattice),
      m_tree(std::move(surface)),
      m_winding(static_cast<std::size_t>(lattice.nodes()), 0),
      m_slot(static_cast<std::size_t>(lattice.nodes()), -1) {
    find_inside();
    find_front();
    find_cuts();
}

// Columns of nodes along x. A line through a corner of the surface may come out of it more or less often than in: then
// one beside it is tried.
void StuffingFront::find_inside() {
    constexpr double beside = 1e-7;
    constexpr int trials = 16;
    std::vector<Crossing> crossings;
    for (const bool centre : {false, true}) {
        for (int k = 0; k < m_lattice.size()[2]; ++k) {
            for (int j = 0; j < m_lattice.size()[1]; ++j) {
                bool done = false;
                for (int trial = 0; trial < trials && !done; ++trial) {
                    const Vec3 shift{0.0, beside * trial, beside * 0.7 * trial * trial};
                    done = trace_column(m_lattice.node(centre, 0, j, k), shift, crossings);
                }
                if (!done) throw Error("the surface has triangles too small or too flat to tell inside from outside");
            }
        }
    }
}

bool StuffingFront::trace_column(std::int32_t first, const Vec3& shift, std::vector<Crossing>& crossings) {
    const double length = 2.0 * m_lattice.size()[0];
    const Vec3 from = m_lattice.place(first) + shift;
    m_tree.find_crossings(from, from + Vec3{length, 0.0, 0.0}, crossings);
    int winding = 0;
    for (const Crossing& crossing : crossings) winding += crossing.turn;
    if (winding != 0) return false;
    std::size_t passed = 0;
    for (int i = 0; i < m_lattice.size()[0]; ++i) {
        while (passed < crossings.size() && crossings[passed].t * length <= 2.0 * i)
            winding += crossings[passed++].turn;
        m_winding[static_cast<std::size_t>(first + i)] = static_cast<std::int16_t>(std::clamp(winding, -1000, 1000));
    }
    return true;
}

void StuffingFront::find_front() {
    for (std::int32_t node = 0; node < m_lattice.nodes(); ++node) {
        if (lattice_sign(node) < 0) continue;
        for (int d = 0; d < Lattice::directions; ++d) {
            const std::int32_t other = m_lattice.neighbour(node, d);
            if (lattice_sign(other) > 0) continue;
            m_slot[static_cast<std::size_t>(node)] = 0;
            m_slot[static_cast<std::size_t>(other)] = 0;
        }
    }
    for (std::int32_t node = 0; node < m_lattice.nodes(); ++node) {
        if (m_slot[static_cast<std::size_t>(node)] < 0) continue;
        m_slot[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(m_front.size());
        FrontNode& front = m_front.emplace_back();
        front.node = node;
        front.sign = lattice_sign(node);
        front.place = m_lattice.place(node);
        front.cut_vertex.fill(-1);
    }
}

void StuffingFront::find_cuts() {
    std::vector<Crossing> crossings;
    for (FrontNode& front : m_front) {
        for (int d = 0; d < Lattice::half_directions; ++d) {
            const std::int32_t other = m_lattice.neighbour(front.node, d);
            if (lattice_sign(other) == front.sign) continue;
            front.cut[static_cast<std::size_t>(d)] =
                front.sign > 0 ? find_cut(front.node, other, crossings) : 1.0 - find_cut(other, front.node, crossings);
        }
    }
}

// The first way out. Rounding may hide it only when an end lies on the surface.
double StuffingFront::find_cut(std::int32_t inner, std::int32_t outer, std::vector<Crossing>& crossings) const {
    constexpr double reach = 1e-5;
    const Vec3 from = m_lattice.place(inner);
    const Vec3 to = m_lattice.place(outer);
    m_tree.find_crossings(from, to, crossings);
    int winding = m_winding[static_cast<std::size_t>(inner)];
    for (const Crossing& crossing : crossings) {
        winding += crossing.turn;
        if (winding <= 0) return crossing.t;
    }
    return m_tree.find_nearest(from, to, reach);
}

void StuffingFront::settle() {
    for (FrontNode& front : m_front) warp(front);
    for (bool changed = true; changed;) {
        changed = false;
        for (FrontNode& front : m_front) {
            if (front.sign != 0 || !is_pinched(front)) continue;
            front.sign = lattice_sign(front.node);
            front.place = m_lattice.place(front.node);
            changed = true;
        }
    }
}

void StuffingFront::warp(FrontNode& front) {
    double nearest = 3.0;  // units: more than any edge
    Vec3 place = front.place;
    for (int d = 0; d < Lattice::directions; ++d) {
        const std::int32_t other = m_lattice.neighbour(front.node, d);
        if (sign(other) != -front.sign) continue;
        const bool owns = d < Lattice::half_directions;
        const FrontNode& owner = owns ? front : *find(other);
        const double cut = owner.cut[static_cast<std::size_t>(d % Lattice::half_directions)];
        const double share = owns ? cut : 1.0 - cut;
        if (share >= nearest_share(d)) continue;
        const Vec3 step = step_of(d) * share;
        if (norm(step) >= nearest) continue;
        nearest = norm(step);
        place = front.place + step;
    }
    if (nearest > 2.0) return;
    front.place = place;
    front.sign = 0;
}

// Around a node on the surface the inside must be one piece and the outside too: the boundary of the inside on the link
// (the sphere of its 14 neighbours) is one circle. Points of it are neighbours (0 to 13) and cut edges between them.
bool StuffingFront::is_pinched(const FrontNode& front) const {
    std::array<int, Lattice::directions> signs{};
    for (int d = 0; d < Lattice::directions; ++d) {
        signs[static_cast<std::size_t>(d)] = sign(m_lattice.neighbour(front.node, d));
    }
    Curve curve;
    for (const auto& triangle : m_link) {
        std::vector<int> inside;
        std::vector<int> outside;
        std::vector<int> points;
        for (const int d : triangle) {
            const int s = signs[static_cast<std::size_t>(d)];
            (s > 0 ? inside : (s < 0 ? outside : points)).push_back(d);
        }
        if (inside.empty()) continue;
        if (points.size() == 2) curve.toggle(points[0], points[1]);
        if (outside.empty()) continue;
        for (const int a : inside) {
            for (const int b : outside) points.push_back(Lattice::directions * (std::min(a, b) + 1) + std::max(a, b));
        }
        curve.add(points[0], points[1]);
    }
    return !curve.is_simple();
}

Vec3 StuffingFront::cut_place(const FrontNode& owner, int half_direction) const {
    const double nearest = nearest_share(half_direction);
    const double put = Lattice::is_long(half_direction) ? put_long : put_short;
    double cut = owner.cut[static_cast<std::size_t>(half_direction)];
    if (cut < nearest) cut = put;
    if (cut > 1.0 - nearest) cut = 1.0 - put;
    return m_lattice.place(owner.node) + step_of(half_direction) * cut;
}

}  // namespace plica
