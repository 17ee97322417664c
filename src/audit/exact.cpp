#include "audit/exact.hpp"

#include <cmath>
#include <cstddef>
#include <limits>

namespace plica::audit {
namespace {

constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();  // u: the largest relative error of rounding

// A number as two: what rounding left and what it took. Both functions are exact short of overflow and underflow
// (Knuth; Dekker).
struct Twofold {
    double head, tail;
};

Twofold two_sum(double a, double b) {
    const double head = a + b;
    const double of_b = head - a;
    return {head, (a - (head - of_b)) + (b - of_b)};
}

Twofold two_difference(double a, double b) {
    return two_sum(a, -b);
}

Twofold two_product(double a, double b) {
    const double head = a * b;
    return {head, std::fma(a, b, -head)};
}

// A sum kept as doubles whose bits do not overlap, by rising magnitude and without zeros. Adding a double part by part
// leaves such a sum again (Shewchuk 1997, theorem 10), so the last part has the sum's sign.
template <std::size_t Capacity>
class Expansion {
public:
    void add(double value) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m_size; ++i) {
            const auto [head, tail] = two_sum(value, m_parts[i]);
            value = head;
            if (tail != 0.0) m_parts[kept++] = tail;
        }
        if (value != 0.0) m_parts[kept++] = value;
        m_size = kept;
    }
    void add_product(double a, double b) {
        const auto [head, tail] = two_product(a, b);
        add(tail);
        add(head);
    }
    void add_product(double a, double b, double c) {
        const auto [head, tail] = two_product(a, b);
        if (tail != 0.0) add_product(tail, c);
        add_product(head, c);
    }
    [[nodiscard]] int sign() const { return m_size == 0 ? 0 : (m_parts[m_size - 1] > 0.0 ? 1 : -1); }

private:
    std::array<double, Capacity> m_parts;
    std::size_t m_size = 0;
};

// Calls `use` with the parts that are not zero.
template <class Use>
void each_part(const Twofold& value, const Use& use) {
    if (value.tail != 0.0) use(value.tail);
    if (value.head != 0.0) use(value.head);
}

using Difference = std::array<Twofold, 3>;

Difference subtract(const Vec3& p, const Vec3& q) {
    return {two_difference(p.x, q.x), two_difference(p.y, q.y), two_difference(p.z, q.z)};
}

// Six products of three differences, of two parts each; a product of three doubles has four parts.
int exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Difference u = subtract(b, a), v = subtract(c, a), w = subtract(d, a);
    Expansion<6 * 8 * 4> sum;
    const auto add = [&](double sign, const Twofold& p, const Twofold& q, const Twofold& r) {
        each_part(p, [&](double x) {
            each_part(q, [&](double y) { each_part(r, [&](double z) { sum.add_product(sign * x, y, z); }); });
        });
    };
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
        add(1.0, u[i], v[j], w[k]);
        add(-1.0, u[j], v[i], w[k]);
    }
    return sum.sign();
}

int exact_orient2d(const Point2& a, const Point2& b, const Point2& c) {
    const Twofold ux = two_difference(b[0], a[0]), uy = two_difference(b[1], a[1]);
    const Twofold vx = two_difference(c[0], a[0]), vy = two_difference(c[1], a[1]);
    Expansion<2 * 4 * 2> sum;
    const auto add = [&](double sign, const Twofold& p, const Twofold& q) {
        each_part(p, [&](double x) { each_part(q, [&](double y) { sum.add_product(sign * x, y); }); });
    };
    add(1.0, ux, vy);
    add(-1.0, uy, vx);
    return sum.sign();
}

// Below this a sum of products may owe more to underflow than to rounding.
constexpr double least_sum = 1e-190;

}  // namespace

// The filter: plain arithmetic, where its error cannot change the sign. Each of the six products comes out with no more
// than eight factors (1 + e), |e| <= u: three differences, two multiplications, one subtraction and two additions. So
// the error is at most ((1 + u)^8 - 1) times the sum of the products' magnitudes, which itself comes out too small by
// no more than (1 - u)^8: below 9 u times the sum as computed. Underflow adds less than 6 * 2^-1075 * 2e90, which is
// far below u times the least sum that is trusted.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 u = b - a, v = c - a, w = d - a;
    const double xy = u.x * v.y, yx = u.y * v.x, yz = u.y * v.z, zy = u.z * v.y, zx = u.z * v.x, xz = u.x * v.z;
    const double value = (xy - yx) * w.z + (yz - zy) * w.x + (zx - xz) * w.y;
    const double sum = (std::abs(xy) + std::abs(yx)) * std::abs(w.z) + (std::abs(yz) + std::abs(zy)) * std::abs(w.x) +
                       (std::abs(zx) + std::abs(xz)) * std::abs(w.y);
    if (sum > least_sum) {
        const double bound = 10.0 * unit * sum;
        if (value > bound) return 1;
        if (value < -bound) return -1;
    }
    return exact_orient3d(a, b, c, d);
}

// As above, with four factors (two differences, a multiplication, a subtraction): below 5 u times the sum as computed.
int orient2d(const Point2& a, const Point2& b, const Point2& c) {
    const double left = (b[0] - a[0]) * (c[1] - a[1]), right = (b[1] - a[1]) * (c[0] - a[0]);
    const double value = left - right, sum = std::abs(left) + std::abs(right);
    if (sum > least_sum) {
        const double bound = 6.0 * unit * sum;
        if (value > bound) return 1;
        if (value < -bound) return -1;
    }
    return exact_orient2d(a, b, c);
}

}  // namespace plica::audit
