#include "geometry/mesh/lattice.hpp"

#include <cstdlib>
#include <utility>

namespace plica {
namespace {

using Step = std::array<int, 3>;

Step difference(const Step& a, const Step& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

bool is_positive(const std::array<Step, 4>& t) {
    const Step a = difference(t[1], t[0]);
    const Step b = difference(t[2], t[0]);
    const Step c = difference(t[3], t[0]);
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]) >
           0;
}

bool is_even(const Step& step) {
    return ((step[0] > 0 ? 1 : 0) + (step[1] > 0 ? 1 : 0) + (step[2] > 0 ? 1 : 0)) % 2 == 0;
}

// The tetrahedra between the centre at the origin and the next ones along the three axes: a a' is an edge of the square
// between two cubes, b b' goes through it.
std::array<std::array<Step, 4>, Lattice::cubes_tetrahedra> list_tetrahedra() {
    std::array<std::array<Step, 4>, Lattice::cubes_tetrahedra> list{};
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (std::size_t along = 0; along < 3; ++along) {
            if (along == axis) continue;
            for (const int side : {-1, 1}) {
                std::array<Step, 4> t{};
                t[0] = {side, side, side};
                t[0][axis] = 1;
                t[1] = t[0];
                t[0][along] = -1;
                t[1][along] = 1;
                t[3][axis] = 2;
                if (!is_positive(t)) std::swap(t[0], t[1]);
                if (!is_even(difference(t[0], t[2]))) {  // an even permutation: the volume keeps its sign
                    std::swap(t[0], t[2]);
                    std::swap(t[1], t[3]);
                }
                list[count++] = t;
            }
        }
    }
    return list;
}

}  // namespace

Lattice::Lattice(const std::array<int, 3>& cubes)
    : m_size(cubes), m_cubes(cubes[0] * cubes[1] * cubes[2]), m_neighbour(), m_tetrahedra() {
    for (int d = 0; d < directions; ++d) {
        m_neighbour[0][static_cast<std::size_t>(d)] = offset(false, step(d));
        m_neighbour[1][static_cast<std::size_t>(d)] = offset(true, step(d));
    }
    const auto list = list_tetrahedra();
    for (std::size_t i = 0; i < list.size(); ++i) {
        for (std::size_t k = 0; k < 4; ++k) m_tetrahedra[i][k] = offset(true, list[i][k]);
    }
}

Vec3 Lattice::place(std::int32_t node) const {
    const bool centre = node >= m_cubes;
    const std::int32_t cube = centre ? node - m_cubes : node;
    const int odd = centre ? 1 : 0;
    const std::int32_t i = cube % m_size[0];
    const std::int32_t j = cube / m_size[0] % m_size[1];
    const std::int32_t k = cube / m_size[0] / m_size[1];
    return {static_cast<double>(2 * i + odd), static_cast<double>(2 * j + odd), static_cast<double>(2 * k + odd)};
}

std::array<int, 3> Lattice::step(int direction) {
    Step s = steps[static_cast<std::size_t>(direction % half_directions)];
    if (direction >= half_directions) s = {-s[0], -s[1], -s[2]};
    return s;
}

std::int32_t Lattice::offset(bool from_centre, const Step& step) const {
    const bool to_other = step[0] % 2 != 0;
    const int from = from_centre ? 1 : 0;
    const int to = to_other ? 1 - from : from;
    const auto cube = [&](int s) { return (from + s - to) / 2; };
    return (to - from) * m_cubes + cube(step[0]) + m_size[0] * (cube(step[1]) + m_size[1] * cube(step[2]));
}

std::array<std::array<int, 3>, 24> Lattice::link() {
    std::array<std::array<int, 3>, 24> triangles{};
    std::size_t count = 0;
    const auto joined = [](int a, int b) {
        const Step s = difference(step(a), step(b));
        const int length = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
        return length == 3 || length == 4;
    };
    for (int a = 0; a < directions; ++a) {
        for (int b = a + 1; b < directions; ++b) {
            for (int c = b + 1; c < directions; ++c) {
                if (joined(a, b) && joined(b, c) && joined(c, a)) triangles[count++] = {a, b, c};
            }
        }
    }
    return triangles;
}

}  // namespace plica
