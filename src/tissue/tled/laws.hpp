#pragma once
// Stress from strain, for one cell (R = double) or for a register of them. First Piola stress directly: no C, S or E is
// formed where the law does not need it. All functions take the displacement gradient H, F = I + H, which keeps its
// digits where F loses them.

#include "core/elementary.hpp"
#include "tissue/tled/material.hpp"

#ifdef PLICA_KERNEL
#define PLICA_LAW PLICA_KERNEL
#else
#define PLICA_LAW inline
#endif

namespace plica::tled {

template <class R>
struct Matrix {
    R at[3][3];
};
template <class R>
struct Symmetric {
    R xx, yy, zz, yz, xz, xy;
};

inline double inverse_cube_root(double a) {
    return 1.0 / elementary::cbrt(a);
}

// A material's numbers in the precision they are used in.
template <class S>
struct Constants {
    Law law;
    S shear, bulk, lame;
    S fibre;  // Pa, 0: none
    S direction[3];
    bool tension_only;
    int relaxations;
    S keep[most_relaxations], gain[most_relaxations];  // Y <- keep Y + gain S0

    // For steps of h seconds.
    Constants(const Material& m, double h)
        : law(m.law),
          shear(static_cast<S>(m.shear)),
          bulk(static_cast<S>(m.bulk)),
          lame(static_cast<S>(m.lame())),
          fibre(static_cast<S>(m.fibre.stiffness)),
          direction{static_cast<S>(m.fibre.direction.x), static_cast<S>(m.fibre.direction.y),
                    static_cast<S>(m.fibre.direction.z)},
          tension_only(m.fibre.tension_only),
          relaxations(m.relaxations),
          keep{},
          gain{} {
        for (int i = 0; i < relaxations; ++i) {
            const Relaxation& r = m.relaxation[static_cast<std::size_t>(i)];
            keep[i] = static_cast<S>(elementary::exp(-h / r.time));
            gain[i] = static_cast<S>(-r.share * elementary::expm1(-h / r.time));
        }
    }
    [[nodiscard]] bool is_plain() const { return law == Law::neo_hookean && fibre == S(0) && relaxations == 0; }
};

template <class R>
PLICA_LAW Matrix<R> add_identity(const Matrix<R>& h) {
    Matrix<R> f = h;
    for (int i = 0; i < 3; ++i) f.at[i][i] = f.at[i][i] + R(1);
    return f;
}

// Rows are cross products of the two other rows: cof F = J F^-T.
template <class R>
PLICA_LAW Matrix<R> cofactor(const Matrix<R>& f) {
    Matrix<R> c;
    for (int i = 0; i < 3; ++i) {
        const auto& a = f.at[(i + 1) % 3];
        const auto& b = f.at[(i + 2) % 3];
        c.at[i][0] = a[1] * b[2] - a[2] * b[1];
        c.at[i][1] = a[2] * b[0] - a[0] * b[2];
        c.at[i][2] = a[0] * b[1] - a[1] * b[0];
    }
    return c;
}

template <class R>
PLICA_LAW R contract(const Matrix<R>& a, const Matrix<R>& b) {
    R sum[3];
    for (int i = 0; i < 3; ++i) {
        sum[i] = a.at[i][0] * b.at[i][0] + a.at[i][1] * b.at[i][1] + a.at[i][2] * b.at[i][2];
    }
    return sum[0] + sum[1] + sum[2];
}

// What a cell's stress is made of.
template <class R>
struct Strain {
    Matrix<R> f, cof;
    R j;  // det F
    R y;  // J^(-1/3), of a crushed cell that where crushing begins
    R g;  // J^(-2/3), of a crushed cell the parabola that goes on from there
    R t;  // slope of g over that of J^(-2/3) there
};

template <class R>
PLICA_LAW R volume_ratio(const Matrix<R>& f, const Matrix<R>& cof) {
    return f.at[0][0] * cof.at[0][0] + f.at[0][1] * cof.at[0][1] + f.at[0][2] * cof.at[0][2];
}

// A cell with less of its volume left than this is crushed. What keeps the shape of a material grows without bound
// towards no volume, and so would its stiffness, and the number of substeps with it; from here on its energy is that of
// a spring as stiff as it was here, through zero, so that a cell that was turned inside out comes back.
inline constexpr double crushed_volume_ratio = 0.25;

// A cell with less is flat, and what it tells means little. One of St. Venant and Kirchhoff's law does not come back.
inline constexpr double least_volume_ratio = 0.05;
// Nor is any waited for that is turned inside out as far as this.
inline constexpr double lost_volume_ratio = -20.0;

template <class R>
PLICA_LAW R larger(R a, R b) {
    if constexpr (std::is_arithmetic_v<R>) {
        return a > b ? a : b;
    } else {
        return max(a, b);
    }
}

template <class R, class S>
PLICA_LAW Strain<R> strain_of(const Matrix<R>& h, S) {
    Strain<R> s;
    s.f = add_identity(h);
    s.cof = cofactor(s.f);
    s.j = volume_ratio(s.f, s.cof);
    const R whole = larger(s.j, R(S(crushed_volume_ratio)));
    s.y = inverse_cube_root(whole);
    const R less = (s.j - whole) * R(S(1.0 / crushed_volume_ratio));  // 0 of a cell that is not crushed
    s.g = s.y * s.y * (R(S(1)) - less * (R(S(2.0 / 3.0)) - R(S(5.0 / 9.0)) * less));
    s.t = R(S(1)) - R(S(5.0 / 3.0)) * less;
    return s;
}

// P = a F + b cof F.
template <class R>
PLICA_LAW Matrix<R> combine(R a, const Matrix<R>& f, R b, const Matrix<R>& cof) {
    Matrix<R> p;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) p.at[i][k] = a * f.at[i][k] + b * cof.at[i][k];
    }
    return p;
}

