#include "scene/check_start.hpp"

#include <fmt/format.h>

#include <cmath>

#include "audit/solids.hpp"
#include "core/index.hpp"
#include "engine/tuning.hpp"
#include "scene/enclosures.hpp"
#include "scene/placed_error.hpp"

namespace plica {
namespace {

// How deep a tube or a ball may start in something, as a share of both radii: contact takes that apart in a few steps.
constexpr double start_depth = 0.1;

[[noreturn]] void complain(const std::string& message, int line) {
    throw PlacedError(message, Status::bad_input, line);
}

std::string in_metres(const Vec3& x) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", x.x, x.y, x.z);
}

const char* kind_of(const Capsule& c) {
    if (c.a == c.b) return c.sheet ? " corner " : " ball ";
    return c.edge || c.sheet ? " edge " : " segment ";
}

// "gut segment 12", "mesentery triangle 7", "mesentery edge 9"; numbered within the body.
std::string primitive_name(const Model& model, std::int32_t primitive) {
    const std::vector<Capsule>& capsules = model.surface.capsules;
    const std::vector<Triangle>& triangles = model.surface.triangles;
    const auto p = at(primitive);
    const std::int32_t body = body_of(model.surface, primitive);
    const bool capsule = p < capsules.size();
    std::size_t number = 0;
    for (std::size_t i = 0; capsule && i < p; ++i) number += capsules[i].body == body ? 1U : 0U;
    for (std::size_t i = 0; !capsule && i < p - capsules.size(); ++i) number += triangles[i].body == body ? 1U : 0U;
    const char* kind = capsule ? kind_of(capsules[p]) : " triangle ";
    return model.bodies[at(body)].name + kind + std::to_string(number);
}

class StartCheck {
public:
    StartCheck(const Model& model, std::span<const int> lines) : m_model(model), m_lines(lines) {}

    // Triangles of solids and surfaces, exactly; parts of sheets; axes.
    void refuse_crossing() {
        audit::Solids solids(m_model.surface);
        const auto crossing = solids.find(m_model.rest.data());
        if (!crossing.empty()) complain_of(crossing.front()[0], crossing.front()[1]);
        const std::vector<std::uint8_t> all(m_model.surface.capsules.size(), 1);
        for (const Pair& pair : find_pairs(m_model.surface, all)) {
            const Contact c = measure(m_model.surface, pair, m_model.rest, {});
            if (!(c.distance > 1e-6 * contact_radii(m_model.surface, pair))) complain_of(pair.a, pair.b);
        }
    }

    // Tubes and balls in tubes, balls and triangles. Against triangles by all of their axis, which contact goes without
    // (is_node_on): so tubes and triangles alone, and these no sheets.
    void refuse_overlap(std::vector<std::uint8_t> there) {
        Surface bare = m_model.surface;
        bare.capsules.resize(at(plain_capsules(m_model.surface)));
        bare.features = {};
        for (Capsule& c : bare.capsules) c.inner = false;
        for (Triangle& t : bare.triangles) t.sheet = false;
        there.resize(bare.capsules.size());
        for (const Pair& pair : find_pairs(bare, there)) {
            const double radii = contact_radii(bare, pair);
            const Contact c = measure(bare, pair, m_model.rest, {});
            const bool both = at(pair.b) >= bare.capsules.size() || there[at(pair.b)] != 0;
            if (!both || radii - c.distance <= start_depth * radii) continue;
            // As the whole surface numbers it: triangles stand behind all capsules.
            const auto shift = static_cast<std::int32_t>(m_model.surface.capsules.size() - bare.capsules.size());
            complain_of_depth(pair.a, at(pair.b) < bare.capsules.size() ? pair.b : pair.b + shift, c, radii);
        }
    }

