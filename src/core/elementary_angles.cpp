#include <cmath>
#include <cstdint>
#include <limits>

#include "core/elementary.hpp"
#include "core/twofold.hpp"

namespace plica::elementary {
namespace {

constexpr Twofold half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

__extension__ typedef unsigned __int128 Product;

// The fraction of 2 / pi in binary, behind 64 zeros.
constexpr std::uint64_t two_over_pi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

// 64 of its bits, from one of them on.
std::uint64_t bits_from(int first) {
    const int word = first / 64, shift = first % 64;
    const std::uint64_t high = two_over_pi[word] << shift;
    return shift == 0 ? high : high | two_over_pi[word + 1] >> (64 - shift);
}

// What is left of an angle when quarters of a turn are taken off, and how many they were.
struct Reduced {
    Twofold angle;  // rad, at most pi / 4
    unsigned quarters = 0;
};

// The fraction of a quarter turn with 128 bits, from -1/2 to 1/2.
Twofold to_twofold(std::uint64_t high, std::uint64_t low) {
    const bool negative = high >> 63 != 0;
    if (negative) {
        low = ~low;
        high = ~high;
    }
    const auto part = [](std::uint64_t bits) { return static_cast<double>(bits & 0xffffffff); };
    Twofold sum = sum_of(part(high >> 32) * 0x1p-32, part(high) * 0x1p-64);
    sum = sum + sum_of(part(low >> 32) * 0x1p-96, part(low) * 0x1p-128);
    return negative ? -sum : sum;
}

// x = m 2^e with whole m times 2 / pi in whole numbers: bits that bring whole turns are left out, those behind the 192
// next ones are below the last that counts. Exact to 2^-60 of what is left, for every x. (As Payne and Hanek did,
// 1983.)
Reduced reduce(double x) {
    const int e = exponent_of(x) - 52;
    const auto m = static_cast<std::uint64_t>(times_power_of_two(x, -e));
    const int first = 62 + e;  // with it the product's upper two bits count quarters
    const Product low = Product{m} * bits_from(first + 128);
    const Product middle = Product{m} * bits_from(first + 64) + (low >> 64);
    const std::uint64_t top = m * bits_from(first) + static_cast<std::uint64_t>(middle >> 64);
    const auto next = static_cast<std::uint64_t>(middle), last = static_cast<std::uint64_t>(low);
    const std::uint64_t high = top << 2 | next >> 62;
    const Twofold fraction = to_twofold(high, next << 2 | last >> 62);
    return {fraction * half_pi, static_cast<unsigned>(top >> 62) + static_cast<unsigned>(high >> 63)};
}

Reduced reduce_any(double x) {
    return x <= 0.785 ? Reduced{{x, 0.0}, 0} : reduce(x);
}

// Series cut where the first term left out is below 1e-18 of the result.
double sine_of(const Twofold& r) {
    constexpr double coefficient[] = {-1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0, 1.0 / 362880.0,
                                      -1.0 / 5040.0,          1.0 / 120.0,        -1.0 / 6.0};
    const double z = r.high * r.high;
    double sum = 1.0 / 355687428096000.0;
    for (const double c : coefficient) sum = sum * z + c;
    return r.high + (r.high * z * sum + r.low * (1.0 - 0.5 * z));
}
double cosine_of(const Twofold& r) {
    constexpr double coefficient[] = {-1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
                                      1.0 / 40320.0,        -1.0 / 720.0,      1.0 / 24.0};
    const double z = r.high * r.high;
    double sum = 1.0 / 20922789888000.0;
    for (const double c : coefficient) sum = sum * z + c;
    const Twofold start = ordered_sum_of(1.0, -0.5 * z);
    return start.high + (start.low + (z * z * sum - r.high * r.low));
}

// The sine of an angle and so many quarter turns.
double sine_after(const Reduced& r, unsigned quarters) {
    const unsigned all = r.quarters + quarters;
    const double value = (all & 1) != 0 ? cosine_of(r.angle) : sine_of(r.angle);
    return (all & 2) != 0 ? -value : value;
}

// (atan(q) / q - 1) / z of z = q^2 for |q| <= tan(pi / 8): its Chebyshev interpolant, which is off by 7e-18 / z.
double arctan_tail(double z) {
    constexpr double coefficient[] = {
        0.03923165829558719,  -0.0508544973794026, 0.0585814891280221,   -0.06664511447381948, 0.07692183190826087,
        -0.09090904578123903, 0.11111111015256361, -0.14285714284666542, 0.1999999999999552,   -0.3333333333333333};
    double sum = -0.01917688711906226;
    for (const double c : coefficient) sum = sum * z + c;
    return sum;
}

// The angle whose tangent is y / x, both 0 or more and the larger one close to 1: off by 0, 1 or 2 eighths of a turn
// from one of at most pi / 8.
Twofold angle_of_sides(const Twofold& y, const Twofold& x) {
    constexpr double eighth = 0.4142135623730950;  // tan(pi / 8)
    constexpr double nothing = 0x1p-64;
    if (y.high < nothing * x.high) return {y.high / x.high, 0.0};
    if (x.high < nothing * y.high) return half_pi;
    Twofold start{}, q{};
    if (y.high < eighth * x.high) {
        q = y / x;
    } else if (x.high < eighth * y.high) {
        start = half_pi;
        q = -(x / y);
    } else {
        start = {0.5 * half_pi.high, 0.5 * half_pi.low};
        q = (y - x) / (y + x);
    }
    const double z = q.high * q.high;
    const double bent = q.high * z * arctan_tail(z) + q.low * (1.0 - z);
    return start + ordered_sum_of(q.high, bent);
}

// sqrt(1 - x^2) for |x| <= 1
Twofold other_side(double x) {
    const Twofold square = product_of(x, x);
    const Twofold start = sum_of(1.0, -square.high);
    const Twofold rest = ordered_sum_of(start.high, start.low - square.low);
    if (!(rest.high > 0.0)) return {};
    const double root = std::sqrt(rest.high);
    const Twofold back = product_of(root, root);
    return ordered_sum_of(root, (((rest.high - back.high) - back.low) + rest.low) / (2.0 * root));
}

double half_turn_less(const Twofold& angle) {
    return (Twofold{2.0 * half_pi.high, 2.0 * half_pi.low} - angle).high;
}

}  // namespace

double sin(double x) noexcept {
    const double a = std::abs(x);
    if (!(a > 0x1p-28)) return x;
    if (!(a <= std::numeric_limits<double>::max())) return std::numeric_limits<double>::quiet_NaN();
    const double value = sine_after(reduce_any(a), 0);
    return x < 0.0 ? -value : value;
}

double cos(double x) noexcept {
    const double a = std::abs(x);
    if (!(a <= std::numeric_limits<double>::max())) return std::numeric_limits<double>::quiet_NaN();
    return sine_after(reduce_any(a), 1);
}

double atan(double x) noexcept {
    return atan2(x, 1.0);
}

double atan2(double y, double x) noexcept {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (x != x || y != y) return std::numeric_limits<double>::quiet_NaN();
    double a = std::abs(y), b = std::abs(x);
    if (a == infinity || b == infinity) {
        a = a == infinity ? 1.0 : 0.0;
        b = b == infinity ? 1.0 : 0.0;
    }
    const double most = a < b ? b : a;
    const bool back = std::signbit(x);
    if (most == 0.0) return std::copysign(back ? 2.0 * half_pi.high : 0.0, y);
    if (a < 0x1p-64 * b) return std::copysign(back ? 2.0 * half_pi.high : a / b, y);
    const int k = exponent_of(most);
    const Twofold angle = angle_of_sides({times_power_of_two(a, -k), 0.0}, {times_power_of_two(b, -k), 0.0});
    return std::copysign(back ? half_turn_less(angle) : angle.high, y);
}

double asin(double x) noexcept {
    const double a = std::abs(x);
    if (!(a <= 1.0)) return std::numeric_limits<double>::quiet_NaN();
    if (a < 0x1p-28) return x;
    return std::copysign(angle_of_sides({a, 0.0}, other_side(a)).high, x);
}

double acos(double x) noexcept {
    const double a = std::abs(x);
    if (!(a <= 1.0)) return std::numeric_limits<double>::quiet_NaN();
    const Twofold angle = angle_of_sides(other_side(a), {a, 0.0});
    return x < 0.0 ? half_turn_less(angle) : angle.high;
}

}  // namespace plica::elementary
