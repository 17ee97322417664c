// A tissue that Plica does not know: a balloon, membrane springs around a gas. It falls onto a liver's lobe and a
// surface of heat tissue, a piece of gut falls onto it; all of it is recorded, replayed and audited.
//   own_tissue [RECORDING]        then: plica render RECORDING --at 0.7 -o balloon.png
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <plica/plica.hpp>
#include <set>
#include <tuple>

namespace {

using Vector = plica::Point;
using Triangle = std::array<std::int32_t, 3>;

Vector at(std::span<const double> v, std::int32_t n) {
    return {v[3 * std::size_t(n)], v[3 * std::size_t(n) + 1], v[3 * std::size_t(n) + 2]};
}
Vector between(std::span<const double> v, std::int32_t a, std::int32_t b) {
    return {at(v, b)[0] - at(v, a)[0], at(v, b)[1] - at(v, a)[1], at(v, b)[2] - at(v, a)[2]};
}
Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
void add(std::span<double> f, std::int32_t n, const Vector& v, double times) {
    for (std::size_t k = 0; k < 3; ++k) f[3 * std::size_t(n) + k] += times * v[k];
}

// An octahedron, each of its triangles cut into four, three times.
plica::TissueShape make_sphere(double radius, const Vector& centre, double mass) {
    std::vector<Vector> nodes{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    std::vector<Triangle> faces;
    for (std::int32_t i = 0; i < 4; ++i) faces.insert(faces.end(), {{i, (i + 1) % 4, 4}, {(i + 1) % 4, i, 5}});
    for (int round = 0; round < 3; ++round) {
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> middle;
        const auto middle_of = [&](std::int32_t a, std::int32_t b) {
            const auto [found, fresh] = middle.try_emplace(std::minmax(a, b), std::int32_t(nodes.size()));
            const Vector p = nodes[std::size_t(a)], q = nodes[std::size_t(b)];
            const double size = std::sqrt(2.0 + 2.0 * dot(p, q));  // all are on the unit sphere
            if (fresh) nodes.push_back({(p[0] + q[0]) / size, (p[1] + q[1]) / size, (p[2] + q[2]) / size});
            return found->second;
        };
        std::vector<Triangle> finer;
        for (const auto& [a, b, c] : faces) {
            const std::int32_t ab = middle_of(a, b), bc = middle_of(b, c), ca = middle_of(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        faces = finer;
    }
    plica::TissueShape shape;
    for (const Vector& n : nodes)
        for (std::size_t k = 0; k < 3; ++k) shape.nodes.push_back(centre[k] + radius * n[k]);
    shape.masses.assign(nodes.size(), mass / double(nodes.size()));
    shape.triangles = faces;
    return shape;
}

class Balloon final : public plica::Tissue {
public:
    explicit Balloon(plica::TissueShape shape) : m_shape(std::move(shape)), m_volume(volume(m_shape.nodes)) {
        std::set<std::pair<std::int32_t, std::int32_t>> edges;
        for (const auto& [a, b, c] : m_shape.triangles)
            edges.insert({std::minmax(a, b), std::minmax(b, c), std::minmax(c, a)});
        for (const auto& [a, b] : edges) {
            const Vector way = between(m_shape.nodes, a, b);
            m_springs.push_back({a, b, 0.9 * std::sqrt(dot(way, way))});  // a little stretched by the gas
        }
    }

    std::string kind() const override { return "balloon"; }
    plica::TissueShape shape() const override { return m_shape; }
    // Springs k at nodes of mass m with about six neighbours, each of which moves against it: omega^2 <= 24 k / m.
    double stable_step(const plica::TissueView&, std::span<const double>) const override {
        return 2.0 / std::sqrt(24.0 * stiffness / m_shape.masses[0]);
    }

    void add_forces(const plica::TissueView& view, std::span<double>, std::span<double> forces) const override {
        for (const auto& [a, b, rest] : m_springs) {
            const Vector way = between(view.positions, a, b);
            const Vector pace = between(view.velocities, a, b);
            const double length = std::sqrt(dot(way, way));
            const double pull = stiffness * (length - rest) / length + damping * dot(pace, way) / (length * length);
            add(forces, a, way, pull);
            add(forces, b, way, -pull);
        }
        const double pressure = excess * m_volume / volume(view.positions);  // Pa above ours: p V is constant
        for (const auto& [a, b, c] : m_shape.triangles) {
            const Vector area = cross(between(view.positions, a, b), between(view.positions, a, c));  // twice
            for (const std::int32_t n : {a, b, c}) add(forces, n, area, pressure / 6.0);
        }
    }

private:
    static constexpr double stiffness = 60.0, damping = 0.02, excess = 400.0;  // N/m, N s/m, Pa

    double volume(std::span<const double> x) const {  // m^3
        double six = 0.0;
        for (const auto& [a, b, c] : m_shape.triangles) six += dot(at(x, a), cross(at(x, b), at(x, c)));
        return six / 6.0;
    }

    plica::TissueShape m_shape;
    double m_volume;
    std::vector<std::tuple<std::int32_t, std::int32_t, double>> m_springs;  // two nodes, m at rest
};

constexpr const char* surroundings = R"(
plica = 1
contact = { friction = 0.3 }
environment = { drag = 1.0 }
body = [
  { name = "gut", anatomy = "rope", from = [-0.08, 0, 0.14], length = 0.2, radius = 0.01, segments = 20 },
  { name = "liver", tissue = "tled", shape = "ball", radius = 0.05, cell = 0.018, center = [-0.075, 0, 0.02], damping = 10, material = { young = 8000 }, fixed = [{ side = "-z" }] },
  { name = "membrane", tissue = "heat", shape = "plane", size = [0.16, 0.2, 0], columns = 16, rows = 20, center = [0.06, 0, 0], density = 1, bears = 10, fixed = [{ side = "-x" }, { side = "+x" }] },
]
)";

}  // namespace

int main(int count, char** words) try {
    const std::string file = count > 1 ? words[1] : "balloon.plica";
    plica::Scene scene = plica::Scene::from_text(surroundings);
    scene.add_tissue("balloon", std::make_shared<Balloon>(make_sphere(0.05, {0.018, 0, 0.07}, 0.05)));
    plica::Simulation simulation = plica::Simulation::build(scene);
    simulation.record(file);
    simulation.start_audit();
    const std::size_t balloon = simulation.body("balloon");
    std::set<std::size_t> touched;
    while (simulation.time() < 0.8) {
        if (!simulation.step().valid) return 3;
        for (const plica::ContactInfo& c : simulation.contacts()) {
            if (c.body_a == balloon || c.body_b == balloon) touched.insert(c.body_a + c.body_b - balloon);
        }
    }
    simulation.stop_recording();
    const plica::AuditInfo audit = simulation.audit();
    const plica::ReplayInfo replay = simulation.replay(file);
    std::printf("the balloon touched %zu bodies, audit %s, %zu of %zu steps replayed alike\n", touched.size(),
                audit.passed ? "passed" : "FAILED", replay.verified, replay.steps);
    return touched.size() == 3 && audit.passed && replay.matches() ? 0 : 1;
} catch (const plica::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.status());
}
