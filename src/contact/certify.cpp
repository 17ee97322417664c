#include "contact/certify.hpp"

#include <algorithm>
#include <limits>

#include "contact/batches.hpp"
#include "contact/measure.hpp"
#include "core/index.hpp"
#include "geometry/advancement.hpp"

namespace plica {
namespace {

// Axes stay this share of the contact radii apart, or half of what they are now when that is less. A sphere has no axis
// that could be passed: it is held at half its contact distance.
constexpr double least_share = 1e-3;
constexpr double least_share_of_sphere = 0.5;

// Enough for a pair that goes half its contact radii at twice the least distance. What needs more is held where the
// looks end.
constexpr int most_looks = 2048;

// Of what pairs keep: they are never nearer than this, or rounding would lose which side they are on.
constexpr double least_of_least = 1e-3;

// The step has no distances left. What can be told to pass by where it begins still passes.
bool is_spent(const CertifyScratch& s) {
    return s.tests >= s.enough;
}

// Does no node of one side come nearer to one of the other, along the line between the closest points at x? Then the
// two stay apart, however near they are.
template <Shape S>
bool do_part(const Vec3 (&x)[5], const Vec3 (&p)[5], const Vec3& between) {
    constexpr int side = is_point(S) ? 1 : 2;  // nodes of side a
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (int i = 0; i < nodes_in(S); ++i) {
        const double along = dot(p[i] - x[i], between);
        i < side ? least = std::min(least, along) : most = std::max(most, along);
    }
    return least >= most && squared_norm(between) > 0.0;
}

// How much of a way that ends at `last` a pair may go that begins it at `first`, both distances.
double find_depth(double first, double last, double least_at_end) {
    if (last >= std::min(first, least_at_end)) return never_met;
    return std::max(0.0, first - least_at_end) / (first - last);
}

// When the pair comes as close as `least` on the way from x to p, as a share of the way; never_met when it does not.
// `least` shrinks to half the distance at x, but not below least_of_least of it. Or when it is deep enough, if it would
// end deeper.
template <Shape S>
double find_meeting(const Vec3 (&x)[5], const Vec3 (&p)[5], double least, double least_at_end, CertifyScratch& s) {
    const double travel = relative_travel<S>(x, p);
    if (!(travel > 0.0)) return never_met;  // held already, or not a number
    const auto distance_at = [&](double t) {
        Vec3 now[5];
        for (int i = 0; i < nodes_in(S); ++i) now[i] = x[i] + (p[i] - x[i]) * t;
        ++s.tests;
        return find_closest<S>(now).distance;
    };
    const double first = distance_at(0.0);
    if (first > travel + std::max(least, least_at_end)) return never_met;
    s.slows = true;
    if (is_spent(s)) {
        s.gave_up = true;
        return 0.0;
    }
    const double floor = least_of_least * least;
    if (first <= 1.001 * floor) return do_part<S>(x, p, find_closest<S>(x).between) ? never_met : 0.0;
    least = std::min(least, std::max(0.5 * first, floor));
    const double met = walk_until_met({travel, least, 1e-6 * least, 1.0, most_looks}, first, distance_at);
    if (met != never_met || !(least_at_end > 0.0)) return met;
    s.slows = false;
    return find_depth(first, distance_at(1.0), least_at_end);
}

// A ball of its own, not the corner of a sheet.
bool is_sphere(const Surface& surface, std::int32_t primitive) {
    const auto i = at(primitive);
    if (i >= surface.capsules.size() || surface.capsules[i].sheet) return false;
    return surface.capsules[i].a == surface.capsules[i].b;
}

double find_meeting(const Surface& surface, const Pair& pair, std::span<const Vec3> from, std::span<const Vec3> to,
                    CertifyScratch& s) {
    std::int32_t node[5];
    const Shape shape = nodes_of(surface, pair, node);
    const int nodes = nodes_in(shape);
    Vec3 x[5];
    Vec3 p[5];
    for (int k = 0; k < nodes; ++k) {
        x[k] = from[at(node[k])];
        p[k] = to[at(node[k])];
    }
    const double least = least_apart(surface, pair), at_end = least_apart_at_end(surface, pair, s.deepest);
    switch (shape) {
        case Shape::segments:
            return find_meeting<Shape::segments>(x, p, least, at_end, s);
        case Shape::segment_triangle:
            return find_meeting<Shape::segment_triangle>(x, p, least, at_end, s);
        case Shape::point_triangle:
        case Shape::point_facet:
            break;
    }
    return find_meeting<Shape::point_triangle>(x, p, least, at_end, s);
}

// How far nodes are at most from where the list was built, by way of x.
double compute_moved(const CandidateList& list, std::span<const Vec3> x, std::span<const Vec3> p,
                     std::vector<double>& moved) {
    moved.resize(x.size());
    double most = 0.0;
    const Vec3 before = mean_displacement(list.built, x);
    const Vec3 now = mean_displacement(x, p);
    for (std::size_t n = 0; n < x.size(); ++n) {
        moved[n] = norm(x[n] - list.built[n] - before) + norm(p[n] - x[n] - now);
        most = std::max(most, moved[n]);
    }
    return most;
}

void compute_moved(const Surface& surface, const std::vector<double>& node_moved, std::vector<double>& moved) {
    moved.resize(static_cast<std::size_t>(primitive_count(surface)));
    double* out = moved.data();
    for (const Capsule& c : surface.capsules) *out++ = std::max(node_moved[at(c.a)], node_moved[at(c.b)]);
    for (const Triangle& t : surface.triangles) {
        *out++ = std::max(std::max(node_moved[at(t.a)], node_moved[at(t.b)]), node_moved[at(t.c)]);
    }
}

// What is certified: nodes on their straight way from x to p.
struct Move {
    const Surface& surface;
    std::span<const Pair> pairs;
    std::span<const NodeGroup> groups;
    std::span<const Vec3> x;
    std::span<Vec3> p;
};

// Looks at the pairs that moved enough to meet. True when one of them does; then `kept` says what of its nodes' way is
// safe. From the third round on they stay where they were: each round then stops one node more at least, so there is an
// end.
bool find_meetings(const Move& move, int round, CertifyScratch& s) {
    bool any = false;
    s.before.assign(s.kept.begin(), s.kept.end());
    for (const std::int32_t i : s.close) {
        const Pair& pair = move.pairs[at(i)];
        const double t = find_meeting(move.surface, pair, move.x, move.p, s);
        if (t == never_met) continue;
        any = true;
        if (s.kept.empty()) {
            s.kept.assign(move.x.size(), 1.0);
            s.before.assign(move.x.size(), 1.0);
            s.slowed.assign(move.x.size(), 0);
        }
        std::int32_t node[5];
        const int nodes = nodes_in(nodes_of(move.surface, pair, node));
        for (int k = 0; k < nodes; ++k) {
            const auto n = at(node[k]);
            s.kept[n] = std::min(s.kept[n], round < 2 ? 0.9 * t * s.before[n] : 0.0);
            if (s.slows) s.slowed[n] = 1;
        }
    }
    return any;
}

// Nodes that share a pair that may meet with those that are held stay where they were as well, and so on.
void hold_islands(const Move& move, CertifyScratch& s) {
    std::vector<double>& kept = s.kept;
    for (bool grew = true; grew;) {
        grew = false;
        for (const std::int32_t i : s.close) {
            std::int32_t node[5];
            const int nodes = nodes_in(nodes_of(move.surface, move.pairs[at(i)], node));
            bool held = false;
            bool free = false;
            for (int k = 0; k < nodes; ++k) {
                held = held || kept[at(node[k])] < 1.0;
                free = free || kept[at(node[k])] > 0.0;
            }
            if (!held || !free) continue;
            grew = true;
            for (int k = 0; k < nodes; ++k) {
                kept[at(node[k])] = 0.0;
                s.slowed[at(node[k])] = 1;
            }
        }
    }
}

// What moves as one is held as one.
void hold_groups(std::span<const NodeGroup> groups, CertifyScratch& s) {
    for (const NodeGroup& group : groups) {
        const auto first = s.kept.begin() + static_cast<std::ptrdiff_t>(group.first);
        const auto last = first + static_cast<std::ptrdiff_t>(group.count);
        std::fill(first, last, *std::min_element(first, last));
    }
    // Joined ones too, however many in a row.
    for (bool grew = true; grew;) {
        grew = false;
        for (const NodeGroup& group : groups) {
            if (group.joined < 0) continue;
            const NodeGroup& other = groups[at(group.joined)];
            const double least = std::min(s.kept[group.first], s.kept[other.first]);
            for (const NodeGroup* each : {&group, &other}) {
                if (s.kept[each->first] == least) continue;
                grew = true;
                std::fill_n(s.kept.begin() + static_cast<std::ptrdiff_t>(each->first), each->count, least);
            }
        }
    }
}

// find_close() lists the pairs that may meet on the way to where p is now.
template <class FindClose>
int hold_back(const Move& move, CertifyScratch& s, const FindClose& find_close) {
    constexpr int patience = 8;      // rounds; then whole islands stop, or a long stack would take a round per node
    constexpr int most_rounds = 32;  // then all stays where it was, which is safe
    const std::span<const Vec3> x = move.x;
    const std::span<Vec3> p = move.p;
    s.kept.clear();
    if (!is_finite(mean_displacement(x, p))) return 0;  // the step is lost, whatever is held
    for (int round = 0;; ++round) {
        find_close();
        if (!find_meetings(move, round, s)) break;
        if (round == 0) s.wanted.assign(p.begin(), p.end());
        if (round == most_rounds) {
            s.gave_up = true;
            std::fill(s.kept.begin(), s.kept.end(), 0.0);
            std::fill(s.slowed.begin(), s.slowed.end(), 1);
            std::copy(x.begin(), x.end(), p.begin());
            break;
        }
        if (round >= patience || is_spent(s)) hold_islands(move, s);
        hold_groups(move.groups, s);
        for (std::size_t n = 0; n < x.size(); ++n) {
            if (s.kept[n] < 1.0) p[n] = x[n] + (s.wanted[n] - x[n]) * s.kept[n];
        }
    }
    return static_cast<int>(std::count_if(s.kept.begin(), s.kept.end(), [](double kept) { return kept < 1.0; }));
}

// How far the two may move against each other from where the list was built before a look is needed.
double margin_of(const Surface& surface, const Pair& pair, double deepest) {
    return pair.gap_at_build + most_closer(surface, pair, deepest);
}

}  // namespace

double least_apart(const Surface& surface, const Pair& pair) {
    const bool sphere = is_sphere(surface, pair.a) || is_sphere(surface, pair.b);
    return contact_radii(surface, pair) * (sphere ? least_share_of_sphere : least_share);
}

double least_apart_at_end(const Surface& surface, const Pair& pair, double deepest) {
    const bool solids = is_solid(surface, pair.a) && is_solid(surface, pair.b);
    return solids ? 0.0 : (1.0 - deepest) * contact_radii(surface, pair);
}

double most_closer(const Surface& surface, const Pair& pair, double deepest) {
    return contact_radii(surface, pair) -
           std::max(least_apart(surface, pair), least_apart_at_end(surface, pair, deepest));
}

double least_margin(const Surface& surface, const CandidateList& list, double deepest) {
    double least = std::numeric_limits<double>::infinity();
    for (const Pair& pair : list.pairs) least = std::min(least, margin_of(surface, pair, deepest));
    return least;
}

int certify(const Surface& surface, const CandidateList& list, double least, std::span<const Vec3> x, std::span<Vec3> p,
            CertifyScratch& s) {
    return hold_back({surface, list.pairs, {}, x, p}, s, [&] {
        s.close.clear();
        if (least > 2.0 * compute_moved(list, x, p, s.node_moved)) return;
        compute_moved(surface, s.node_moved, s.primitive_moved);
        for (std::size_t i = 0; i < list.pairs.size(); ++i) {
            const Pair& pair = list.pairs[i];
            if (margin_of(surface, pair, s.deepest) > s.primitive_moved[at(pair.a)] + s.primitive_moved[at(pair.b)])
                continue;
            s.close.push_back(static_cast<std::int32_t>(i));
        }
    });
}

int certify(ContactWorld& world, ContactScratch& contact, CertifyScratch& s) {
    s.deepest = world.settings.deepest;
    const int held = hold_back({world.surface, world.candidates.pairs, world.groups, world.x, world.p}, s,
                               [&] { find_close_pairs(world, contact, s.close); });
    contact.paths.now_is_final = held == 0 && !world.candidates.pairs.empty();
    return held;
}

}  // namespace plica
