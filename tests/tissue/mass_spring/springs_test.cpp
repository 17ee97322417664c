#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "tissue/mass_spring/network.hpp"
#include "tissue/mass_spring/sheet_kernel.hpp"
#include "tissue/mass_spring/solve.hpp"

// The kernels of the mass-spring model against dense algebra and finite differences.
namespace plica::mass_spring {
namespace {

struct Sample {
    Network network;
    std::vector<Vec3> x, p;
    std::vector<double> w;
};

Vec3 jitter(Random& random, double size) {
    const double a = random.uniform(-size, size);
    const double b = random.uniform(-size, size);
    return {a, b, random.uniform(-size, size)};
}

void perturb(Sample& s, Random& random, double size) {
    s.p = s.x;
    for (std::size_t i = 0; i < s.p.size(); ++i) {
        if (s.w[i] > 0.0) s.p[i] += jitter(random, size);
    }
}

Sample make_rope(Random& random, int nodes, bool bending) {
    Sample s;
    for (int i = 0; i < nodes; ++i) {
        s.x.push_back(Vec3{0.1 * i, 0, 0} + jitter(random, 0.02));
        s.w.push_back(i == 0 ? 0.0 : random.uniform(20, 80));
    }
    const double viscosity = random.uniform(0, 0.01);
    add_rope(s.network, {0, nodes, random.uniform(100, 5000), 0, viscosity}, s.x, s.w);
    if (bending) s.network.sheets[0].bending = random.uniform(1, 500);
    perturb(s, random, 0.02);
    return s;
}

// Columns of `slots` free nodes over a held one, sprung along rows, rulings and diagonals; this share of the others is
// held, too.
Sample make_sheet(Random& random, int columns, int slots, double held = 0.0, double bending = 0.0) {
    Sample s;
    const int rows = slots + 1;
    const auto node = [&](int r, int c) { return r * columns + c; };
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < columns; ++c) {
            s.x.push_back(Vec3{0.05 * c, 0.06 * r, 0} + jitter(random, 0.01));
            s.w.push_back(r == slots || random.uniform(0, 1) < held ? 0.0 : random.uniform(50, 800));
        }
    }
    const auto is_held = [&](int r, int c) { return s.w[static_cast<std::size_t>(node(r, c))] == 0.0; };
    Sheet sheet{0, 0, columns, slots, {}, random.uniform(0, 0.01)};
    sheet.bending = bending;
    for (int c = 0; c < columns; ++c) {
        for (int r = 0; r < slots; ++r) sheet.node.push_back(is_held(r, c) ? -1 : node(r, c));
        const auto connect = [&](int r0, int c0, int r1, int c1) {
            if (r1 >= rows || c1 >= columns || (is_held(r0, c0) && is_held(r1, c1))) return;
            const auto slot = [&](int r, int at) { return static_cast<std::int16_t>(is_held(r, at) ? -1 : r); };
            const auto a = static_cast<std::size_t>(node(r0, c0));
            const auto b = static_cast<std::size_t>(node(r1, c1));
            s.network.springs.push_back({node(r0, c0), node(r1, c1), distance(s.x[a], s.x[b]),
                                         random.uniform(100, 9000), random.uniform(0.01, 1), 0, slot(r0, c0),
                                         slot(r1, c1), c0, c1 != c0});
        };
        for (int r = 0; r < rows; ++r) {
            connect(r, c, r, c + 1);
            connect(r, c, r + 1, c);
            connect(r, c, r + 1, c + 1);
        }
    }
    sheet.count = static_cast<std::int32_t>(s.network.springs.size());
    s.network.sheets.push_back(sheet);
    perturb(s, random, 0.01);
    return s;
}

