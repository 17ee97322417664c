#include "experiments/johnsen/sliding.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/tled/specimen.hpp"
#include "geometry/mesh/shapes.hpp"
#include "scene/build.hpp"

namespace plica::experiments {
namespace {

constexpr double speed = 0.02;      // m/s
constexpr double dt = 0.01;         // s
constexpr double thickness = 1e-3;  // m, of the liver's surface
constexpr double depth = 3e-3;      // m: the handle is so far below where the ball would just touch
constexpr double settling = 0.5;    // s, before it slides

// Over the top of the liver, through a plane that no edge of the mesh lies in.
Vec3 direction_at(double angle) {
    const Vec3 across = normalized(Vec3{0.9, 0.35, 0.0});
    return normalized(across * std::sin(angle) + Vec3{0, 0, 1} * std::cos(angle) + Vec3{0.02, 0.07, 0.0});
}

Vec3 surface_at(const Vec3& d) {
    return d * liver_radius(d);
}

// Of the formula's surface in the direction d.
Vec3 normal_at(const Vec3& d) {
    constexpr double small = 1e-4;
    const Vec3 u = any_perpendicular(d), v = cross(d, u);
    const auto along = [&](const Vec3& t) {
        return surface_at(normalized(d + t * small)) - surface_at(normalized(d - t * small));
    };
    return normalized(cross(along(u), along(v)));
}

// The way of the ball's handle, by length.
class Path {
public:
    explicit Path(double above) {
        constexpr int steps = 4000;
        constexpr double from = -0.6, to = 0.9;  // rad
        for (int i = 0; i <= steps; ++i) {
            const Vec3 d = direction_at(from + (to - from) * i / steps);
            const Vec3 n = normal_at(d);
            m_places.push_back(surface_at(d) + n * above);
            m_normals.push_back(n);
        }
    }
    struct Place {
        Vec3 where, normal;
    };
    [[nodiscard]] Place at(double length) const {
        for (std::size_t i = 1; i < m_places.size(); ++i) {
            const double part = distance(m_places[i], m_places[i - 1]);
            if (length <= part || i + 1 == m_places.size()) {
                const double s = length / part;
                return {m_places[i - 1] + (m_places[i] - m_places[i - 1]) * s,
                        normalized(m_normals[i - 1] + (m_normals[i] - m_normals[i - 1]) * s)};
            }
            length -= part;
        }
        return {};
    }

private:
    std::vector<Vec3> m_places, m_normals;
};

// Shells of the star-shaped surface around a core, six-sided pieces cut into three tetrahedra by the nodes' numbers, so
// that neighbours match; the core's nodes are held.
constexpr double shells[] = {1.0, 0.9, 0.8, 0.7};

std::shared_ptr<VolumeMesh> fill_star(const SurfaceMesh& surface) {
    auto mesh = std::make_shared<VolumeMesh>();
    const auto nodes = static_cast<std::int32_t>(surface.nodes.size());
    for (const double share : shells) {
        for (const Vec3& p : surface.nodes) mesh->nodes.push_back(p * share);
    }
    const auto middle = static_cast<std::int32_t>(mesh->nodes.size());
    mesh->nodes.push_back({});
    constexpr std::int32_t layers = static_cast<std::int32_t>(std::size(shells)) - 1;
    for (auto t : surface.triangles) {
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        for (std::int32_t k = 0; k < layers; ++k) {
            const std::int32_t out = k * nodes, in = out + nodes;
            const std::int32_t a = in + t[0], b = in + t[1], c = in + t[2];
            const std::int32_t d = out + t[0], e = out + t[1], f = out + t[2];
            mesh->tetrahedra.push_back({a, b, c, d});
            const bool rises = t[1] < t[2];  // each side is cut from the lower number's outer node
            mesh->tetrahedra.push_back({b, c, d, rises ? e : f});
            mesh->tetrahedra.push_back({rises ? c : b, d, e, f});
        }
        const std::int32_t in = layers * nodes;
        mesh->tetrahedra.push_back({middle, in + t[0], in + t[1], in + t[2]});
    }
    const auto x = [&](std::int32_t n) { return mesh->nodes[static_cast<std::size_t>(n)]; };
    for (auto& t : mesh->tetrahedra) {
        const Vec3 o = x(t[0]);
        if (dot(x(t[1]) - o, cross(x(t[2]) - o, x(t[3]) - o)) < 0.0) std::swap(t[2], t[3]);
    }
    NodeSet core{"core", {}};
    for (std::int32_t n = layers * nodes; n <= middle; ++n) core.nodes.push_back(n);
    mesh->node_sets.push_back(core);
    return mesh;
}

BodyDescription make_liver_body(const SlidingOptions& options) {
    const SurfaceMesh surface = make_liver_surface(options.level);
    BodyDescription body;
    body.name = "liver";
    if (options.ball == SlidingBall::probe) {
        body.tissue = TissueKind::rigid;
        body.rigid.given = std::make_shared<SurfaceMesh>(surface);
        body.rigid.shape.clear();
        body.rigid.thickness = thickness;
        return body;
    }
    body.tissue = TissueKind::tled;
    body.organ.given = fill_star(surface);
    body.organ.material = make_neo_hookean(5000.0, 0.4, 1000.0);
    body.organ.damping = 60.0;
    body.organ.thickness = thickness;
    body.organ.self_contact = false;
    MotionDescription core;
    core.where.kind = NodeSelection::Kind::set;
    core.where.set = "core";
    core.motion.axes = {true, true, true};
    body.organ.motions.push_back(core);
    return body;
}

SceneDescription make_sliding_scene(const SlidingOptions& options, const Vec3& start) {
    SceneDescription scene;
    scene.dt = dt;
    scene.substeps = 10;
    scene.exact = true;
    scene.gravity = {};
    scene.contact.friction = 0.0;
    scene.contact.normals = options.normals;
    scene.bodies.push_back(make_liver_body(options));
    ToolDescription ball;
    ball.tool.name = "ball";
    ball.tool.kind = options.ball == SlidingBall::mesh ? ToolKind::rigid : ToolKind::sphere;
    ball.rigid.shape = "ball";
    ball.rigid.radius = options.radius;
    ball.rigid.fineness = 3;
    ball.rigid.thickness = thickness;
    ball.tool.radius = options.radius;
    ball.tool.stiffness = 500.0;
    ball.tool.damping = 10.0;
    ball.tool.max_force = 20.0;
    ball.mass = 0.02;
    Waypoint first;
    first.kind = WaypointKind::at;
    first.where = start;
    ball.path.push_back(first);
    scene.tools.push_back(ball);
    return scene;
}

void sum_up(Slide& slide) {
    const auto count = static_cast<double>(slide.steps.size());
    slide.lightest = slide.strongest = norm(slide.steps.front().force);
    double turns = 0.0, least = 0.0, off = 0.0, ripple = 0.0;
    for (std::size_t i = 0; i < slide.steps.size(); ++i) {
        const SlidingStep& now = slide.steps[i];
        const double force = norm(now.force);
        slide.force += force / count;
        slide.lightest = std::min(slide.lightest, force);
        slide.strongest = std::max(slide.strongest, force);
        off += std::pow(angle_between(now.force, now.normal), 2);
        if (i == 0) continue;
        const SlidingStep& before = slide.steps[i - 1];
        const double turn = angle_between(now.force, before.force);
        turns += turn * turn;
        least += std::pow(angle_between(now.normal, before.normal), 2);
        ripple += squared_norm(normalized(now.force) - normalized(before.force) - (now.normal - before.normal));
        slide.largest = std::max(slide.largest, turn);
    }
    slide.turn = std::sqrt(turns / (count - 1.0));
    slide.least = std::sqrt(least / (count - 1.0));
    slide.ripple = std::sqrt(ripple / (count - 1.0));
    slide.off = std::sqrt(off / count);
}

}  // namespace

const char* name_of(NormalKind normals) {
    return normals == NormalKind::rounded ? "rounded" : normals == NormalKind::facet ? "facet" : "smooth";
}
const char* name_of(SlidingBall ball) {
    return ball == SlidingBall::probe     ? "ball on a rigid liver"
           : ball == SlidingBall::pressed ? "ball on a soft liver"
                                          : "ball of triangles on a soft liver";
}

Slide slide_ball(const SlidingOptions& options) {
    const double touching = options.radius + (options.ball == SlidingBall::mesh ? 1.0 : 0.5) * thickness;
    const Path path(touching - depth);
    const Path::Place first = path.at(0.0);
    const Vec3 start = first.where + first.normal * (depth + 0.002);
    const SceneDescription scene = make_sliding_scene(options, start);
    Built built = build_scene(scene, 1);
    World world(std::move(built.model), std::move(built.state), 1, options.isa);
    Inputs inputs;
    inputs.tools.resize(1);
    inputs.tools[0].present = 1;
    Slide slide;
    double sweeps = 0.0, substeps = 0.0;
    const auto waits = static_cast<int>(std::lround(settling / dt));
    const auto frames = waits + static_cast<int>(std::lround(options.seconds / dt));
    for (int k = 1; k <= frames; ++k) {
        const double along = std::max(0, k - waits) * dt * speed;
        const Path::Place place = path.at(along);
        const double down = std::min(1.0, 2.0 * k / waits);
        inputs.tools[0].target = place.where + first.normal * ((1.0 - down) * (depth + 0.002));
        const StepReport report = world.step(inputs);
        slide.valid = slide.valid && report.is_valid();
        slide.held += report.held;
        sweeps += report.sweeps;
        substeps += report.substeps;
        if (k > waits) slide.steps.push_back({along, world.frame().tool_force[0], place.normal});
    }
    slide.sweeps = sweeps / substeps;
    sum_up(slide);
    return slide;
}

}  // namespace plica::experiments
