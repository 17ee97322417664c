#include "contact/johnsen.hpp"

#include <algorithm>

#include "contact/batches.hpp"
#include "contact/measure.hpp"
#include "core/index.hpp"

namespace plica {
namespace {

// Measures a row where its nodes are now; what solve_rows() would see.
template <Shape S>
double project_as(const ContactWorld& world, RowBatch& batch, int lane) {
    Vec3 x[5], p[5];
    for (int k = 0; k < nodes_in(S); ++k) {
        x[k] = world.x[at(batch.node[k][lane])];
        p[k] = world.p[at(batch.node[k][lane])];
    }
    const Vec3 start{batch.start_normal[0][lane], batch.start_normal[1][lane], batch.start_normal[2][lane]};
    const double radii = batch.radii[lane];
    const ClosestOf<double, S> c = find_closest<S>(p);
    const Vec3 normal =
        find_moved_normal<S>(c, x, p, radii, {start, batch.start_gap[lane], batch.start_distance[lane]});
    for (int k = 0; k < nodes_in(S); ++k) batch.weight[k][lane] = c.weight[k];
    batch.normal[0][lane] = normal.x;
    batch.normal[1][lane] = normal.y;
    batch.normal[2][lane] = normal.z;
    return dot(c.between, normal) - radii;
}

double project(const ContactWorld& world, RowBatch& batch, int lane) {
    switch (batch.shape) {
        case Shape::segments:
            return project_as<Shape::segments>(world, batch, lane);
        case Shape::segment_triangle:
            return project_as<Shape::segment_triangle>(world, batch, lane);
        case Shape::point_triangle:
        case Shape::point_facet:  // ours only
            break;
    }
    return project_as<Shape::point_triangle>(world, batch, lane);
}

// A corner of a surface against a facet: who is the slave matters.
bool has_roles(const ContactWorld& world, const RowBatch& batch, int lane) {
    if (batch.shape != Shape::point_triangle) return false;
    const Pair& pair = world.candidates.pairs[at(batch.pair[lane])];
    return world.surface.capsules[at(pair.a)].sheet;
}

// Of two bodies, the one whose nodes come first is the slave in passes 0, 2, ..., the other one in the rest. Within one
// body, which its nodes' numbers divide just as well, likewise.
bool is_slave(const RowBatch& batch, int lane, int pass) {
    return (batch.node[0][lane] < batch.node[1][lane]) == (pass % 2 == 0);
}

// Edges that meet at an end of one: corners against facets cover them.
bool meets_at_end(const RowBatch& batch, int lane) {
    if (batch.shape != Shape::segments || !batch.solid) return false;
    for (int k = 0; k < 4; ++k) {
        if (batch.weight[k][lane] == 0.0) return true;
    }
    return false;
}

// Measures all rows; of each slave only the nearest projection is kept.
void project_rows(const ContactWorld& world, ContactScratch& scratch, int pass) {
    JohnsenScratch& own = scratch.johnsen;
    own.gap.resize(8 * scratch.rows.count);
    own.nearest.assign(world.p.size(), -1);
    for (std::size_t i = 0; i < scratch.rows.count; ++i) {
        RowBatch& batch = scratch.rows.batches[i];
        scratch.outcome.distance_tests += batch.count;
        for (int lane = 0; lane < batch.count; ++lane) {
            const auto row = static_cast<std::int32_t>(8 * i) + lane;
            own.gap[at(row)] = project(world, batch, lane);
            if (!has_roles(world, batch, lane) || !is_slave(batch, lane, pass)) continue;
            std::int32_t& nearest = own.nearest[at(batch.node[0][lane])];
            if (nearest < 0 || own.gap[at(row)] < own.gap[at(nearest)]) nearest = row;
        }
    }
}

// One side of a row: its nodes and what eq. 9 and 13 make of them.
struct RowSide {
    int first, last;
    double squares = 0.0;  // sum of b^2
    bool moves = false;

    RowSide(const ContactWorld& world, const RowBatch& batch, int lane, int from, int to) : first(from), last(to) {
        for (int k = first; k < last; ++k) {
            const double b = batch.weight[k][lane];
            squares += b * b;
            moves = moves || (b != 0.0 && world.w[at(batch.node[k][lane])] > 0.0);
        }
    }
};

// A force m beta gamma g / h^2 on a node of mass m moves it by beta gamma g. Returns the sum of forces, times h^2.
double push_side(const ContactWorld& world, const RowBatch& batch, int lane, const RowSide& side, double depth,
                 std::vector<Vec3>& shift) {
    double sum = 0.0;
    const Vec3 normal{batch.normal[0][lane], batch.normal[1][lane], batch.normal[2][lane]};
    for (int k = side.first; k < side.last; ++k) {
        const std::size_t n = at(batch.node[k][lane]);
        if (world.w[n] == 0.0) continue;
        const double by = depth * batch.weight[k][lane] / side.squares;
        shift[n] += normal * by;
        sum += by / world.w[n];
    }
    return sum < 0.0 ? -sum : sum;
}

void respond(const ContactWorld& world, RowBatch& batch, int lane, double depth, std::vector<Vec3>& shift) {
    const int split = batch.shape == Shape::point_triangle ? 1 : 2;
    const RowSide a(world, batch, lane, 0, split), b(world, batch, lane, split, nodes_in(batch.shape));
    const double share = a.moves && b.moves ? 0.5 : 1.0;  // beta
    const double on_a = a.moves ? push_side(world, batch, lane, a, share * depth, shift) : 0.0;
    const double on_b = b.moves ? push_side(world, batch, lane, b, share * depth, shift) : 0.0;
    batch.push[lane] += a.moves ? on_a : on_b;  // they differ; what the force report reads
}

}  // namespace

void begin_johnsen(ContactWorld& world, ContactScratch& scratch) {
    for (const std::int32_t i : scratch.pairs.loaded) {
        world.candidates.pairs[at(i)].push = 0.0;
        world.candidates.pairs[at(i)].friction = {};
    }
    scratch.pairs.loaded.clear();
    warm_start(world, scratch);
}

void sweep_johnsen(ContactWorld& world, ContactScratch& scratch, int pass) {
    JohnsenScratch& own = scratch.johnsen;
    own.last_moved = pass == 0 ? 0.0 : own.moved;
    own.moved = 0.0;
    if (world.settings.enabled) {
        extend_batches(world, scratch);
        project_rows(world, scratch, pass);
        own.shift.assign(world.p.size(), Vec3{});
        for (std::size_t i = 0; i < scratch.rows.count; ++i) {
            RowBatch& batch = scratch.rows.batches[i];
            for (int lane = 0; lane < batch.count; ++lane) {
                const auto row = static_cast<std::int32_t>(8 * i) + lane;
                const double depth = -own.gap[at(row)];
                if (!(depth > 0.0) || meets_at_end(batch, lane)) continue;
                if (has_roles(world, batch, lane) && own.nearest[at(batch.node[0][lane])] != row) continue;
                respond(world, batch, lane, depth, own.shift);
                if (batch.solid) own.moved = std::max(own.moved, depth / batch.radii[lane]);
            }
        }
        for (std::size_t n = 0; n < world.p.size(); ++n) world.p[n] += own.shift[n];
    }
    scratch.outcome.moved = std::max(own.moved, own.last_moved);  // until neither of the two roles finds anything
    solve_walls(world, scratch.kernels, scratch.walls);
    solve_holds(world);
    scratch.outcome.corrected = true;
}

}  // namespace plica