// Rows over a held one, each with a node in every second column of the row before, `step` of the first; springs join
// what is near. This share of the free nodes is missing.
Sample make_graded(Random& random, int columns, int slots, int step, double missing = 0.0) {
    Sample s;
    Sheet sheet{0, 0, columns, slots, {}, random.uniform(0, 0.01)};
    sheet.bending = random.uniform(1, 500);
    sheet.period = std::max(2, slots > 1 ? step << (slots - 1) : step);
    std::vector<std::vector<int>> row(static_cast<std::size_t>(slots) + 1,
                                      std::vector<int>(static_cast<std::size_t>(columns), -1));
    const auto add = [&](int r, int c, bool held) {
        row[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)] = static_cast<int>(s.x.size());
        s.x.push_back(Vec3{0.05 * c, 0.06 * (1 << r), 0} + jitter(random, 0.01));
        s.w.push_back(held ? 0.0 : random.uniform(50, 800));
    };
    for (int c = 0; c < columns; ++c) add(0, c, random.uniform(0, 1) < missing);
    for (int r = 1; r <= slots; ++r) {
        for (int c = 0; c < columns; c += step << r) {
            if (c % sheet.period == 0 || random.uniform(0, 1) >= missing) add(r, c, r == slots);
        }
    }
    const auto connect = [&](int a, int b) {
        const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
        if (a < 0 || b < 0 || (s.w[i] == 0.0 && s.w[j] == 0.0)) return;
        const auto slot = [&](std::size_t n) { return static_cast<std::int16_t>(s.w[n] == 0.0 ? -1 : 0); };
        s.network.springs.push_back({a, b, distance(s.x[i], s.x[j]), random.uniform(100, 9000), random.uniform(0.01, 1),
                                     0, slot(i), slot(j), 0, false});
        s.network.springs.back().slack = std::max(0.0, random.uniform(-0.01, 0.01));  // every other one
    };
    for (int r = 0; r <= slots; ++r) {
        const int stride = r == 0 ? 1 : step << r;
        for (int c = 0; c < columns; ++c) {
            const int here = row[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
            if (c + stride < columns)
                connect(here, row[static_cast<std::size_t>(r)][static_cast<std::size_t>(c + stride)]);
            const int below = c / (step << (r + 1)) * (step << (r + 1));
            for (const int to : {below, below + (step << (r + 1))}) {
                if (r < slots && to < columns && (r > 0 || c % step == 0))
                    connect(here, row[static_cast<std::size_t>(r) + 1][static_cast<std::size_t>(to)]);
            }
        }
    }
    for (int c = 0; c < columns; ++c) {
        for (int r = 0; r < slots; ++r) {
            const int n = row[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
            sheet.node.push_back(n >= 0 && s.w[static_cast<std::size_t>(n)] > 0.0 ? n : -1);
        }
    }
    sheet.count = static_cast<std::int32_t>(s.network.springs.size());
    s.network.sheets.push_back(sheet);
    perturb(s, random, 0.01);
    return s;
}

double total_energy(const Sample& s, const std::vector<Vec3>& x) {
    return compute_energy(s.network, x, 0);
}

double& component(Vec3& v, int k) {
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

void expect_force_is_gradient(const Sample& s, double step) {
    std::vector<Vec3> force(s.p.size());
    add_forces(s.network, s.p, force);
    for (std::size_t i = 0; i < s.p.size(); ++i) {
        for (int k = 0; k < 3; ++k) {
            std::vector<Vec3> up = s.p;
            std::vector<Vec3> down = s.p;
            component(up[i], k) += step;
            component(down[i], k) -= step;
            const double slope = (total_energy(s, up) - total_energy(s, down)) / (2 * step);
            ASSERT_NEAR(component(force[i], k), -slope, 1e-4 * (1.0 + std::abs(slope)));
        }
    }
}

TEST(Springs, ForceIsMinusTheGradientOfTheEnergy) {
    Random random{1};
    for (int i = 0; i < 20; ++i) {
        expect_force_is_gradient(make_rope(random, 8, true), 1e-6);
        expect_force_is_gradient(make_sheet(random, 4, 3), 1e-6);
        expect_force_is_gradient(make_graded(random, 6, 3, 1), 1e-6);
    }
}

TEST(Springs, AWrongForceIsSeen) {
    Random random{1};
    Sample s = make_rope(random, 8, true);
    std::vector<Vec3> force(s.p.size());
    add_forces(s.network, s.p, force);
    for (Spring& spring : s.network.springs) spring.stiffness *= 1.01;
    std::vector<Vec3> other(s.p.size());
    add_forces(s.network, s.p, other);
    double most = 0.0;
    for (std::size_t i = 0; i < force.size(); ++i) most = std::max(most, distance(force[i], other[i]));
    EXPECT_GT(most, 1e-3);
}

// Gaussian elimination with pivoting.
std::vector<double> solve_dense(std::vector<std::vector<double>> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        for (std::size_t r = c + 1; r < n; ++r) pivot = std::abs(a[r][c]) > std::abs(a[pivot][c]) ? r : pivot;
        std::swap(a[c], a[pivot]);
        std::swap(b[c], b[pivot]);
        for (std::size_t r = c + 1; r < n; ++r) {
            const double f = a[r][c] / a[c][c];
            for (std::size_t k = c; k < n; ++k) a[r][k] -= f * a[c][k];
            b[r] -= f * b[c];
        }
    }
    for (std::size_t c = n; c-- > 0;) {
        for (std::size_t k = c + 1; k < n; ++k) b[c] -= a[c][k] * b[k];
        b[c] /= a[c][c];
    }
    return b;
}

// Entry k of a Vec3 read-only.
double get(const Vec3& v, std::size_t k) {
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

// Bending of the first sheet's first slot, by its definition.
void add_dense_bending(const Sample& s, const std::vector<Vec3>& q, double h, std::vector<std::vector<double>>& a,
                       std::vector<double>& b) {
    const Sheet& sheet = s.network.sheets[0];
    const double part[3] = {1, -2, 1};
    const auto first = static_cast<std::size_t>(sheet.first_node);
    for (std::size_t c = 1; sheet.bending > 0.0 && c + 1 < static_cast<std::size_t>(sheet.columns); ++c) {
        const std::size_t n = first + c;
        for (std::size_t k = 0; k < 3; ++k) {
            double bent = 0.0;
            double was = 0.0;
            for (std::size_t i = 0; i < 3; ++i) {
                bent += part[i] * get(q[n + i - 1], k);
                was += part[i] * get(s.x[n + i - 1], k);
            }
            const double load = sheet.bending * (h * h * bent + h * sheet.viscosity * (bent - was));
            for (std::size_t i = 0; i < 3; ++i) {
                if (s.w[n + i - 1] == 0.0) continue;
                b[3 * (n + i - 1) + k] -= part[i] * load;
                for (std::size_t j = 0; j < 3; ++j) {
                    if (s.w[n + j - 1] == 0.0) continue;
                    a[3 * (n + i - 1) + k][3 * (n + j - 1) + k] +=
                        sheet.bending * (h * h + h * sheet.viscosity) * part[i] * part[j];
                }
            }
        }
    }
}

// One Newton step from q.
std::vector<Vec3> dense_step(const Sample& s, const std::vector<Vec3>& q, double h) {
    const std::size_t n = 3 * s.x.size();
    std::vector<std::vector<double>> a(n, std::vector<double>(n, 0.0));
    std::vector<double> b(n, 0.0);
    const double g = s.network.sheets[0].viscosity / h;
    for (std::size_t i = 0; i < n; ++i) {
        a[i][i] = s.w[i / 3] > 0.0 ? 1.0 / s.w[i / 3] : 1.0;
        b[i] = s.w[i / 3] > 0.0 ? get(s.p[i / 3] - q[i / 3], i % 3) / s.w[i / 3] : 0.0;
    }
    for (const Spring& spring : s.network.springs) {
        const auto i = static_cast<std::size_t>(spring.a);
        const auto j = static_cast<std::size_t>(spring.b);
        const double length = distance(q[i], q[j]);
        const Vec3 u = (q[j] - q[i]) / length;
        const double k = h * h * effective_stiffness(spring, length - spring.rest);
        const double c = resisted_part(spring, length - spring.rest);
        const double elastic = length < spring.rest && c == 0.0 ? 0.0 : 1.0;  // or loose
        const double rate = dot(u, (q[j] - s.x[j]) - (q[i] - s.x[i]));
        for (std::size_t r = 0; r < 3; ++r) {
            const double pull = k * (c + g * rate) * get(u, r);
            if (s.w[i] > 0.0) b[3 * i + r] += pull;
            if (s.w[j] > 0.0) b[3 * j + r] -= pull;
            for (std::size_t t = 0; t < 3; ++t) {
                const double across = std::max(0.0, k * c / length);
                const double entry = (k * (elastic + g) - across) * get(u, r) * get(u, t) + (r == t ? across : 0.0);
                if (s.w[i] > 0.0) a[3 * i + r][3 * i + t] += entry;
                if (s.w[j] > 0.0) a[3 * j + r][3 * j + t] += entry;
                if (s.w[i] > 0.0 && s.w[j] > 0.0) {
                    a[3 * i + r][3 * j + t] -= entry;
                    a[3 * j + r][3 * i + t] -= entry;
                }
            }
        }
    }
    add_dense_bending(s, q, h, a, b);
    const std::vector<double> dp = solve_dense(a, b);
    std::vector<Vec3> p = q;
    for (std::size_t i = 0; i < p.size(); ++i) p[i] += {dp[3 * i], dp[3 * i + 1], dp[3 * i + 2]};
    return p;
}

double most_apart(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, distance(a[i], b[i]));
    return most;
}

// The kernel against the same Newton step in dense algebra, from a place that is not the prediction.
void expect_newton_step(Random& random, Sample s, double h) {
    std::vector<Vec3> q = s.p;
    for (std::size_t i = 0; i < q.size(); ++i) {
        if (s.w[i] > 0.0) q[i] += jitter(random, 0.002);
    }
    const std::vector<Vec3> reference = dense_step(s, q, h);
    Workspace work;
    prepare(s.network, work);
    std::vector<Vec3> answer = s.p;
    solve_sheet(s.network, 0, {s.x, q, s.w, h}, work, answer);
    EXPECT_LT(most_apart(reference, answer), 1e-12);
    for (Spring& spring : s.network.springs) spring.stiffness *= 1.05;  // negative control: another sheet
    EXPECT_GT(most_apart(dense_step(s, q, h), answer), 1e-9);
}

TEST(Sheet, EqualsTheDenseSolve) {
    Random random{2};
    for (const int slots : {1, 2, 3, 4}) {  // 1 and 3 are sizes known to the compiler
        for (int i = 0; i < 10; ++i) expect_newton_step(random, make_sheet(random, 6, slots), 1.0 / 600);
    }
    for (int i = 0; i < 20; ++i) expect_newton_step(random, make_rope(random, 12, i % 2 == 0), 1.0 / 600);
}

// What a step leaves of each node's equation, and the largest term in any of them.
struct Residual {
    std::vector<Vec3> left;
    double scale = 0.0;

    void add(std::size_t i, const Vec3& term) {
        left[i] += term;
        scale = std::max(scale, norm(term));
    }
    [[nodiscard]] double relative(const std::vector<double>& w) const {
        double most = 0.0;
        for (std::size_t i = 0; i < left.size(); ++i) most = w[i] > 0.0 ? std::max(most, norm(left[i])) : most;
        return scale > 0.0 ? most / scale : 0.0;
    }
};

// The same Newton step without a matrix, for any size.
double newton_residual(const Sample& s, const std::vector<Vec3>& q, double h, const std::vector<Vec3>& answer) {
    Residual r{std::vector<Vec3>(q.size())};
    const Sheet& sheet = s.network.sheets[0];
    const auto moved = [&](std::size_t i) { return answer[i] - q[i]; };
    for (std::size_t i = 0; i < q.size(); ++i) {
        if (s.w[i] > 0.0) r.add(i, (s.p[i] - answer[i]) / s.w[i]);
    }
    for (const Spring& spring : s.network.springs) {
        const auto i = static_cast<std::size_t>(spring.a);
        const auto j = static_cast<std::size_t>(spring.b);
        const double length = distance(q[i], q[j]);
        const Vec3 u = (q[j] - q[i]) / length;
        const double k = h * h * effective_stiffness(spring, length - spring.rest);
        const double c = resisted_part(spring, length - spring.rest);
        const double elastic = length < spring.rest && c == 0.0 ? 0.0 : 1.0;  // or loose
        const double g = sheet.viscosity / h;
        const double across = std::max(0.0, k * c / length);
        const Vec3 d = moved(j) - moved(i);
        const Vec3 pull = u * (k * (c + g * dot(u, (q[j] - s.x[j]) - (q[i] - s.x[i])))) +
                          u * ((k * (elastic + g) - across) * dot(u, d)) + d * across;
        r.add(i, pull);
        r.add(j, -pull);
    }
    for (std::size_t n = 1; sheet.bending > 0.0 && n + 1 < static_cast<std::size_t>(sheet.columns); ++n) {
        const Vec3 bent = answer[n - 1] - 2.0 * answer[n] + answer[n + 1];
        const Vec3 was = s.x[n - 1] - 2.0 * s.x[n] + s.x[n + 1];
        const Vec3 load = sheet.bending * (h * h * bent + h * sheet.viscosity * (bent - was));
        r.add(n - 1, -load);
        r.add(n, 2.0 * load);
        r.add(n + 1, -load);
    }
    return r.relative(s.w);
}

std::vector<Vec3> solve_on(const Sample& s, const std::vector<Vec3>& q, double h, Isa isa) {
    Workspace work;
    prepare(s.network, work, isa);
    std::vector<Vec3> answer = s.p;
    solve_sheet(s.network, 0, {s.x, q, s.w, h}, work, answer);
    return answer;
}

void expect_no_residual(const Sample& s, double h, double tolerance) {
    const std::vector<Vec3> q = s.p;
    const std::vector<Vec3> answer = solve_on(s, q, h, best_isa());
    EXPECT_LT(newton_residual(s, q, h, answer), tolerance);
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        if (!is_available(isa)) continue;
        EXPECT_EQ(solve_on(s, q, h, isa), answer);
    }
}

