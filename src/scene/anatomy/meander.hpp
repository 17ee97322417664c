#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "geometry/vec3.hpp"

namespace plica {

// The gut's centre line: straight passes along the axis of a cylinder joined by U-turns, laid out in the developed
// coordinates (u = R theta, z). The cylinder is developable, so arc lengths on paper are arc lengths in space.
// A sine (Raghupathi 2004, sec. 3.1) has crests far sharper than the tube's radius; a semicircle has not.
struct MeanderShape {
    double cylinder_radius = 0.0;  // R, m
    double root_length = 0.0;      // m
    double turn_width = 0.0;       // m, diameter of a U-turn: the smallest arc distance of neighbouring passes
    double slant = 0.0;            // m, advance in u over one pass; makes theta strictly increasing
    double pass_length = 0.0;      // m
    int passes = 1;
    bool leads = false;  // radial leads from the root's ends to the first and last pass
};

// One line or circular arc in a plane with coordinates (u, z). The heading is measured from +z towards +u.
struct MeanderPiece {
    double start;      // arc length at which the piece begins, m
    double length;     // m
    double u, z;       // where it begins
    double heading;    // rad
    double curvature;  // d heading / d arc length, 1/m
    bool radial;       // u is the distance from the axis in the half plane `theta`; else u = R theta
    double theta;      // rad
};

class MeanderCurve {
public:
    explicit MeanderCurve(const MeanderShape& shape);
    [[nodiscard]] double length() const { return m_length; }
    // Past the end the last piece goes on; `hint` remembers the piece between calls with growing s.
    [[nodiscard]] Vec3 point(double s, std::size_t& hint) const;
    [[nodiscard]] Vec3 point(double s) const;
    // Radius of curvature in space, m; infinite on straight leads.
    [[nodiscard]] double bend_radius(double s) const;
    // Arc length of the straight part of a lead, and of the lead with its fillet; 0 without leads.
    [[nodiscard]] double lead_straight() const { return m_lead_straight; }
    [[nodiscard]] double lead_length() const { return m_lead_length; }
    // Extent of passes and turns along the axis, leads left out, m.
    [[nodiscard]] double band_extent() const { return m_band_extent; }
    [[nodiscard]] double turn_radius() const { return m_turn_radius; }

private:
    void append(double length, double curvature);
    void append_band(double tilt);
    void append_last_lead(double heading, double straight);
    [[nodiscard]] const MeanderPiece& piece_at(double s, std::size_t& hint) const;

    MeanderShape m_shape;
    std::vector<MeanderPiece> m_pieces;
    MeanderPiece m_pen{};  // where the next piece begins
    double m_length = 0.0, m_lead_straight = 0.0, m_lead_length = 0.0, m_band_extent = 0.0, m_turn_radius = 0.0;
};

// Arc lengths of segments + 1 nodes, each `chord` from the one before; the last may lie before or past the end.
std::vector<double> march_chords(const MeanderCurve& curve, int segments, double chord);

// The same on a fitted curve: what rounding left over at the end is spread over all nodes.
std::vector<double> march_to_end(const MeanderCurve& curve, int segments, double chord);

// Arc length left over after marching: negative when the curve is too short for the chords.
double leftover(const MeanderShape& shape, int segments, double chord);

// The pass length >= shape.pass_length at which the chords end exactly at the curve's end; none when the passes are
// already too long, or the chords too coarse to follow the turns.
std::optional<MeanderShape> fit_pass_length(MeanderShape shape, int segments, double chord);

}  // namespace plica