    void refuse_enclosed(std::span<const std::uint8_t> there) const {
        const auto found = find_enclosed(m_model, there);
        if (!found) return;
        const std::string inner = m_model.bodies[at(found->inner)].name, outer = m_model.bodies[at(found->outer)].name;
        complain(fmt::format("the scene starts with {} inside {}, for example at {} m; expected bodies apart: move one "
                             "of them, or leave one out",
                             inner, outer, in_metres(m_model.rest[at(found->node)])),
                 line_of(found->inner, found->outer));
    }

private:
    const std::vector<Pair>& find_pairs(const Surface& surface, const std::vector<std::uint8_t>& enabled) {
        const std::vector<double> margin(m_model.nodes(), 0.0);
        find_pairs_grid({surface, enabled, m_model.rest}, margin, m_pool, m_scratch, m_pairs);
        return m_pairs;
    }

    [[nodiscard]] int line_of(std::int32_t body, std::int32_t other) const {
        return m_lines[at(std::max(body, other))];
    }

    [[noreturn]] void complain_of(std::int32_t a, std::int32_t b) const {
        const Surface& surface = m_model.surface;
        const Vec3& where = at(a) < surface.capsules.size()
                                ? m_model.rest[at(surface.capsules[at(a)].a)]
                                : m_model.rest[at(surface.triangles[at(a) - surface.capsules.size()].a)];
        complain(fmt::format("the scene starts with {} and {} through each other near {} m; expected bodies apart: "
                             "move one of them",
                             primitive_name(m_model, a), primitive_name(m_model, b), in_metres(where)),
                 line_of(body_of(surface, a), body_of(surface, b)));
    }

    [[noreturn]] void complain_of_depth(std::int32_t a, std::int32_t b, const Contact& c, double radii) const {
        Vec3 where{};
        for (int k = 0; k < c.count; ++k) {
            if (c.weight[k] > 0.0) where += m_model.rest[at(c.node[k])] * c.weight[k];
        }
        complain(fmt::format("the scene starts with {} {:.3g} m inside {}, at {} m; expected bodies apart: move one of "
                             "them by that much or more, the first along {}",
                             primitive_name(m_model, a), radii - c.distance, primitive_name(m_model, b),
                             in_metres(where), in_metres(c.normal)),
                 line_of(body_of(m_model.surface, a), body_of(m_model.surface, b)));
    }

    const Model& m_model;
    std::span<const int> m_lines;
    ThreadPool m_pool;
    DetectorScratch m_scratch;
    std::vector<Pair> m_pairs;
};

// Per plain capsule: is it there from the start? Balls of tools that appear later are not.
std::vector<std::uint8_t> list_present(const SceneDescription& scene, const Model& model) {
    std::vector<std::uint8_t> there(at(plain_capsules(model.surface)), 1);
    for (std::size_t t = 0; t < model.tools.size(); ++t) {
        if (model.tools[t].kind != ToolKind::sphere) continue;
        const std::vector<Waypoint>& path = scene.tools[t].path;
        there[at(model.tools[t].capsule)] = !path.empty() && path.front().t <= 0.0 ? 1 : 0;
    }
    return there;
}

const char* name_of(WallKind kind) {
    return kind == WallKind::plane ? "plane" : kind == WallKind::bowl ? "bowl" : "cavity";
}

}  // namespace

void check_walls(const Model& model, std::span<const int> lines) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body& body = model.bodies[b];
        for (std::int32_t i = 0; i < body.nodes; ++i) {
            const std::size_t n = at(body.first_node + i);
            if (model.inverse_mass[n] == 0.0 || model.contact_radius[n] < 0.0) continue;
            for (const Wall& wall : model.walls) {
                const double gap = sample_wall(wall, model.rest[n]).distance - model.contact_radius[n];
                if (gap >= -1e-6) continue;
                complain(fmt::format("the scene starts with node {} of {} {:.4g} m inside the wall of the {}, at {} m; "
                                     "expected bodies within their surroundings: move it in, or widen them",
                                     i, body.name, -gap, name_of(wall.kind), in_metres(model.rest[n])),
                         lines[b]);
            }
        }
    }
}

void check_start(const SceneDescription& scene, const Model& model, std::span<const int> lines) {
    const std::vector<std::uint8_t> there = list_present(scene, model);
    StartCheck check(model, lines);
    check.refuse_crossing();
    check.refuse_overlap(there);
    check.refuse_enclosed(there);
}

}  // namespace plica