// Pressure-like part of the neo-Hookean stress where the cell bears it itself.
template <class R, class S>
PLICA_LAW R own_pressure(const Constants<S>& k, R j) {
    return R(k.bulk) * (j - R(S(1)));
}

// mu g F + [pressure - mu/3 I1 y^5 t] cof F, times `scale`.
template <class R, class S>
PLICA_LAW Matrix<R> neo_hookean(const Constants<S>& k, const Strain<R>& s, R pressure, R scale) {
    const R y2 = s.y * s.y;
    const R shear = R(k.shear) * y2;
    const R i1 = contract(s.f, s.f);
    return combine(scale * (R(k.shear) * s.g), s.f,
                   scale * (pressure - R(S(1.0 / 3.0)) * (shear * (i1 * (y2 * s.y)) * s.t)), s.cof);
}

// P = F (lambda tr E I + 2 mu E), E = (H + H^T + H^T H) / 2.
template <class R, class S>
PLICA_LAW Matrix<R> st_venant_kirchhoff(const Constants<S>& k, const Matrix<R>& h, const Matrix<R>& f) {
    Matrix<R> s;  // second Piola
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            R e = h.at[i][j] + h.at[j][i];
            for (int m = 0; m < 3; ++m) e = e + h.at[m][i] * h.at[m][j];
            s.at[i][j] = R(k.shear) * e;
        }
    }
    // 2 mu E is there; tr E = (sum of its diagonal) / (2 mu).
    const R pressure = R(k.lame / (S(2) * k.shear)) * (s.at[0][0] + s.at[1][1] + s.at[2][2]);
    for (int i = 0; i < 3; ++i) s.at[i][i] = s.at[i][i] + pressure;
    s.at[1][0] = s.at[0][1];
    s.at[2][0] = s.at[0][2];
    s.at[2][1] = s.at[1][2];
    Matrix<R> p;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            p.at[i][j] = f.at[i][0] * s.at[0][j] + f.at[i][1] * s.at[1][j] + f.at[i][2] * s.at[2][j];
        }
    }
    return p;
}

