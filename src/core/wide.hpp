#pragma once
// Eight doubles side by side, for kernels that are compiled once per instruction set (see plica_kernels in cmake/).
//
// The number of lanes is fixed; what differs between instruction sets is only in how many registers they lie. Every
// operation is the scalar one per lane, without contraction, so a kernel gives the same bits everywhere.
//
// Everything lives in a namespace of its own per instruction set: otherwise the linker would merge functions that were
// compiled for a machine that has AVX-512 into programs that run on one that has not.
#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifndef PLICA_ISA
#error "wide.hpp belongs into files that plica_kernels() compiles"
#endif
#define PLICA_KERNEL [[gnu::always_inline]] inline

namespace plica::PLICA_ISA {

inline constexpr int lanes = 8;
#if defined(PLICA_ONE_LANE)
inline constexpr int native_lanes = 1;  // plain scalar code, for the benchmark that asks what vectors are worth
#elif defined(__AVX512F__)
inline constexpr int native_lanes = 8;
#elif defined(__AVX__)
inline constexpr int native_lanes = 4;
#else
inline constexpr int native_lanes = 2;
#endif
inline constexpr int parts = lanes / native_lanes;

typedef double Native __attribute__((vector_size(8 * native_lanes)));
typedef double NativeInMemory __attribute__((vector_size(8 * native_lanes), aligned(8), may_alias));
typedef std::int64_t NativeMask __attribute__((vector_size(8 * native_lanes)));

// All bits set where true.
struct Mask {
    NativeMask part[parts];

    PLICA_KERNEL friend Mask operator&(const Mask& a, const Mask& b) {
        Mask r;
        for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] & b.part[i];
        return r;
    }
    PLICA_KERNEL friend Mask operator|(const Mask& a, const Mask& b) {
        Mask r;
        for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] | b.part[i];
        return r;
    }
    PLICA_KERNEL friend Mask operator!=(const Mask& a, const Mask& b) {
        Mask r;
        for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] ^ b.part[i];
        return r;
    }
    PLICA_KERNEL friend Mask operator!(const Mask& a) {
        Mask r;
        for (int i = 0; i < parts; ++i) r.part[i] = ~a.part[i];
        return r;
    }
};

struct Wide {
    Native part[parts];

    Wide() = default;
    PLICA_KERNEL Wide(double value) {
        for (int i = 0; i < parts; ++i) part[i] = value - Native{};
    }
    PLICA_KERNEL Wide& operator+=(const Wide& b) { return *this = *this + b; }
    PLICA_KERNEL Wide& operator-=(const Wide& b) { return *this = *this - b; }
    PLICA_KERNEL Wide& operator*=(const Wide& b) { return *this = *this * b; }
    PLICA_KERNEL friend Wide operator+(const Wide& a, const Wide& b) {
        Wide r;
        for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] + b.part[i];
        return r;
    }
    PLICA_KERNEL friend Wide operator-(const Wide& a, const Wide& b) {
        Wide r;
        for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] - b.part[i];
        return r;
    }
    PLICA_KERNEL friend Wide operator*(const Wide& a, const Wide& b) {
        Wide r;
        for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] * b.part[i];
        return r;
    }
    PLICA_KERNEL friend Wide operator/(const Wide& a, const Wide& b) {
        Wide r;
        for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] / b.part[i];
        return r;
    }
    PLICA_KERNEL friend Wide operator-(const Wide& a) {
        Wide r;
        for (int i = 0; i < parts; ++i) r.part[i] = -a.part[i];
        return r;
    }
    PLICA_KERNEL friend Mask operator<(const Wide& a, const Wide& b) {
        Mask r;
        for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] < b.part[i];
        return r;
    }
    PLICA_KERNEL friend Mask operator<=(const Wide& a, const Wide& b) {
        Mask r;
        for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] <= b.part[i];
        return r;
    }
    PLICA_KERNEL friend Mask operator>(const Wide& a, const Wide& b) { return b < a; }
    PLICA_KERNEL friend Mask operator>=(const Wide& a, const Wide& b) { return b <= a; }
    PLICA_KERNEL friend Mask operator==(const Wide& a, const Wide& b) {
        Mask r;
        for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] == b.part[i];
        return r;
    }
    PLICA_KERNEL friend Mask operator!=(const Wide& a, const Wide& b) { return !(a == b); }
};