// The sheet is cut into eight chunks: every way in which they can end.
TEST(Sheet, IsSolvedForAnyNumberOfColumns) {
    Random random{7};
    for (int slots = 1; slots <= 5; ++slots) {
        for (int columns = 1; columns <= 40; ++columns) {
            SCOPED_TRACE(std::to_string(columns) + " x " + std::to_string(slots));
            const Sample s = make_sheet(random, columns, slots, 0.0, random.uniform(1, 500));
            if (columns <= 18) expect_newton_step(random, s, 1.0 / 600);
            expect_no_residual(s, 1.0 / 600, 1e-12);
            expect_no_residual(make_sheet(random, columns, slots, 0.3, random.uniform(1, 500)), 1.0 / 600, 1e-12);
            expect_no_residual(make_sheet(random, columns, slots, 0.3), 1.0 / 600, 1e-12);
        }
        for (const int columns : {100, 300, 1000}) {  // up to 50 m from the origin: positions are rounded
            expect_no_residual(make_sheet(random, columns, slots, 0.1, random.uniform(1, 500)), 1.0 / 600, 1e-11);
        }
    }
    for (const int slots : {12, most_slots})
        expect_no_residual(make_sheet(random, 20, slots, 0.1, 10), 1.0 / 600, 1e-11);
    for (const int nodes : {2, 3, 7, 8, 9, 17, 101})
        expect_no_residual(make_rope(random, nodes, true), 1.0 / 600, 1e-12);
}