// P += 2 eta (I4bar - 1) [ g (F a) (x) a - I4 y^5 t / 3 cof F ], I4bar = g I4.
template <class R, class S>
PLICA_LAW void add_fibre(const Constants<S>& k, const Strain<R>& s, Matrix<R>& p) {
    R fa[3];
    for (int i = 0; i < 3; ++i) {
        fa[i] = s.f.at[i][0] * R(k.direction[0]) + s.f.at[i][1] * R(k.direction[1]) + s.f.at[i][2] * R(k.direction[2]);
    }
    const R i4 = fa[0] * fa[0] + fa[1] * fa[1] + fa[2] * fa[2];
    const R y2 = s.y * s.y;
    R longer = s.g * i4 - R(S(1));
    if (k.tension_only) longer = larger(longer, R(S(0)));
    const R along = R(S(2) * k.fibre) * (longer * s.g);
    const R across = R(S(2) * k.fibre) * (longer * y2) * i4 * R(S(-1.0 / 3.0)) * (y2 * s.y) * s.t;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            p.at[i][j] = p.at[i][j] + along * fa[i] * R(k.direction[j]) + across * s.cof.at[i][j];
        }
    }
}

// S = F^-1 P = (cof F)^T P / J, symmetric.
template <class R>
PLICA_LAW Symmetric<R> second_piola(const Strain<R>& s, const Matrix<R>& p) {
    const R over = s.y * s.y * s.y;
    const auto at = [&](int i, int j) {
        return over * (s.cof.at[0][i] * p.at[0][j] + s.cof.at[1][i] * p.at[1][j] + s.cof.at[2][i] * p.at[2][j]);
    };
    return {at(0, 0), at(1, 1), at(2, 2), at(1, 2), at(0, 2), at(0, 1)};
}

// P -= F Y.
template <class R>
PLICA_LAW void subtract_history(const Matrix<R>& f, const Symmetric<R>& y, Matrix<R>& p) {
    for (int i = 0; i < 3; ++i) {
        const auto& row = f.at[i];
        p.at[i][0] = p.at[i][0] - (row[0] * y.xx + row[1] * y.xy + row[2] * y.xz);
        p.at[i][1] = p.at[i][1] - (row[0] * y.xy + row[1] * y.yy + row[2] * y.yz);
        p.at[i][2] = p.at[i][2] - (row[0] * y.xz + row[1] * y.yz + row[2] * y.zz);
    }
}

// The law's stress without history.
template <class R, class S>
PLICA_LAW Matrix<R> elastic_stress(const Constants<S>& k, const Matrix<R>& h, const Strain<R>& s, R pressure) {
    Matrix<R> p =
        k.law == Law::st_venant_kirchhoff ? st_venant_kirchhoff(k, h, s.f) : neo_hookean(k, s, pressure, R(S(1)));
    if (k.fibre != S(0)) add_fibre(k, s, p);
    return p;
}

// Energy density of the law, J/m^3, without the volume term where `isochoric` (nodes bear it then).
inline double energy_density(const Material& m, const Matrix<double>& h, bool isochoric) {
    const Strain<double> s = strain_of(h, 1.0);
    double w = 0.0;
    if (m.law == Law::st_venant_kirchhoff) {
        double trace = 0.0, square = 0.0;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                double e = h.at[i][j] + h.at[j][i];
                for (int k = 0; k < 3; ++k) e += h.at[k][i] * h.at[k][j];
                square += 0.25 * e * e;
                if (i == j) trace += 0.5 * e;
            }
        }
        w = 0.5 * m.lame() * trace * trace + m.shear * square;
    } else {
        w = 0.5 * m.shear * (s.g * contract(s.f, s.f) - 3.0);
        if (!isochoric) w += 0.5 * m.bulk * (s.j - 1.0) * (s.j - 1.0);
    }
    if (m.fibre.stiffness > 0.0) {
        double i4 = 0.0;
        for (int i = 0; i < 3; ++i) {
            const double fa = s.f.at[i][0] * m.fibre.direction.x + s.f.at[i][1] * m.fibre.direction.y +
                              s.f.at[i][2] * m.fibre.direction.z;
            i4 += fa * fa;
        }
        const double longer = s.g * i4 - 1.0;
        if (longer > 0.0 || !m.fibre.tension_only) w += 0.5 * m.fibre.stiffness * longer * longer;
    }
    return w;
}

}  // namespace plica::tled
