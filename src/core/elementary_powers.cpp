#include <cmath>
#include <limits>

#include "core/elementary.hpp"
#include "core/twofold.hpp"

// Derived from series alone; coefficients are fractions, cut where the first one left out is below 1e-18 of the result.
namespace plica::elementary {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// ln 2 in 32 bits, so that up to 2^20 of it are exact, and the rest.
constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;

// Whole numbers below 2^51: the sum has no room for a fraction.
double nearest_whole(double x) {
    constexpr double no_fraction = 0x1.8p52;
    return (x + no_fraction) - no_fraction;
}

// (e^r - 1 - r - r^2 / 2) / r^3 for |r| <= 0.35: 1/3! + r/4! + ...
double exp_tail(double r) {
    constexpr double coefficient[] = {1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0, 1.0 / 362880.0,
                                      1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,     1.0 / 120.0,
                                      1.0 / 24.0,        1.0 / 6.0};
    double sum = 1.0 / 6227020800.0;
    for (const double c : coefficient) sum = sum * r + c;
    return sum;
}

// e^r - 1 for |r| <= 0.35, to about 2^-60 of itself
Twofold small_growth(const Twofold& r) {
    const Twofold square = product_of(r.high, r.high);
    const double bent = r.high * square.high * exp_tail(r.high) + r.high * r.low;
    const Twofold sum = ordered_sum_of(r.high, 0.5 * square.high);
    return ordered_sum_of(sum.high, sum.low + (r.low + (0.5 * square.low + bent)));
}

// value 2^exponent
struct Scaled {
    Twofold value;
    int exponent = 0;
};

// e^x for |x| < 750
Scaled exp_of(const Twofold& x) {
    const double k = nearest_whole(x.high * 1.4426950408889634);
    const Twofold growth = small_growth(sum_of(x.high - k * ln2_high, x.low - k * ln2_low));
    const Twofold sum = ordered_sum_of(1.0, growth.high);
    return {ordered_sum_of(sum.high, sum.low + growth.low), static_cast<int>(k)};
}

double exp_rounded(const Twofold& x) {
    const Scaled e = exp_of(x);
    return times_power_of_two(e.value.high, e.exponent);
}

// e^x - 1 for -40 <= x <= 710
Twofold growth_of(double x) {
    if (std::abs(x) < 0.35) return small_growth({x, 0.0});
    const Scaled e = exp_of({x, 0.0});
    if (e.exponent > 60) return {times_power_of_two(e.value.high, e.exponent), 0.0};
    const double scale = power_of_two(e.exponent);
    return Twofold{e.value.high * scale, e.value.low * scale} + Twofold{-1.0, 0.0};
}

// (ln((1 + s) / (1 - s)) / 2 - s - s^3 / 3) / s^5 of z = s^2 <= 0.0295: 1/5 + z/7 + ...
double log_tail(double z) {
    constexpr double coefficient[] = {1.0 / 25.0, 1.0 / 23.0, 1.0 / 21.0, 1.0 / 19.0, 1.0 / 17.0, 1.0 / 15.0,
                                      1.0 / 13.0, 1.0 / 11.0, 1.0 / 9.0,  1.0 / 7.0,  1.0 / 5.0};
    double sum = 1.0 / 27.0;
    for (const double c : coefficient) sum = sum * z + c;
    return sum;
}

// ln(x) for finite x > 0, to about 2^-65 of itself: x = 2^k m, m in [sqrt(1/2), sqrt(2)), s = (m - 1) / (m + 1).
Twofold log_of(double x) {
    constexpr Twofold two_thirds{0x1.5555555555555p-1, 0x1.5555555555555p-55};
    int k = exponent_of(x);
    double m = times_power_of_two(x, -k);
    if (m >= 1.4142135623730951) {
        m *= 0.5;
        ++k;
    }
    const Twofold s = Twofold{m - 1.0, 0.0} / sum_of(m, 1.0);
    const double z = s.high * s.high;
    const Twofold cube = s * s * s * two_thirds;
    const Twofold bent = ordered_sum_of(cube.high, cube.low + 2.0 * s.high * z * z * log_tail(z));
    return Twofold{k * ln2_high, k * ln2_low} + (Twofold{2.0 * s.high, 2.0 * s.low} + bent);
}

bool is_whole(double y) {
    return std::abs(y) >= 0x1p52 || std::floor(y) == y;
}
bool is_odd(double y) {
    return std::abs(y) < 0x1p53 && is_whole(y) && std::floor(0.5 * y) != 0.5 * y;
}

// x^y for x > 0, neither of them infinite
double power(double x, double y) {
    const Twofold l = log_of(x);
    const double about = y * l.high;
    if (about > 750.0) return infinity;
    if (about < -750.0) return 0.0;
    if (std::abs(about) < 0x1p-60) return 1.0;
    const Twofold product = product_of(y, l.high);
    const Twofold exponent = ordered_sum_of(product.high, product.low + y * l.low);
    return exp_rounded(exponent);
}

}  // namespace

