#include "scene/enclosures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/elementary.hpp"
#include "core/index.hpp"
#include "geometry/mesh/pieces.hpp"

namespace plica {
namespace {

// The closed pieces of a body's surface.
struct Enclosure {
    std::int32_t body = -1;
    std::vector<const Triangle*> triangles;
    Vec3 low{}, high{};  // m

    [[nodiscard]] bool may_hold(const Vec3& p) const {
        return p.x > low.x && p.y > low.y && p.z > low.z && p.x < high.x && p.y < high.y && p.z < high.z;
    }
};

// A rigid mesh from a file may be a vessel; shapes from formulas are full.
bool can_enclose(const Body& body) {
    if (body.tissue == TissueKind::rigid) return !body.shape.empty();
    return body.tissue == TissueKind::tled || body.tissue == TissueKind::heat;
}

// Per node that stands for a piece: does some edge of it lack a triangle on one of its sides?
std::vector<std::uint8_t> find_open_pieces(const std::vector<Triangle>& triangles, Pieces& pieces, std::size_t nodes) {
    struct Side {
        std::int32_t low, high;
        int turn;  // +1: seen from the lower node to the higher
    };
    std::vector<Side> sides;
    for (const Triangle& t : triangles) {
        const std::int32_t corner[] = {t.a, t.b, t.c, t.a};
        for (int k = 0; k < 3; ++k) {
            const std::int32_t a = corner[k], b = corner[k + 1];
            sides.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
        }
    }
    std::sort(sides.begin(), sides.end(),
              [](const Side& p, const Side& q) { return p.low != q.low ? p.low < q.low : p.high < q.high; });
    std::vector<std::uint8_t> open(nodes, 0);
    for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
        int balance = 0;
        for (end = i; end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high; ++end)
            balance += sides[end].turn;
        if (balance != 0) open[at(pieces.find(sides[i].low))] = 1;
    }
    return open;
}

std::vector<Enclosure> list_enclosures(const Model& model) {
    constexpr double far = std::numeric_limits<double>::infinity();
    Pieces pieces(model.nodes());
    std::vector<Triangle> closing;
    for (const Triangle& t : model.surface.triangles) {
        if (!can_enclose(model.bodies[at(t.body)])) continue;
        closing.push_back(t);
        pieces.join(t.a, t.b);
        pieces.join(t.a, t.c);
    }
    const std::vector<std::uint8_t> open = find_open_pieces(closing, pieces, model.nodes());
    std::vector<Enclosure> enclosures(model.bodies.size());
    for (const Triangle& t : model.surface.triangles) {
        if (!can_enclose(model.bodies[at(t.body)]) || open[at(pieces.find(t.a))] != 0) continue;
        Enclosure& e = enclosures[at(t.body)];
        if (e.body < 0) e = {t.body, {}, {far, far, far}, {-far, -far, -far}};
        e.triangles.push_back(&t);
        for (const std::int32_t n : {t.a, t.b, t.c}) {
            const Vec3& p = model.rest[at(n)];
            e.low = {std::min(e.low.x, p.x), std::min(e.low.y, p.y), std::min(e.low.z, p.z)};
            e.high = {std::max(e.high.x, p.x), std::max(e.high.y, p.y), std::max(e.high.z, p.z)};
        }
    }
    std::erase_if(enclosures, [](const Enclosure& e) { return e.body < 0; });
    return enclosures;
}

// How often the surface goes around the point: by the solid angles of its triangles (van Oosterom and Strackee 1983).
double winding(const Enclosure& e, std::span<const Vec3> x, const Vec3& p) {
    double angle = 0.0;
    for (const Triangle* t : e.triangles) {
        const Vec3 a = x[at(t->a)] - p, b = x[at(t->b)] - p, c = x[at(t->c)] - p;
        const double la = norm(a), lb = norm(b), lc = norm(c);
        angle += 2.0 * elementary::atan2(dot(a, cross(b, c)),
                                         la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return angle / (4.0 * std::numbers::pi);
}

// A node of each part that hangs together, and its body.
std::vector<Enclosed> list_parts(const Model& model, std::span<const std::uint8_t> there) {
    Pieces pieces(model.nodes());
    std::vector<std::int32_t> body(model.nodes(), -1);
    for (std::size_t i = 0; i < there.size(); ++i) {
        const Capsule& c = model.surface.capsules[i];
        if (there[i] == 0) continue;
        body[at(c.a)] = body[at(c.b)] = c.body;
        pieces.join(c.a, c.b);
    }
    for (const Triangle& t : model.surface.triangles) {
        body[at(t.a)] = body[at(t.b)] = body[at(t.c)] = t.body;
        pieces.join(t.a, t.b);
        pieces.join(t.a, t.c);
    }
    std::vector<Enclosed> parts;
    for (std::size_t n = 0; n < body.size(); ++n) {
        const auto node = static_cast<std::int32_t>(n);
        if (body[n] >= 0 && pieces.find(node) == node) parts.push_back({body[n], -1, node});
    }
    return parts;
}

}  // namespace

std::optional<Enclosed> find_enclosed(const Model& model, std::span<const std::uint8_t> there) {
    const std::vector<Enclosure> enclosures = list_enclosures(model);
    if (enclosures.empty()) return {};
    for (Enclosed part : list_parts(model, there)) {
        const Vec3& p = model.rest[at(part.node)];
        for (const Enclosure& e : enclosures) {
            if (e.body == part.inner || !e.may_hold(p) || std::abs(winding(e, model.rest, p)) < 0.5) continue;
            part.outer = e.body;
            return part;
        }
    }
    return {};
}

}  // namespace plica
