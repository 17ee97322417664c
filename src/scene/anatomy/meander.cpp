#include "scene/anatomy/meander.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/elementary.hpp"

namespace plica {
namespace {

struct Planar {
    double u, z, heading;
};

Planar along(const MeanderPiece& piece, double d) {
    const double heading = piece.heading + piece.curvature * d;
    if (piece.curvature == 0.0) {
        return {piece.u + d * elementary::sin(heading), piece.z + d * elementary::cos(heading), heading};
    }
    return {piece.u + (elementary::cos(piece.heading) - elementary::cos(heading)) / piece.curvature,
            piece.z + (elementary::sin(heading) - elementary::sin(piece.heading)) / piece.curvature, heading};
}

}  // namespace

MeanderCurve::MeanderCurve(const MeanderShape& shape) : m_shape(shape) {
    const double tilt = elementary::asin(std::min(1.0, shape.slant / shape.pass_length));
    const double rise = shape.pass_length * elementary::cos(tilt);
    m_turn_radius = shape.turn_width / (2.0 * elementary::cos(tilt));
    m_pen.z = -rise / 2.0;
    if (!shape.leads) {
        m_pen.heading = tilt;
        append_band(tilt);
        const double turn_rise = shape.passes > 1 ? m_turn_radius * (1.0 - elementary::sin(tilt)) : 0.0;
        m_band_extent = rise + 2.0 * turn_rise;
        return;
    }
    // Tangent from the root's end A = (0, -H/2) to the fillet around C = (R - f, -rise/2), the circle on its left.
    const double fillet = shape.turn_width / 2.0;
    const double reach = shape.cylinder_radius - fillet, drop = -rise / 2.0 + shape.root_length / 2.0;
    const double apart = elementary::hypot(reach, drop);
    const double heading = elementary::atan2(reach, drop) + elementary::asin(std::min(1.0, fillet / apart));
    m_lead_straight = std::sqrt(std::max(0.0, apart * apart - fillet * fillet));
    m_lead_length = m_lead_straight + fillet * heading;
    m_pen = {0.0, 0.0, 0.0, -shape.root_length / 2.0, heading, 0.0, true, 0.0};
    append(m_lead_straight, 0.0);
    append(fillet * heading, -1.0 / fillet);
    m_pen = {m_length, 0.0, 0.0, -rise / 2.0, 0.0, 0.0, false, 0.0};
    append_band(tilt);
    append_last_lead(heading, m_lead_straight);
    m_band_extent = rise + 2.0 * std::max(fillet, m_turn_radius);
}

void MeanderCurve::append(double length, double curvature) {
    m_pen.start = m_length;
    m_pen.length = length;
    m_pen.curvature = curvature;
    m_pieces.push_back(m_pen);
    const Planar end = along(m_pen, length);
    m_pen.u = end.u;
    m_pen.z = end.z;
    m_pen.heading = end.heading;
    m_length += length;
}

// Up with heading `tilt`, down with heading pi - tilt. Next to a lead the pass starts (ends) exactly along z and bends
// by the tilt over its whole length, so that the tangent is continuous and theta still grows.
void MeanderCurve::append_band(double tilt) {
    const double turn = std::numbers::pi - 2.0 * tilt;
    const double bent =
        tilt > 0.0 ? m_shape.pass_length * elementary::cos(tilt) * tilt / elementary::sin(tilt) : m_shape.pass_length;
    for (int k = 0; k < m_shape.passes; ++k) {
        const bool first = m_shape.leads && k == 0, last = m_shape.leads && k == m_shape.passes - 1;
        if (first && last)
            append(m_shape.pass_length * elementary::cos(tilt), 0.0);
        else if (first)
            append(bent, tilt / bent);
        else if (last)
            append(bent, -tilt / bent);
        else
            append(m_shape.pass_length, 0.0);
        if (k + 1 < m_shape.passes) append(m_turn_radius * turn, (k % 2 == 0 ? 1.0 : -1.0) / m_turn_radius);
    }
}

// The mirror image of the first lead, in the half plane in which the last pass ends.
void MeanderCurve::append_last_lead(double heading, double straight) {
    const double fillet = m_shape.turn_width / 2.0;
    const double theta = m_pen.u / m_shape.cylinder_radius;
    m_pen = {m_length, 0.0, m_shape.cylinder_radius, m_pen.z, 0.0, 0.0, true, theta};
    append(fillet * heading, -1.0 / fillet);
    append(straight, 0.0);
}

const MeanderPiece& MeanderCurve::piece_at(double s, std::size_t& hint) const {
    hint = std::min(hint, m_pieces.size() - 1);
    if (s < m_pieces[hint].start) hint = 0;
    while (hint + 1 < m_pieces.size() && s > m_pieces[hint].start + m_pieces[hint].length) ++hint;
    return m_pieces[hint];
}

Vec3 MeanderCurve::point(double s, std::size_t& hint) const {
    const MeanderPiece& piece = piece_at(s, hint);
    const Planar at = along(piece, s - piece.start);
    const double radius = piece.radial ? at.u : m_shape.cylinder_radius;
    const double theta = piece.radial ? piece.theta : at.u / m_shape.cylinder_radius;
    return {radius * elementary::cos(theta), radius * elementary::sin(theta), at.z};
}

Vec3 MeanderCurve::point(double s) const {
    std::size_t hint = 0;
    return point(s, hint);
}

double MeanderCurve::bend_radius(double s) const {
    std::size_t hint = 0;
    const MeanderPiece& piece = piece_at(s, hint);
    const double across = elementary::sin(along(piece, s - piece.start).heading);
    // Geodesic curvature on the cylinder, and the normal curvature sin^2(heading) / R (Euler's formula).
    const double normal = piece.radial ? 0.0 : across * across / m_shape.cylinder_radius;
    const double curvature = elementary::hypot(piece.curvature, normal);
    return curvature > 0.0 ? 1.0 / curvature : std::numeric_limits<double>::infinity();
}

namespace {

// Illinois variant of regula falsi on [lo, hi] with f(lo) <= 0 <= f(hi); stops at |f| <= tolerance.
template <class F>
double find_root(F f, double lo, double flo, double hi, double fhi, double tolerance) {
    int side = 0;
    double best = std::abs(flo) < std::abs(fhi) ? lo : hi, fbest = std::min(std::abs(flo), std::abs(fhi));
    for (int i = 0; i < 200 && fbest > tolerance; ++i) {
        // Every fourth step halves, so that a jump of f is closed in on as surely as by bisection.
        const double x = i % 4 == 3 ? lo + (hi - lo) / 2.0 : hi - fhi * (hi - lo) / (fhi - flo);
        if (!(x > lo && x < hi)) break;
        const double fx = f(x);
        if (std::abs(fx) < fbest) {
            best = x;
            fbest = std::abs(fx);
        }
        if (fx < 0.0) {
            lo = x;
            flo = fx;
            if (side == -1) fhi /= 2.0;
            side = -1;
        } else {
            hi = x;
            fhi = fx;
            if (side == 1) flo /= 2.0;
            side = 1;
        }
    }
    return best;
}

double next_node(const MeanderCurve& curve, double s, const Vec3& from, double chord, std::size_t& hint) {
    const double tolerance = 4e-16 * chord;
    const auto gap = [&](double t) {
        std::size_t local = hint;
        return distance(curve.point(t, local), from) - chord;
    };
    // A chord is never longer than its arc, so the first crossing is not before s + chord.
    double lo = s + chord, flo = gap(lo);
    if (flo >= -4.0 * tolerance) return lo;
    const double step = std::min(curve.turn_radius() / 8.0, chord / 4.0);
    double hi = lo + step, fhi = gap(hi);
    while (fhi < 0.0) {
        lo = hi;
        flo = fhi;
        hi += step;
        fhi = gap(hi);
    }
    return find_root(gap, lo, flo, hi, fhi, tolerance);
}

}  // namespace

std::vector<double> march_chords(const MeanderCurve& curve, int segments, double chord) {
    std::vector<double> nodes(1, 0.0);
    nodes.reserve(static_cast<std::size_t>(segments) + 1);
    std::size_t hint = 0;
    for (int i = 0; i < segments; ++i) {
        const Vec3 from = curve.point(nodes.back(), hint);
        nodes.push_back(next_node(curve, nodes.back(), from, chord, hint));
    }
    return nodes;
}

std::vector<double> march_to_end(const MeanderCurve& curve, int segments, double chord) {
    std::vector<double> nodes = march_chords(curve, segments, chord);
    const double stretch = curve.length() / nodes.back();
    for (double& s : nodes) s *= stretch;
    nodes.back() = curve.length();
    return nodes;
}

double leftover(const MeanderShape& shape, int segments, double chord) {
    const MeanderCurve curve(shape);
    return curve.length() - march_chords(curve, segments, chord).back();
}

namespace {

// Largest relative deviation of a chord.
double chord_error(const MeanderCurve& curve, const std::vector<double>& nodes, double chord) {
    double error = 0.0;
    std::size_t hint = 0;
    Vec3 before = curve.point(nodes.front(), hint);
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const Vec3 here = curve.point(nodes[i], hint);
        error = std::max(error, std::abs(distance(before, here) / chord - 1.0));
        before = here;
    }
    return error;
}

}  // namespace

std::optional<MeanderShape> fit_pass_length(MeanderShape shape, int segments, double chord) {
    const double total = chord * segments;
    const auto f = [&](double pass_length) {
        shape.pass_length = pass_length;
        return leftover(shape, segments, chord);
    };
    double lo = shape.pass_length, flo = f(lo);
    if (flo > 1e-13 * total) return std::nullopt;
    double hi = std::max(2.0 * lo, 1.5 * total / shape.passes), fhi = f(hi);
    for (int i = 0; fhi < 0.0 && i < 8; ++i) fhi = f(hi *= 2.0);
    if (fhi < 0.0) return std::nullopt;
    shape.pass_length = flo >= 0.0 ? lo : find_root(f, lo, flo, hi, fhi, 1e-15 * total);
    const MeanderCurve curve(shape);
    // Where f jumps, a chord sprang over a turn and no pass length fits.
    if (chord_error(curve, march_to_end(curve, segments, chord), chord) > 5e-10) return std::nullopt;
    return shape;
}

}  // namespace plica
