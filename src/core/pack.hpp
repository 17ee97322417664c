#pragma once
// One register of floats or doubles, for kernels that are compiled once per instruction set (see plica_kernels in
// cmake/) and go through batches of a fixed number of lanes, as many at a time as the register holds. Every operation
// is the scalar one per lane, without contraction, so a kernel that sums in lane order gives the same bits everywhere.
//
// core/wide.hpp is the other way: eight doubles in as many registers as it takes.
#include <cstddef>
#include <cstdint>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#ifndef PLICA_ISA
#error "pack.hpp belongs into files that plica_kernels() compiles"
#endif
#ifndef PLICA_KERNEL
#define PLICA_KERNEL [[gnu::always_inline]] inline
#endif

namespace plica::PLICA_ISA {

#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

template <class S>
struct Register;
template <>
struct Register<float> {
    typedef float Native __attribute__((vector_size(register_bytes)));
    typedef float InMemory __attribute__((vector_size(register_bytes), aligned(4), may_alias));
};
template <>
struct Register<double> {
    typedef double Native __attribute__((vector_size(register_bytes)));
    typedef double InMemory __attribute__((vector_size(register_bytes), aligned(8), may_alias));
};

template <class S>
struct Pack {
    static constexpr int lanes = register_bytes / static_cast<int>(sizeof(S));
    using Native = typename Register<S>::Native;
    Native v;