TEST(GradedSheet, IsSolvedForAnyNumberOfColumns) {
    Random random{11};
    for (const int step : {1, 2, 3}) {
        for (int slots = 1; slots <= 5; ++slots) {
            for (const int columns : {3, 5, 8, 16, 17, 33, 64, 100, 301}) {
                SCOPED_TRACE(std::to_string(columns) + " x " + std::to_string(slots) + " by " + std::to_string(step));
                const Sample s = make_graded(random, columns, slots, step);
                if (columns <= 17) expect_newton_step(random, s, 1.0 / 600);
                expect_no_residual(s, 1.0 / 600, 1e-11);
                expect_no_residual(make_graded(random, columns, slots, step, 0.3), 1.0 / 600, 1e-11);
            }
        }
    }
}

// A grid is a graded sheet, too: springs that reach across the cuts between chunks put all of it into one.
TEST(GradedSheet, SolvesAGridAsTheSheetDoes) {
    Random random{12};
    for (const int columns : {6, 40, 101}) {
        Sample s = make_sheet(random, columns, 3, 0.2, 100);
        const std::vector<Vec3> expected = solve_on(s, s.p, 1.0 / 600, best_isa());
        s.network.sheets[0].period = 4;
        EXPECT_LT(most_apart(solve_on(s, s.p, 1.0 / 600, best_isa()), expected), 1e-12);
        Spring far = s.network.springs.front();
        far.b = far.a + columns - 2;
        s.network.springs.push_back(far);
        ++s.network.sheets[0].count;
        expect_no_residual(s, 1.0 / 600, 1e-11);
    }
}