PLICA_KERNEL Wide select(const Mask& m, const Wide& a, const Wide& b) {
    Wide r;
    for (int i = 0; i < parts; ++i) r.part[i] = m.part[i] ? a.part[i] : b.part[i];
    return r;
}
// b where either is not a number.
PLICA_KERNEL Wide min(const Wide& a, const Wide& b) {
    Wide r;
    for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] < b.part[i] ? a.part[i] : b.part[i];
    return r;
}
PLICA_KERNEL Wide max(const Wide& a, const Wide& b) {
    Wide r;
    for (int i = 0; i < parts; ++i) r.part[i] = a.part[i] > b.part[i] ? a.part[i] : b.part[i];
    return r;
}
PLICA_KERNEL Wide abs(const Wide& a) {
    return max(a, -a);
}
PLICA_KERNEL Wide sqrt(const Wide& a) {
    Wide r;
    for (int i = 0; i < parts; ++i) {
#if defined(__AVX512F__)
        r.part[i] = _mm512_maskz_sqrt_pd(0xff, a.part[i]);
#elif defined(__AVX__)
        r.part[i] = _mm256_sqrt_pd(a.part[i]);
#elif defined(__SSE2__) && !defined(PLICA_ONE_LANE)
        r.part[i] = _mm_sqrt_pd(a.part[i]);
#else
        for (int k = 0; k < native_lanes; ++k) r.part[i][k] = __builtin_sqrt(a.part[i][k]);
#endif
    }
    return r;
}
// Sum over the lanes, ((0+4)+(2+6)) + ((1+5)+(3+7)) on every instruction set.
PLICA_KERNEL double sum(const Wide& a) {
#if defined(__AVX512F__)
    const __m256d four = _mm512_castpd512_pd256(a.part[0]) + _mm512_extractf64x4_pd(a.part[0], 1);
    const __m128d two = _mm256_castpd256_pd128(four) + _mm256_extractf128_pd(four, 1);
#elif defined(__AVX__)
    const __m256d four = a.part[0] + a.part[1];
    const __m128d two = _mm256_castpd256_pd128(four) + _mm256_extractf128_pd(four, 1);
#elif defined(PLICA_ONE_LANE)
    const auto at = [&](int k) { return a.part[k] + a.part[k + 4]; };
    const double two[2] = {(at(0) + at(2))[0], (at(1) + at(3))[0]};
#else
    const Native two = (a.part[0] + a.part[2]) + (a.part[1] + a.part[3]);
#endif
    return two[0] + two[1];
}
// Lane k as bit k.
PLICA_KERNEL unsigned to_bits(const Mask& m) {
    unsigned bits = 0;
    for (int i = 0; i < parts; ++i) {
#if defined(__AVX512DQ__)
        bits |= static_cast<unsigned>(_mm512_movepi64_mask(reinterpret_cast<__m512i>(m.part[i])));
#elif defined(__AVX__)
        bits |= static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m.part[i]))) << (native_lanes * i);
#elif defined(__SSE2__) && !defined(PLICA_ONE_LANE)
        bits |= static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(m.part[i]))) << (native_lanes * i);
#else
        for (int k = 0; k < native_lanes; ++k) bits |= (m.part[i][k] != 0 ? 1U : 0U) << (native_lanes * i + k);
#endif
    }
    return bits;
}

PLICA_KERNEL bool any(const Mask& m) {
    return to_bits(m) != 0;
}

// Eight doubles in memory, on a cache line.
struct alignas(64) Lanes {
    double at[lanes];
};
PLICA_KERNEL Wide load(const double* from) {
    Wide r;
    for (int i = 0; i < parts; ++i) r.part[i] = *reinterpret_cast<const NativeInMemory*>(from + native_lanes * i);
    return r;
}
PLICA_KERNEL void store(const Wide& a, double* to) {
    for (int i = 0; i < parts; ++i) *reinterpret_cast<NativeInMemory*>(to + native_lanes * i) = a.part[i];
}
PLICA_KERNEL Wide gather(const double* base, const std::int32_t* index, int stride, int offset) {
    Wide r;
    for (int i = 0; i < parts; ++i) {
        for (int k = 0; k < native_lanes; ++k) r.part[i][k] = base[index[i * native_lanes + k] * stride + offset];
    }
    return r;
}

// Eight times three doubles that follow each other: x, y and z of eight nodes.
struct WideTriple {
    Wide x, y, z;
};
PLICA_KERNEL WideTriple gather_triples(const double* base, const std::int32_t* index) {
    WideTriple r;
#if defined(__AVX512F__)
    const auto row = [&](int k) { return _mm256_maskz_loadu_pd(7, base + 3 * index[k]); };
    const auto pair = [&](int k) { return _mm512_insertf64x4(_mm512_zextpd256_pd512(row(k)), row(k + 4), 1); };
    const __m512d z0 = pair(0), z1 = pair(1), z2 = pair(2), z3 = pair(3);
    const __m512d t0 = _mm512_unpacklo_pd(z0, z1), t1 = _mm512_unpackhi_pd(z0, z1);
    const __m512d t2 = _mm512_unpacklo_pd(z2, z3), t3 = _mm512_unpackhi_pd(z2, z3);
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    r.x.part[0] = _mm512_permutex2var_pd(t0, low, t2);
    r.y.part[0] = _mm512_permutex2var_pd(t1, low, t3);
    r.z.part[0] = _mm512_permutex2var_pd(t0, high, t2);
#elif defined(__AVX__)
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    for (int i = 0; i < parts; ++i) {
        const auto row = [&](int k) { return _mm256_maskload_pd(base + 3 * index[4 * i + k], three); };
        const __m256d r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
        const __m256d t0 = _mm256_unpacklo_pd(r0, r1), t1 = _mm256_unpackhi_pd(r0, r1);
        const __m256d t2 = _mm256_unpacklo_pd(r2, r3), t3 = _mm256_unpackhi_pd(r2, r3);
        r.x.part[i] = _mm256_permute2f128_pd(t0, t2, 0x20);
        r.y.part[i] = _mm256_permute2f128_pd(t1, t3, 0x20);
        r.z.part[i] = _mm256_permute2f128_pd(t0, t2, 0x31);
    }
#else
    r = {gather(base, index, 3, 0), gather(base, index, 3, 1), gather(base, index, 3, 2)};
#endif
    return r;
}

}  // namespace plica::PLICA_ISA