    Pack() = default;
    PLICA_KERNEL Pack(S value) : v(value - Native{}) {}
    PLICA_KERNEL explicit Pack(Native native) : v(native) {}
    PLICA_KERNEL friend Pack operator+(Pack a, Pack b) { return Pack(a.v + b.v); }
    PLICA_KERNEL friend Pack operator-(Pack a, Pack b) { return Pack(a.v - b.v); }
    PLICA_KERNEL friend Pack operator*(Pack a, Pack b) { return Pack(a.v * b.v); }
    PLICA_KERNEL friend Pack operator/(Pack a, Pack b) { return Pack(a.v / b.v); }
    PLICA_KERNEL friend Pack operator-(Pack a) { return Pack(-a.v); }
    PLICA_KERNEL Pack& operator+=(Pack b) { return *this = *this + b; }
    PLICA_KERNEL Pack& operator-=(Pack b) { return *this = *this - b; }
    PLICA_KERNEL Pack& operator*=(Pack b) { return *this = *this * b; }
    // b where either is not a number.
    PLICA_KERNEL friend Pack min(Pack a, Pack b) { return Pack(a.v < b.v ? a.v : b.v); }
    PLICA_KERNEL friend Pack max(Pack a, Pack b) { return Pack(a.v > b.v ? a.v : b.v); }
};

template <class S>
PLICA_KERNEL Pack<S> load_pack(const S* from) {
    return Pack<S>(*reinterpret_cast<const typename Register<S>::InMemory*>(from));
}
template <class S>
PLICA_KERNEL void store_pack(Pack<S> a, S* to) {
    *reinterpret_cast<typename Register<S>::InMemory*>(to) = a.v;
}
template <class S>
PLICA_KERNEL S lowest_lane(Pack<S> a) {
    S least = a.v[0];
    for (int k = 1; k < Pack<S>::lanes; ++k) least = a.v[k] < least ? a.v[k] : least;
    return least;
}
template <class S>
PLICA_KERNEL S highest_lane(Pack<S> a) {
    return -lowest_lane(-a);
}

// a^(-1/3) for a > 0: the exponent divided by three as a start (3 % off), then Newton's method.
PLICA_KERNEL Pack<float> inverse_cube_root(Pack<float> a) {
    typedef std::int32_t Bits __attribute__((vector_size(register_bytes)));
    const auto bits = __builtin_convertvector(reinterpret_cast<Bits>(a.v), Pack<float>::Native);
    const Pack<float> start = 1419967116.0F - Pack<float>(bits) * (1.0F / 3.0F);
    Pack<float> y(reinterpret_cast<Pack<float>::Native>(__builtin_convertvector(start.v, Bits)));
    const Pack<float> third = a * (1.0F / 3.0F);
    for (int i = 0; i < 3; ++i) y = y * (4.0F / 3.0F - (y * y) * (y * third));
    return y;
}
PLICA_KERNEL Pack<double> inverse_cube_root(Pack<double> a) {
    typedef std::uint64_t Bits __attribute__((vector_size(register_bytes)));
    // The upper half of the bits as a number: behind the exponent of 2^52, where ones are units, and back.
    const auto head = (reinterpret_cast<Bits>(a.v) >> 32) | 0x4330000000000000U;
    const Pack<double> bits = Pack<double>(reinterpret_cast<Pack<double>::Native>(head)) - 0x1p52;
    const Pack<double> start = 0x1p52 + (1430194683.0 - bits * (1.0 / 3.0));
    Pack<double> y(reinterpret_cast<Pack<double>::Native>(reinterpret_cast<Bits>(start.v) << 32));
    for (int i = 0; i < 4; ++i) y = y * (4.0 / 3.0 - (1.0 / 3.0) * (a * (y * y * y)));
    return y;
}

// Fetches the cache line of an address that will be read soon.
PLICA_KERNEL void fetch(const void* from) {
    __builtin_prefetch(from);
}

// Three numbers a - b as floats, and a fourth.
PLICA_KERNEL void store_difference(const double* a, const double* b, double fourth, double* to) {
    to[0] = a[0] - b[0];
    to[1] = a[1] - b[1];
    to[2] = a[2] - b[2];
    to[3] = fourth;
}
PLICA_KERNEL void store_difference(const double* a, const double* b, float fourth, float* to) {
#if defined(__AVX__)
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    const __m128 rounded = _mm256_cvtpd_ps(_mm256_maskload_pd(a, three) - _mm256_maskload_pd(b, three));
    _mm_store_ps(to, _mm_insert_ps(rounded, _mm_set_ss(fourth), 0x30));
#else
    for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(a[k] - b[k]);
    to[3] = fourth;
#endif
}

// Points of four numbers each, the fourth being free: the same corner of as many cells as a pack has lanes.
template <class S>
struct PackPoint {
    Pack<S> x, y, z, w;
};

#if defined(__SSE2__)
// The lanes of a register of floats, four by four: rows[k] holds the points k, k + 4, ... of the pack.
typedef Pack<float>::Native FloatRegister;
PLICA_KERNEL void transpose_points(FloatRegister (&rows)[4]) {
#if defined(__AVX512F__)
    const __m512 a = _mm512_unpacklo_ps(rows[0], rows[1]), b = _mm512_unpackhi_ps(rows[0], rows[1]);
    const __m512 c = _mm512_unpacklo_ps(rows[2], rows[3]), d = _mm512_unpackhi_ps(rows[2], rows[3]);
    rows[0] = _mm512_shuffle_ps(a, c, 0x44);
    rows[1] = _mm512_shuffle_ps(a, c, 0xee);
    rows[2] = _mm512_shuffle_ps(b, d, 0x44);
    rows[3] = _mm512_shuffle_ps(b, d, 0xee);
#elif defined(__AVX__)
    const __m256 a = _mm256_unpacklo_ps(rows[0], rows[1]), b = _mm256_unpackhi_ps(rows[0], rows[1]);
    const __m256 c = _mm256_unpacklo_ps(rows[2], rows[3]), d = _mm256_unpackhi_ps(rows[2], rows[3]);
    rows[0] = _mm256_shuffle_ps(a, c, 0x44);
    rows[1] = _mm256_shuffle_ps(a, c, 0xee);
    rows[2] = _mm256_shuffle_ps(b, d, 0x44);
    rows[3] = _mm256_shuffle_ps(b, d, 0xee);
#else
    _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
#endif
}
#endif

template <class S>
PLICA_KERNEL PackPoint<S> gather_points(const S* points, const std::uint16_t* index) {
    PackPoint<S> r;
    for (int k = 0; k < Pack<S>::lanes; ++k) {
        const S* from = points + 4 * index[k];
        r.x.v[k] = from[0];
        r.y.v[k] = from[1];
        r.z.v[k] = from[2];
        r.w.v[k] = from[3];
    }
    return r;
}

// Adds points in lane order, and for each lane corner by corner: some may be the same.
template <std::size_t corners, class S>
PLICA_KERNEL void add_points(const PackPoint<S> (&added)[corners], const std::uint16_t* index, int stride, S* points) {
    for (int k = 0; k < Pack<S>::lanes; ++k) {
        for (int c = 0; c < static_cast<int>(corners); ++c) {
            S* to = points + 4 * index[c * stride + k];
            to[0] += added[c].x.v[k];
            to[1] += added[c].y.v[k];
            to[2] += added[c].z.v[k];
            to[3] += added[c].w.v[k];
        }
    }
}

#if defined(__SSE2__)
template <>
PLICA_KERNEL PackPoint<float> gather_points(const float* points, const std::uint16_t* index) {
    FloatRegister rows[4];
    const auto at = [&](int k) { return _mm_load_ps(points + 4 * index[k]); };
    for (int k = 0; k < 4; ++k) {
#if defined(__AVX512F__)
        __m512 row = _mm512_castps128_ps512(at(k));
        row = _mm512_insertf32x4(row, at(k + 4), 1);
        row = _mm512_insertf32x4(row, at(k + 8), 2);
        rows[k] = _mm512_insertf32x4(row, at(k + 12), 3);
#elif defined(__AVX__)
        rows[k] = _mm256_insertf128_ps(_mm256_castps128_ps256(at(k)), at(k + 4), 1);
#else
        rows[k] = at(k);
#endif
    }
    transpose_points(rows);
    return {Pack<float>(rows[0]), Pack<float>(rows[1]), Pack<float>(rows[2]), Pack<float>(rows[3])};
}

template <std::size_t corners>
PLICA_KERNEL void add_points(const PackPoint<float> (&added)[corners], const std::uint16_t* index, int stride,
                             float* points) {
    FloatRegister rows[corners][4];
    for (int c = 0; c < static_cast<int>(corners); ++c) {
        rows[c][0] = added[c].x.v;
        rows[c][1] = added[c].y.v;
        rows[c][2] = added[c].z.v;
        rows[c][3] = added[c].w.v;
        transpose_points(rows[c]);
    }
    const auto add = [&](int c, int k, __m128 value) {
        float* to = points + 4 * index[c * stride + k];
        _mm_store_ps(to, _mm_load_ps(to) + value);
    };
    for (int k = 0; k < 4; ++k) {
        for (int c = 0; c < static_cast<int>(corners); ++c) {
#if defined(__AVX512F__)
            add(c, k, _mm512_castps512_ps128(rows[c][k]));
#elif defined(__AVX__)
            add(c, k, _mm256_castps256_ps128(rows[c][k]));
#else
            add(c, k, rows[c][k]);
#endif
        }
    }
#if defined(__AVX__)
    for (int k = 0; k < 4; ++k) {
        for (int c = 0; c < static_cast<int>(corners); ++c) {
#if defined(__AVX512F__)
            add(c, k + 4, _mm512_extractf32x4_ps(rows[c][k], 1));
#else
            add(c, k + 4, _mm256_extractf128_ps(rows[c][k], 1));
#endif
        }
    }
#endif
#if defined(__AVX512F__)
    for (int k = 0; k < 4; ++k) {
        for (int c = 0; c < static_cast<int>(corners); ++c) add(c, k + 8, _mm512_extractf32x4_ps(rows[c][k], 2));
    }
    for (int k = 0; k < 4; ++k) {
        for (int c = 0; c < static_cast<int>(corners); ++c) add(c, k + 12, _mm512_extractf32x4_ps(rows[c][k], 3));
    }
#endif
}
#endif

}  // namespace plica::PLICA_ISA
