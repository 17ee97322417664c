#pragma once
#include "core/wide.hpp"
#include "geometry/vec3.hpp"
#include "tissue/mass_spring/sheet_front.hpp"

// What eight springs ask of the linear system, for the solvers of sheets.
namespace plica::mass_spring::PLICA_ISA {

using WideVec3 = Vec3Of<Wide>;

PLICA_KERNEL WideVec3 gather3(const double* x, const std::int32_t* node) {
    const WideTriple t = gather_triples(x, node);
    return {t.x, t.y, t.z};
}
PLICA_KERNEL WideVec3 load3(const double* from) {
    return {load(from), load(from + lanes), load(from + 2 * lanes)};
}
PLICA_KERNEL void store3(const WideVec3& a, double* to) {
    store(a.x, to);
    store(a.y, to + lanes);
    store(a.z, to + 2 * lanes);
}
PLICA_KERNEL void add_to(double* to, const Wide& a) {
    store(load(to) + a, to);
}

// What eight springs ask of the matrix and of the load.
struct SpringTerms {
    Wide xx, xy, xz, yy, yz, zz;
    WideVec3 pull;
};

// One end of eight springs: where they are linearised, and where they were.
struct SpringEnd {
    WideVec3 q, x;
};

template <class Problem>
PLICA_KERNEL SpringTerms compute_terms(const Problem& s, int batch, const SpringEnd& a, const SpringEnd& b) {
    const Wide zero(0.0);
    const Wide g(s.viscosity / s.h);
    const Wide rest = load(s.rest + lanes * batch);
    const WideVec3 d = b.q - a.q;
    const Wide length = sqrt(squared_norm(d));
    const Mask usable = length > Wide(1e-9) * rest;
    const Wide over_length = Wide(1.0) / select(usable, length, Wide(1.0));
    const WideVec3 u = d * over_length;
    const Wide longer = length - rest;
    const Wide full = load(s.stiffness + lanes * batch) * Wide(s.h * s.h);
    const Wide shorter = load(s.compression + lanes * batch) * full;
    const Wide stiffness = select(usable, select(longer < zero, shorter, full), zero);
    const Wide rate = dot(u, (b.q - b.x) - (a.q - a.x));
    const Wide across = select(longer > zero, stiffness * longer * over_length, zero);
    Wide resisted = longer;
    Wide m = stiffness * (Wide(1.0) + g) - across;
    if constexpr (requires { s.slack; }) {
        resisted = select(longer < zero, min(longer + load(s.slack + lanes * batch), zero), longer);
        const Mask loose = (longer < zero) & (resisted == zero);  // damped only
        m = select(loose, stiffness * g, m);
    }
    const WideVec3 mu = u * m;
    return {mu.x * u.x + across,
            mu.x * u.y,
            mu.x * u.z,
            mu.y * u.y + across,
            mu.y * u.z,
            mu.z * u.z + across,
            u * (stiffness * (resisted + g * rate))};
}

// To a node's own block of the matrix, of which only the upper triangle is ever read.
PLICA_KERNEL void add_own(const SpringTerms& a, double* to) {
    add_to(to, a.xx);
    add_to(to + lanes, a.xy);
    add_to(to + 2 * lanes, a.xz);
    add_to(to + block_row + lanes, a.yy);
    add_to(to + block_row + 2 * lanes, a.yz);
    add_to(to + 2 * block_row + 2 * lanes, a.zz);
}
// From the block between a spring's ends.
PLICA_KERNEL void subtract_between(const SpringTerms& a, double* to) {
    add_to(to, -a.xx);
    add_to(to + lanes, -a.xy);
    add_to(to + 2 * lanes, -a.xz);
    to += block_row;
    add_to(to, -a.xy);
    add_to(to + lanes, -a.yy);
    add_to(to + 2 * lanes, -a.yz);
    to += block_row;
    add_to(to, -a.xz);
    add_to(to + lanes, -a.yz);
    add_to(to + 2 * lanes, -a.zz);
}

}  // namespace plica::mass_spring::PLICA_ISA
