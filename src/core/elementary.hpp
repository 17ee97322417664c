#pragma once

// The functions of the C library that each machine's rounds in its own way, with one result everywhere: sums, products,
// quotients and roots in a fixed order, which IEEE 754 fixes to the last bit, and integers. What is in a step, or
// decides how a scene starts, uses these; tests/house/elementary_test.cpp sees to it.
//
// No result is off by more than the number of units in the last place that stands beside it, as measured over random
// arguments in tests/core/elementary_test.cpp. Infinities, zeros with their signs and what is no number give what the
// C library's give.
namespace plica::elementary {

double exp(double x) noexcept;              // 1
double expm1(double x) noexcept;            // 1
double log(double x) noexcept;              // 1
double pow(double x, double y) noexcept;    // 1
double tanh(double x) noexcept;             // 2
double cbrt(double x) noexcept;             // 1
double hypot(double x, double y) noexcept;  // 1

double sin(double x) noexcept;              // 1, whatever the number of turns
double cos(double x) noexcept;              // 1
double atan(double x) noexcept;             // 1
double atan2(double y, double x) noexcept;  // 1
double asin(double x) noexcept;             // 1
double acos(double x) noexcept;             // 1

}  // namespace plica::elementary
