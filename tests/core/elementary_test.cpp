#include "core/elementary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "core/hash.hpp"
#include "core/random.hpp"
#include "tests/core/elementary_table.hpp"

namespace plica {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

double value_of(Function f, double x, double y) {
    switch (f) {
        case Function::exp:
            return elementary::exp(x);
        case Function::expm1:
            return elementary::expm1(x);
        case Function::log:
            return elementary::log(x);
        case Function::pow:
            return elementary::pow(x, y);
        case Function::tanh:
            return elementary::tanh(x);
        case Function::cbrt:
            return elementary::cbrt(x);
        case Function::hypot:
            return elementary::hypot(x, y);
        case Function::sin:
            return elementary::sin(x);
        case Function::cos:
            return elementary::cos(x);
        case Function::atan:
            return elementary::atan(x);
        case Function::atan2:
            return elementary::atan2(x, y);
        case Function::asin:
            return elementary::asin(x);
        case Function::acos:
            return elementary::acos(x);
    }
    return no_number;
}

long double library_value_of(Function f, long double x, long double y) {
    switch (f) {
        case Function::exp:
            return std::exp(x);
        case Function::expm1:
            return std::expm1(x);
        case Function::log:
            return std::log(x);
        case Function::pow:
            return std::pow(x, y);
        case Function::tanh:
            return std::tanh(x);
        case Function::cbrt:
            return std::cbrt(x);
        case Function::hypot:
            return std::hypot(x, y);
        case Function::sin:
            return std::sin(x);
        case Function::cos:
            return std::cos(x);
        case Function::atan:
            return std::atan(x);
        case Function::atan2:
            return std::atan2(x, y);
        case Function::asin:
            return std::asin(x);
        case Function::acos:
            return std::acos(x);
    }
    return 0.0L;
}

// Where each function is asked: some arguments at random over what matters, some over all magnitudes.
struct Range {
    Function function;
    double low, high;              // of x
    double other_low, other_high;  // of y
    double magnitudes;             // of x, as powers of two up to this
};
constexpr Range ranges[] = {{Function::exp, -745.0, 709.7, 0, 0, 0},    {Function::exp, -1.0, 1.0, 0, 0, 0},
                            {Function::exp, -1.0, 1.0, 0, 0, 60},       {Function::expm1, -2.0, 2.0, 0, 0, 0},
                            {Function::expm1, -30.0, 100.0, 0, 0, 40},  {Function::log, 0.5, 2.0, 0, 0, 0},
                            {Function::log, 0.0, 1e6, 0, 0, 1000},      {Function::tanh, -3.0, 3.0, 0, 0, 0},
                            {Function::tanh, -20.0, 20.0, 0, 0, 60},    {Function::cbrt, -8.0, 8.0, 0, 0, 1000},
                            {Function::sin, -7.0, 7.0, 0, 0, 0},        {Function::sin, -1e6, 1e6, 0, 0, 900},
                            {Function::cos, -7.0, 7.0, 0, 0, 0},        {Function::cos, -1e6, 1e6, 0, 0, 900},
                            {Function::atan, -3.0, 3.0, 0, 0, 0},       {Function::atan, -3.0, 3.0, 0, 0, 300},
                            {Function::asin, -1.0, 1.0, 0, 0, 0},       {Function::asin, -1.0, 1.0, 0, 0, 60},
                            {Function::acos, -1.0, 1.0, 0, 0, 0},       {Function::acos, 1.0 - 1e-9, 1.0, 0, 0, 0},
                            {Function::pow, 0.0, 3.0, -20.0, 20.0, 0},  {Function::pow, 0.5, 2.0, -700.0, 700.0, 0},
                            {Function::atan2, -2.0, 2.0, -2.0, 2.0, 0}, {Function::atan2, -2.0, 2.0, -2.0, 2.0, 80},
                            {Function::hypot, -2.0, 2.0, -2.0, 2.0, 0}, {Function::hypot, -2.0, 2.0, -2.0, 2.0, 80}};

struct Arguments {
    double x, y;
};
Arguments draw(const Range& range, Random& random) {
    const double x = random.uniform(range.low, range.high), y = random.uniform(range.other_low, range.other_high);
    const int power = static_cast<int>(random.uniform(-range.magnitudes, range.magnitudes));
    const bool shrinks_only = range.function == Function::asin || range.function == Function::exp ||
                              range.function == Function::expm1 || range.function == Function::tanh;
    return {std::ldexp(x, shrinks_only ? -std::abs(power) : power), y};
}

// In units in the last place of what is right.
double off_by(double found, long double right) {
    const double rounded = std::min(std::abs(static_cast<double>(right)), 0x1p1023);
    const double unit = std::nextafter(rounded, infinity) - rounded;
    return static_cast<double>(std::abs(found - right) / unit);
}

template <class Found>
double worst_of(const Range& range, const Found& found) {
    Random random{11};
    double worst = 0.0;
    for (int i = 0; i < 100000; ++i) {
        const Arguments a = draw(range, random);
        const double off = off_by(found(a), library_value_of(range.function, a.x, a.y));
        if (!(off <= worst)) worst = off;
    }
    return worst;
}

TEST(Elementary, EveryBitIsAsStored) {
    for (const Stored& s : stored) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(value_of(s.function, s.x, s.y)), s.bits)
            << static_cast<int>(s.function) << " of " << s.x << ", " << s.y;
    }
}