double exp(double x) noexcept {
    if (x > 710.0) return infinity;
    if (x < -746.0) return 0.0;
    return x == x ? exp_rounded({x, 0.0}) : x;
}

double expm1(double x) noexcept {
    if (x > 710.0) return infinity;
    if (x < -40.0) return -1.0;
    return std::abs(x) > 0x1p-54 ? growth_of(x).high : x;
}

double log(double x) noexcept {
    if (!(x >= 0.0)) return no_number;
    if (x == 0.0) return -infinity;
    return x < infinity ? log_of(x).high : x;
}

double tanh(double x) noexcept {
    const double a = std::abs(x);
    if (!(a > 0x1p-28)) return x;
    if (a > 20.0) return std::copysign(1.0, x);
    const Twofold e = growth_of(2.0 * a);
    return std::copysign((e / (e + Twofold{2.0, 0.0})).high, x);
}

double pow(double x, double y) noexcept {
    if (y == 0.0 || x == 1.0) return 1.0;
    if (x != x || y != y) return no_number;
    const double a = std::abs(x);
    if (std::abs(y) == infinity) return a == 1.0 ? 1.0 : (a > 1.0) == (y > 0.0) ? infinity : 0.0;
    const double sign = is_odd(y) ? std::copysign(1.0, x) : 1.0;
    if (a == 0.0 || a == infinity) return sign * ((a > 1.0) == (y > 0.0) ? infinity : 0.0);
    if (x < 0.0 && !is_whole(y)) return no_number;
    return sign * power(a, y);
}

double cbrt(double x) noexcept {
    const double a = std::abs(x);
    if (!(a > 0.0) || a == infinity) return x;
    const int third = (exponent_of(a) + 1200) / 3 - 400;
    const double m = times_power_of_two(a, -3 * third);  // 1 to 8
    double y = 0.75 + m * (0.25 - 0.0115 * m);           // 4 % off, then Halley's method cubes what is off
    for (int i = 0; i < 3; ++i) {
        const double cube = y * y * y;
        y *= (cube + 2.0 * m) / (2.0 * cube + m);
    }
    const Twofold cube = product_of(y, y) * Twofold{y, 0.0};
    y -= ((cube.high - m) + cube.low) / (3.0 * y * y);
    return std::copysign(times_power_of_two(y, third), x);
}

double hypot(double x, double y) noexcept {
    const double a = std::abs(x), b = std::abs(y);
    if (a == infinity || b == infinity) return infinity;
    const double most = a < b ? b : a, least = a < b ? a : b;
    if (!(most > 0.0) || least != least) return a + b;
    if (least < most * 0x1p-55) return most;
    const int k = exponent_of(most);
    const double p = times_power_of_two(most, -k), q = times_power_of_two(least, -k);
    const Twofold square = product_of(p, p) + product_of(q, q);
    const double root = std::sqrt(square.high);
    const Twofold back = product_of(root, root);
    return times_power_of_two(root + (((square.high - back.high) - back.low) + square.low) / (2.0 * root), k);
}

}  // namespace plica::elementary
