#include "bench/detection/search.hpp"

#include <algorithm>
#include <cmath>

#include "collision/candidates.hpp"

namespace plica {
namespace {

using Found = std::vector<std::array<std::int32_t, 2>>;

Surface make_surface(const search::Rope& rope) {
    Surface surface;
    for (std::int32_t i = 0; i < rope.segments; ++i) {
        surface.capsules.push_back({i, i + 1, rope.radius, 0, 0, i, rope.exclude, false});
    }
    return surface;
}

std::span<const Vec3> to_vectors(std::span<const double> x) {
    return {reinterpret_cast<const Vec3*>(x.data()), x.size() / 3};
}

// Eight pairs for the distance kernel.
struct Batch {
    std::int32_t node[5][8];
    std::int32_t a[8], b[8];
    int count = 0;

    void add(const Surface& surface, std::int32_t i, std::int32_t j) {
        const Capsule& p = surface.capsules[static_cast<std::size_t>(i)];
        const Capsule& q = surface.capsules[static_cast<std::size_t>(j)];
        node[0][count] = p.a;
        node[1][count] = p.b;
        node[2][count] = q.a;
        node[3][count] = q.b;
        a[count] = i;
        b[count++] = j;
    }
    // Places that are left measure the first pair again.
    void fill_up() {
        for (int lane = count; lane < 8; ++lane) {
            for (int k = 0; k < 4; ++k) node[k][lane] = node[k][0];
        }
    }
};

// Keeps those of a batch whose gap is at most `limit`. Most are told apart without a root.
class Gap {
public:
    Gap(Isa isa, double radius, double limit)
        : m_measure(PLICA_PICK_KERNEL(isa, measure_pairs)),
          m_radii(radius + radius),
          m_limit(limit),
          m_far((m_radii + limit) * (m_radii + limit) * (1.0 + 1e-9)) {}

    void keep(std::span<const double> x, const Batch& batch, Found& found) const {
        double squared[8];
        m_measure(x.data(), batch.node, 4, squared);
        for (int lane = 0; lane < batch.count; ++lane) {
            if (squared[lane] > m_far || std::sqrt(squared[lane]) - m_radii > m_limit) continue;
            found.push_back({batch.a[lane], batch.b[lane]});
        }
    }

private:
    decltype(PLICA_PICK_KERNEL(Isa::base, measure_pairs)) m_measure;
    double m_radii, m_limit, m_far;
};

class Brute : public search::Search {
public:
    explicit Brute(const search::Rope& rope)
        : m_surface(make_surface(rope)), m_gap(best_isa(), rope.radius, 2.0 * rope.margin) {}

    void restart(std::span<const double>) override {}
    std::int64_t find(std::span<const double> x) override {
        m_found.clear();
        std::int64_t tests = 0;
        Batch batch;
        const auto flush = [&] {
            tests += batch.count;
            batch.fill_up();
            m_gap.keep(x, batch, m_found);
            batch.count = 0;
        };
        const auto count = static_cast<std::int32_t>(m_surface.capsules.size());
        for (std::int32_t a = 0; a < count; ++a) {
            const Capsule& first = m_surface.capsules[static_cast<std::size_t>(a)];
            for (std::int32_t b = a + 1; b < count; ++b) {
                if (!can_touch(first, m_surface.capsules[static_cast<std::size_t>(b)])) continue;
                batch.add(m_surface, a, b);
                if (batch.count == 8) flush();
            }
        }
        if (batch.count > 0) flush();
        return tests;
    }
    void collect(Found& pairs) const override { pairs = m_found; }

private:
    Surface m_surface;
    Gap m_gap;
    Found m_found;
};

// One of the library's exact detectors, asked anew each time.
class Exact : public search::Search {
public:
    Exact(const search::Rope& rope, bool grid)
        : m_surface(make_surface(rope)),
          m_enabled(m_surface.capsules.size(), 1),
          m_margin(m_surface.capsules.size() + 1, rope.margin),
          m_find(grid                                              ? find_pairs_grid
                 : best_detector(m_surface) == DetectorKind::brute ? find_pairs_brute
                                                                   : find_pairs_bvh) {}