TEST(Sheet, IsSolvedForStiffSprings) {
    Random random{8};
    for (int i = 0; i < 10; ++i) {
        Sample s = make_sheet(random, 60, 3, 0.1, 1e8);
        for (Spring& spring : s.network.springs) spring.stiffness *= 1e6;
        expect_no_residual(s, 1.0 / 600, 1e-10);
    }
}

TEST(Sheet, AWrongStepLeavesAResidual) {
    Random random{9};
    Sample s = make_sheet(random, 20, 3, 0.1, 100);
    const std::vector<Vec3> answer = solve_on(s, s.p, 1.0 / 600, best_isa());
    for (Spring& spring : s.network.springs) spring.stiffness *= 1.001;
    EXPECT_GT(newton_residual(s, s.p, 1.0 / 600, answer), 1e-6);
}

// Whatever is in the work arrays, the answer is the same.
TEST(Sheet, DoesNotDependOnWhatWasThere) {
    Random random{10};
    for (const int slots : {1, 2, 3, 5}) {
        for (const bool graded : {false, true}) {
            const Sample s = graded ? make_graded(random, 40, slots, 2) : make_sheet(random, 20, slots, 0.1);
            Workspace work;
            prepare(s.network, work);
            std::vector<Vec3> first = s.p;
            solve_sheet(s.network, 0, {s.x, s.p, s.w, 1.0 / 600}, work, first);
            for (auto* lines : {&work.front, &work.upper, &work.between, &work.q, &work.x, &work.blocks, &work.known}) {
                for (CacheLine& line : *lines) std::fill(std::begin(line.at), std::end(line.at), std::nan(""));
            }
            std::vector<Vec3> again = s.p;
            solve_sheet(s.network, 0, {s.x, s.p, s.w, 1.0 / 600}, work, again);
            EXPECT_EQ(std::memcmp(first.data(), again.data(), first.size() * sizeof(Vec3)), 0) << slots << " slots";
        }
    }
}

