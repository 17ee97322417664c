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
#if defined(__AVX512F__)
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
#elif defined(__SSE2__)
        r.part[i] = _mm_sqrt_pd(a.part[i]);
#else
        for (int k = 0; k < native_lanes; ++k) r.part[i][k] = __builtin_sqrt(a.part[i][k]);
#endif
    }
    return r;
}
// Lane k as bit k.
PLICA_KERNEL unsigned to_bits(const Mask& m) {
    unsigned bits = 0;
    for (int i = 0; i < parts; ++i) {
#if defined(__AVX512DQ__)
        bits |= static_cast<unsigned>(_mm512_movepi64_mask(reinterpret_cast<__m512i>(m.part[i])));
#elif defined(__AVX__)
        bits |= static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m.part[i]))) << (native_lanes * i);
#elif defined(__SSE2__)
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

}  // namespace plica::PLICA_ISA