    void restart(std::span<const double>) override {}
    std::int64_t find(std::span<const double> x) override {
        return m_find({m_surface, m_enabled, to_vectors(x)}, m_margin, m_pool, m_scratch, m_found);
    }
    void collect(Found& pairs) const override {
        for (const Pair& pair : m_found) pairs.push_back({pair.a, pair.b});
    }

private:
    Surface m_surface;
    std::vector<std::uint8_t> m_enabled;
    std::vector<double> m_margin;
    decltype(&find_pairs_bvh) m_find;
    ThreadPool m_pool{1};
    DetectorScratch m_scratch;
    std::vector<Pair> m_found;
};

// The candidate list as the simulator keeps it. A pair that is asked for now was within the gap and both slacks when
// the list was built, if no node has moved further than its margin since: the list holds it.
class List : public search::Search {
public:
    explicit List(const search::Rope& rope)
        : m_rope(rope),
          m_surface(make_surface(rope)),
          m_enabled(m_surface.capsules.size(), 1),
          m_gap(best_isa(), rope.radius, 2.0 * rope.margin) {}

    void restart(std::span<const double> before) override {
        m_before.assign(to_vectors(before).begin(), to_vectors(before).end());
        m_list.built.clear();
    }
    std::int64_t find(std::span<const double> positions) override {
        const std::span<const Vec3> x = to_vectors(positions);
        std::int64_t tests = static_cast<std::int64_t>(m_list.pairs.size());
        if (!is_complete(m_list, x)) tests = build(x) + static_cast<std::int64_t>(m_list.pairs.size());
        m_found.clear();
        for (const Batch& batch : m_batches) m_gap.keep(positions, batch, m_found);
        m_before.assign(x.begin(), x.end());
        return tests;
    }
    void collect(Found& pairs) const override { pairs = m_found; }
    [[nodiscard]] std::int64_t rebuilds() const override { return m_rebuilds; }

private:
    // The simulator's rule (set_margins in scene/substep.cpp): what a node will do at its present speed until things
    // have moved some share of the thickness on average, at least four substeps and at most a tenth of a second.
    void choose_slack(std::span<const Vec3> x) {
        const Vec3 common = mean_displacement(m_before, x);
        std::vector<double>& margin = m_list.margin;
        margin.resize(x.size());
        double mean = 0.0;  // m, moved in the last substep
        for (std::size_t i = 0; i < x.size(); ++i) {
            margin[i] = norm(x[i] - m_before[i] - common);
            mean += margin[i] / static_cast<double>(x.size());
        }
        const double thickness = 2.0 * m_rope.radius;
        const double slow = 0.08 * thickness;
        const double substeps = std::max(4.0, std::min(slow / std::max(mean, 1e-12), 0.1 / m_rope.substep));
        const double t = substeps * m_rope.substep;
        const double base = 0.04 * thickness + std::min(0.6 * m_rope.gravity * t * t, 0.5 * slow);
        for (double& s : margin) s = base + 1.2 * s * substeps;
    }
    std::int64_t build(std::span<const Vec3> x) {
        choose_slack(x);
        const double query = m_rope.margin + 1e-12;  // a hair for rounding
        for (double& m : m_list.margin) m += query;
        const std::int64_t tests =
            rebuild(m_list, best_detector(m_surface), {m_surface, m_enabled, x}, m_pool, m_scratch);
        for (double& m : m_list.margin) m -= query;
        fill_batches();
        ++m_rebuilds;
        return tests;
    }
    void fill_batches() {
        m_batches.resize((m_list.pairs.size() + 7) / 8);
        for (Batch& batch : m_batches) batch.count = 0;
        for (std::size_t i = 0; i < m_list.pairs.size(); ++i) {
            m_batches[i / 8].add(m_surface, m_list.pairs[i].a, m_list.pairs[i].b);
        }
        if (!m_batches.empty()) m_batches.back().fill_up();
    }

    search::Rope m_rope;
    Surface m_surface;
    std::vector<std::uint8_t> m_enabled;
    Gap m_gap;
    CandidateList m_list;
    std::vector<Batch> m_batches;
    std::vector<Vec3> m_before;
    Found m_found;
    ThreadPool m_pool{1};
    DetectorScratch m_scratch;
    std::int64_t m_rebuilds = 0;
};

}  // namespace

std::unique_ptr<search::Search> make_search(search::Method method, const search::Rope& rope) {
    switch (method) {
        case search::Method::brute:
            return std::make_unique<Brute>(rope);
        case search::Method::tree:
            return std::make_unique<Exact>(rope, false);
        case search::Method::grid:
            return std::make_unique<Exact>(rope, true);
        case search::Method::list:
            break;
    }
    return std::make_unique<List>(rope);
}

}  // namespace plica
