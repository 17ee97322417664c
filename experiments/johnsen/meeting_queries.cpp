#include "experiments/johnsen/meeting_queries.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "audit/separation.hpp"
#include "geometry/closest.hpp"

namespace plica::experiments {
namespace {

Vec3 draw_motion(Random& random, double size) {
    const double a = random.uniform(-size, size), b = random.uniform(-size, size);
    return {a, b, random.uniform(-size, size)};
}

int first_count(const MovingPair& pair) {
    return pair.edges ? 2 : 1;
}

void corners_at(const MovingPair& pair, double t, Vec3 (&at)[4]) {
    for (int k = 0; k < 4; ++k) at[k] = pair.x[k] + (pair.p[k] - pair.x[k]) * t;
}

// From the second shape to the first, at their closest points.
Vec3 between(const MovingPair& pair) {
    const Vec3(&x)[4] = pair.x;
    if (pair.edges) {
        const SegmentPair c = closest_segment_segment(x[0], x[1], x[2], x[3]);
        return x[0] + (x[1] - x[0]) * c.s - x[2] - (x[3] - x[2]) * c.t;
    }
    const SegmentTriangle c = closest_segment_triangle(x[0], x[0], x[1], x[2], x[3]);
    return x[0] - x[1] * c.u - x[2] * c.v - x[3] * c.w;
}

// Places and ways of parallel shapes; they meet when `way` is the time of it.
void make_parallel(MovingPair& pair, Random& random) {
    const Vec3 way = draw_motion(random, 0.5);
    const double when = random.uniform(0.2, 2.0);
    if (pair.edges) {
        pair.x[3] = pair.x[2] + (pair.x[1] - pair.x[0]) * random.uniform(0.5, 1.5);
        const Vec3 from = pair.x[0] + (pair.x[1] - pair.x[0]) * random.uniform();
        const Vec3 to = pair.x[2] + (pair.x[3] - pair.x[2]) * random.uniform();
        for (int k = 0; k < 4; ++k) pair.p[k] = pair.x[k] + way + (k < 2 ? (to - from) / when : Vec3{});
    } else {
        const double u = random.uniform(0.0, 0.5), v = random.uniform(0.0, 0.5);
        const Vec3 to = pair.x[1] * (1.0 - u - v) + pair.x[2] * u + pair.x[3] * v;
        pair.x[0] = to + normalized(cross(pair.x[2] - pair.x[1], pair.x[3] - pair.x[1])) * random.uniform(-0.5, 0.5);
        for (int k = 0; k < 4; ++k) pair.p[k] = pair.x[k] + way + (k < 1 ? (to - pair.x[0]) / when : Vec3{});
    }
}

void make_tiny(MovingPair& pair, Random& random, double keep) {
    const Vec3 apart = between(pair);
    const Vec3 move = normalized(apart) * (keep + random.uniform(1e-4, 1e-3)) - apart;
    for (int k = 0; k < first_count(pair); ++k) pair.x[k] += move;
    for (int k = 0; k < 4; ++k) pair.p[k] = pair.x[k] + draw_motion(random, 1e-3);
}

void flatten(MovingPair& pair, double share) {
    for (Vec3& v : pair.x) v.z *= share;
    for (Vec3& v : pair.p) v.z *= share;
}

void turn(MovingPair& pair, Random& random) {
    const Vec3 axis = normalized(draw_motion(random, 1.0));
    const double angle = random.uniform(0.0, std::numbers::pi);
    const auto turned = [&](const Vec3& v) {
        return v * std::cos(angle) + cross(axis, v) * std::sin(angle) + axis * (dot(axis, v) * (1.0 - std::cos(angle)));
    };
    for (Vec3& v : pair.x) v = turned(v);
    for (Vec3& v : pair.p) v = turned(v);
}

bool comes_within(const MovingPair& pair, double limit, double speed, double low, double high) {
    const double middle = 0.5 * (low + high), swing = 0.5 * (high - low) * speed;
    Vec3 at[4];
    corners_at(pair, middle, at);
    const double now = distance_of(pair, at);
    if (now <= limit) return true;
    if (now > limit + swing || swing < 1e-9) return false;
    return comes_within(pair, limit, speed, low, middle) || comes_within(pair, limit, speed, middle, high);
}

}  // namespace

double distance_of(const MovingPair& pair, const Vec3 (&at)[4]) {
    return pair.edges ? audit::separation(audit::Edge{at[0], at[1]}, audit::Edge{at[2], at[3]})
                      : audit::separation(at[0], audit::Face{at[1], at[2], at[3]});
}

MovingPair draw_pair(Random& random, QueryKind kind, bool edges, double keep) {
    for (;;) {
        MovingPair pair{{}, {}, edges};
        for (Vec3& v : pair.x) v = draw_motion(random, 0.5);
        for (int k = 0; k < 4; ++k) pair.p[k] = pair.x[k] + draw_motion(random, 0.7);
        if (kind == QueryKind::sliding) flatten(pair, 1e-7);
        if (kind == QueryKind::coplanar) flatten(pair, 0.0);
        if (kind == QueryKind::parallel) make_parallel(pair, random);
        if (kind == QueryKind::tiny) make_tiny(pair, random, keep);
        turn(pair, random);
        if (distance_of(pair, pair.x) > keep + 1e-5) return pair;
    }
}

bool comes_within(const MovingPair& pair, double limit) {
    double speed[2] = {0.0, 0.0};
    Vec3 mean;
    for (int k = 0; k < 4; ++k) mean += (pair.p[k] - pair.x[k]) * 0.25;
    for (int k = 0; k < 4; ++k) {
        double& most = speed[k < first_count(pair) ? 0 : 1];
        most = std::max(most, norm(pair.p[k] - pair.x[k] - mean));
    }
    if (distance_of(pair, pair.x) <= limit || distance_of(pair, pair.p) <= limit) return true;
    return comes_within(pair, limit, speed[0] + speed[1], 0.0, 1.0);
}

}  // namespace plica::experiments
