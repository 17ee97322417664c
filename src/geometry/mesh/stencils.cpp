#include "geometry/mesh/stencils.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace plica {
namespace {

int partner(int corner) {  // at the other end of the long edge
    return corner ^ 1;
}

// Whether the short step from corner b to corner a has an even number of positive components.
bool is_even_edge(int a, int b) {
    constexpr bool even[4][4] = {{false, false, true, false},
                                 {false, false, false, true},
                                 {false, true, false, false},
                                 {true, false, false, false}};
    return even[a][b];
}

int cut(int a, int b) {
    for (int e = 0; e < 6; ++e) {
        if (std::minmax(a, b) == std::minmax(stencil_edges[e][0], stencil_edges[e][1])) return 4 + e;
    }
    return -1;
}

// Of the inner corners p and q of a face with the outer corner m: the one where the quadrilateral's diagonal begins.
int diagonal_corner(int p, int q, int m) {
    if (partner(m) == p) return q;
    if (partner(m) == q) return p;
    return is_even_edge(p, m) ? p : q;
}

// Weights of the four corners, twice: a cut point is the middle of its edge.
std::array<int, 4> weights(int code) {
    std::array<int, 4> w{};
    if (code < 4) {
        w[static_cast<std::size_t>(code)] = 2;
    } else {
        for (const int corner : stencil_edges[code - 4]) w[static_cast<std::size_t>(corner)] = 1;
    }
    return w;
}

int determinant(const std::array<std::array<int, 4>, 4>& m) {
    int sum = 0;
    std::array<std::size_t, 4> p{0, 1, 2, 3};
    for (p[0] = 0; p[0] < 4; ++p[0]) {
        for (p[1] = 0; p[1] < 4; ++p[1]) {
            for (p[2] = 0; p[2] < 4; ++p[2]) {
                if (p[0] == p[1] || p[1] == p[2] || p[0] == p[2]) continue;
                p[3] = 6 - p[0] - p[1] - p[2];
                int turned = 0;
                for (std::size_t i = 0; i < 4; ++i) {
                    for (std::size_t j = i + 1; j < 4; ++j) turned += p[i] > p[j] ? 1 : 0;
                }
                sum += (turned % 2 == 0 ? 1 : -1) * m[0][p[0]] * m[1][p[1]] * m[2][p[2]] * m[3][p[3]];
            }
        }
    }
    return sum;
}

void add(int a, int b, int c, int d, Stencil& stencil) {
    if (determinant({weights(a), weights(b), weights(c), weights(d)}) < 0) std::swap(c, d);
    stencil.tetrahedra[static_cast<std::size_t>(stencil.count++)] = {a, b, c, d};
}

// Quadrilateral p, q and their cut points towards m, and an apex beside it.
void add_pyramid(int p, int q, int m, int apex, Stencil& stencil) {
    const int from = diagonal_corner(p, q, m);
    const int other = from == p ? q : p;
    add(from, other, cut(other, m), apex, stencil);
    add(from, cut(other, m), cut(from, m), apex, stencil);
}

void add_one_outside(const std::vector<int>& inside, int m, Stencil& stencil) {
    std::vector<int> others;
    for (const int corner : inside) {
        if (corner != partner(m)) others.push_back(corner);
    }
    const int apex = cut(partner(m), m);  // both diagonals beside the long edge end here
    add(others[0], others[1], partner(m), apex, stencil);
    add_pyramid(others[0], others[1], m, apex, stencil);
}

void add_two_outside(int p, int q, int r, int s, Stencil& stencil) {
    if (diagonal_corner(p, q, r) == q) std::swap(p, q);  // then the diagonal of the face with s begins at q
    add(p, cut(p, r), cut(p, s), cut(q, r), stencil);
    add(p, q, cut(p, s), cut(q, r), stencil);
    add(q, cut(q, r), cut(q, s), cut(p, s), stencil);
}

Stencil make_stencil(const std::array<int, 4>& sign) {
    std::vector<int> inside;
    std::vector<int> on;
    std::vector<int> outside;
    for (int c = 0; c < 4; ++c) {
        const int s = sign[static_cast<std::size_t>(c)];
        (s > 0 ? inside : (s < 0 ? outside : on)).push_back(c);
    }
    Stencil stencil;
    if (inside.empty()) return stencil;
    if (outside.empty()) {
        add(0, 1, 2, 3, stencil);
    } else if (inside.size() == 1) {
        std::array<int, 4> code{};
        for (int c = 0; c < 4; ++c) {
            code[static_cast<std::size_t>(c)] = sign[static_cast<std::size_t>(c)] < 0 ? cut(inside[0], c) : c;
        }
        add(code[0], code[1], code[2], code[3], stencil);
    } else if (inside.size() == 3) {
        add_one_outside(inside, outside[0], stencil);
    } else if (on.size() == 1) {
        add_pyramid(inside[0], inside[1], outside[0], on[0], stencil);
    } else {
        add_two_outside(inside[0], inside[1], outside[0], outside[1], stencil);
    }
    return stencil;
}

}  // namespace

std::array<Stencil, 81> make_stencils() {
    std::array<Stencil, 81> stencils;
    for (int i = 0; i < 81; ++i) {
        stencils[static_cast<std::size_t>(i)] = make_stencil({i % 3 - 1, i / 3 % 3 - 1, i / 9 % 3 - 1, i / 27 - 1});
    }
    return stencils;
}

}  // namespace plica