// Sheets share their work arrays: what one leaves there must not reach another.
TEST(Sheet, IsSolvedBesideOthers) {
    Random random{9};
    for (const int slots : {1, 3, 5}) {
        const Sample alone = make_sheet(random, 5, slots, 0.1);
        const double h = 1.0 / 600;
        Workspace of_one;
        prepare(alone.network, of_one);
        std::vector<Vec3> expected = alone.p;
        step_network(alone.network, {alone.x, alone.p, alone.w, h}, of_one, expected);

        Sample both = alone;
        const Sample rope = make_rope(random, 11, true);
        const auto first = static_cast<std::int32_t>(both.x.size());
        both.x.insert(both.x.end(), rope.x.begin(), rope.x.end());
        both.p.insert(both.p.end(), rope.p.begin(), rope.p.end());
        both.w.insert(both.w.end(), rope.w.begin(), rope.w.end());
        add_rope(both.network, {first, 11, 1000.0, 1, 0.01}, both.x, both.w);
        std::swap(both.network.sheets[0], both.network.sheets[1]);
        Workspace of_both;
        prepare(both.network, of_both);
        std::vector<Vec3> p = both.p;
        for (int again = 0; again < 2; ++again) {
            p = both.p;
            step_network(both.network, {both.x, both.p, both.w, h}, of_both, p);
        }
        p.resize(expected.size());
        EXPECT_EQ(most_apart(p, expected), 0.0) << slots << " slots";
    }
}