TEST(Elementary, EveryBitOfManyIsAsStored) {
    Hash hash;
    for (const Range& range : ranges) {
        Random random{3};
        for (int i = 0; i < 20000; ++i) {
            const Arguments a = draw(range, random);
            const double value = value_of(range.function, a.x, a.y);
            hash.add_all(std::span<const double>(&value, 1));
        }
    }
    EXPECT_EQ(to_hex(hash.value()), "62058769810e65d3");
}

TEST(Elementary, IsWithinOneUnitInTheLastPlace) {
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "nothing finer to compare with";
    for (const Range& range : ranges) {
        const auto ours = [&](const Arguments& a) { return value_of(range.function, a.x, a.y); };
        EXPECT_LE(worst_of(range, ours), 0.8) << static_cast<int>(range.function) << " from " << range.low;
    }
}

TEST(Elementary, OneUnitMoreWouldBeSeen) {
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "nothing finer to compare with";
    for (const Range& range : ranges) {
        const auto next = [&](const Arguments& a) {
            return std::nextafter(value_of(range.function, a.x, a.y), infinity);
        };
        EXPECT_GT(worst_of(range, next), 0.8) << static_cast<int>(range.function) << " from " << range.low;
    }
    const Stored& first = stored[0];
    const double next = std::nextafter(value_of(first.function, first.x, first.y), infinity);
    EXPECT_NE(std::bit_cast<std::uint64_t>(next), first.bits);
}

// As the C library does it, signs of zeros included.
TEST(Elementary, LimitsAreTheLibrarys) {
    constexpr double tiny = std::numeric_limits<double>::denorm_min(), huge = std::numeric_limits<double>::max();
    constexpr double values[] = {0.0,  -0.0,  1.0,      -1.0,      0.5,       -0.5, 2.0,   -2.0, 3.0,
                                 -3.0, 1e300, infinity, -infinity, no_number, tiny, -tiny, huge, -huge};
    for (const Range& range : ranges) {
        for (const double x : values) {
            for (const double y : values) {
                const double ours = value_of(range.function, x, y);
                const double right = static_cast<double>(library_value_of(range.function, x, y));
                ASSERT_EQ(std::isnan(ours), std::isnan(right))
                    << static_cast<int>(range.function) << " of " << x << ", " << y;
                if (std::isnan(right)) continue;
                EXPECT_EQ(std::signbit(ours), std::signbit(right))
                    << static_cast<int>(range.function) << " of " << x << ", " << y;
                const bool same = ours == right || std::abs(ours - right) <= 2e-16 * std::abs(right);
                EXPECT_TRUE(same) << static_cast<int>(range.function) << " of " << x << ", " << y << ": " << ours
                                  << " instead of " << right;
            }
        }
    }
}

}  // namespace
}  // namespace plica
