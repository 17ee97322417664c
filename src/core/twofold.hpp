#pragma once
#include <bit>
#include <cstdint>

namespace plica {

// A number as a sum of two that is not carried out: the first is the sum rounded, the second what rounding took, about
// 106 bits together (Dekker 1971). Plain sums and products only, so the same bits on every machine.
struct Twofold {
    double high = 0.0, low = 0.0;
};

// a + b, exactly.
inline Twofold sum_of(double a, double b) noexcept {
    const double s = a + b, from_b = s - a;
    return {s, (a - (s - from_b)) + (b - from_b)};
}
// The same where |a| >= |b|, or a = 0.
inline Twofold ordered_sum_of(double a, double b) noexcept {
    const double s = a + b;
    return {s, b - (s - a)};
}
// a b, exactly, for factors between 1e-140 and 1e140: each is cut into halves of 26 bits.
inline Twofold product_of(double a, double b) noexcept {
    constexpr double cut = 0x1p27 + 1.0;
    const double ca = cut * a, ah = ca - (ca - a), al = a - ah;
    const double cb = cut * b, bh = cb - (cb - b), bl = b - bh;
    const double p = a * b;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

inline Twofold operator+(const Twofold& a, const Twofold& b) noexcept {
    const Twofold s = sum_of(a.high, b.high);
    return ordered_sum_of(s.high, s.low + (a.low + b.low));
}
inline Twofold operator-(const Twofold& a) noexcept {
    return {-a.high, -a.low};
}
inline Twofold operator-(const Twofold& a, const Twofold& b) noexcept {
    return a + -b;
}
inline Twofold operator*(const Twofold& a, const Twofold& b) noexcept {
    const Twofold p = product_of(a.high, b.high);
    return ordered_sum_of(p.high, p.low + (a.high * b.low + a.low * b.high));
}
inline Twofold operator/(const Twofold& a, const Twofold& b) noexcept {
    const double q = a.high / b.high;
    const Twofold p = product_of(q, b.high);
    return ordered_sum_of(q, (((a.high - p.high) - p.low) + (a.low - q * b.low)) / b.high);
}

// 2^k for -1022 <= k <= 1023.
inline double power_of_two(int k) noexcept {
    return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}
// x 2^k for |k| <= 2000, in two steps: what overflows or underflows does so once.
inline double times_power_of_two(double x, int k) noexcept {
    const int half = k / 2;
    return x * power_of_two(half) * power_of_two(k - half);
}
// The k of 2^k <= |x| < 2^(k + 1), for what is neither zero, infinite nor no number.
inline int exponent_of(double x) noexcept {
    const auto field = [](double y) { return static_cast<int>(std::bit_cast<std::uint64_t>(y) >> 52 & 0x7ff); };
    const int k = field(x);
    return k > 0 ? k - 1023 : field(x * 0x1p54) - 1077;
}

}  // namespace plica