// Bending alone is linear, so its implicit step leaves no residual: M (p - prediction) = h^2 f(p) + viscous part at p.
TEST(Bending, LeavesNoResidual) {
    Random random{4};
    for (const double h : {1.0 / 6000, 1.0 / 600, 1.0 / 30}) {
        for (const double stiffness : {1.0, 1e3, 1e7}) {
            Sample s = make_rope(random, 15, true);
            Sheet& sheet = s.network.sheets[0];
            s.network.springs.clear();
            sheet.count = 0;
            sheet.bending = stiffness;
            const std::vector<Vec3> predicted = s.p;
            Workspace work;
            prepare(s.network, work);
            solve_sheet(s.network, 0, {s.x, predicted, s.w, h}, work, s.p);
            std::vector<Vec3> elastic(s.p.size());
            std::vector<Vec3> viscous(s.p.size());
            std::vector<Vec3> moved(s.p.size());
            for (std::size_t i = 0; i < s.p.size(); ++i) moved[i] = s.p[i] - s.x[i];
            add_forces(s.network, s.p, elastic);
            add_forces(s.network, moved, viscous);
            for (std::size_t i = 0; i < s.p.size(); ++i) {
                if (s.w[i] == 0.0) continue;
                const Vec3 load = elastic[i] * (h * h) + viscous[i] * (h * sheet.viscosity);
                const Vec3 residual = (s.p[i] - predicted[i]) / s.w[i] - load;
                ASSERT_LT(norm(residual), 1e-9 * (1.0 + norm(load)) + 1e-13 * stiffness);
            }
        }
    }
}

TEST(Springs, AreStableAtAnyStiffnessAndStep) {
    Random random{6};
    for (const double h : {1e-4, 1.0 / 600, 1.0 / 30, 1.0}) {
        for (const double scale : {1e-3, 1.0, 1e6}) {
            for (int kind = 0; kind < 2; ++kind) {
                Sample s = kind == 0 ? make_rope(random, 20, true) : make_sheet(random, 10, 3);
                for (Spring& spring : s.network.springs) spring.stiffness *= scale;
                for (Sheet& sheet : s.network.sheets) sheet.bending *= scale;
                Workspace work;
                prepare(s.network, work);
                std::vector<Vec3> x = s.x;
                std::vector<Vec3> v(x.size());
                for (int step = 0; step < 400; ++step) {
                    for (std::size_t i = 0; i < x.size(); ++i) {
                        s.p[i] = s.w[i] > 0.0 ? x[i] + h * (v[i] + Vec3{0, 0, -9.81 * h}) : x[i];
                    }
                    const std::vector<Vec3> q = s.p;
                    step_network(s.network, {x, q, s.w, h}, work, s.p);
                    for (std::size_t i = 0; i < x.size(); ++i) v[i] = (s.p[i] - x[i]) / h;
                    x = s.p;
                }
                for (const Vec3& p : x) ASSERT_LT(norm(p), 1e4) << "h " << h << " scale " << scale << " kind " << kind;
            }
        }
    }
}

// A tube of which contact sees every third node and the last.
TEST(Carriers, MoveWhatTheyCarry) {
    Random random{13};
    Sample s = make_rope(random, 12, true);
    for (double& w : s.w) w = random.uniform(20, 80);
    EXPECT_TRUE(lump_carried(s.network, s.w).empty());
    s.network.sheets[0].carrier = 3;
    const std::vector<double> lumped = lump_carried(s.network, s.w);
    const std::vector<std::size_t> carriers{0, 3, 6, 9, 11};
    double mass = 0.0, carried = 0.0;
    for (const double w : s.w) mass += 1.0 / w;
    for (const std::size_t n : carriers) carried += 1.0 / lumped[n];
    EXPECT_NEAR(carried, mass, 1e-12 * mass);

    const std::vector<Vec3> before = s.p;
    std::vector<Vec3> moved;
    Vec3 given, taken;
    for (const std::size_t n : {0U, 3U, 6U, 7U, 9U, 11U}) {  // node 7 is carried: a tool holds it
        const Vec3 push = jitter(random, 1e-3);              // kg m
        s.p[n] += push * lumped[n];
        given += push;
    }
    const Vec3 alone = s.p[3] - before[3];
    EXPECT_EQ(s.p[1], before[1]);
    follow_carriers(s.network, before, moved, s.p);
    EXPECT_EQ(s.p[3] - before[3], alone);
    EXPECT_NE(s.p[1], before[1]);
    for (std::size_t n = 0; n < s.p.size(); ++n) taken += (s.p[n] - before[n]) / s.w[n];
    EXPECT_LT(distance(given, taken), 1e-12 * norm(given));
}

}  // namespace
}  // namespace plica::mass_spring
