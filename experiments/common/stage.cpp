#include "experiments/common/stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "audit/separation.hpp"
#include "core/index.hpp"

namespace plica::experiments {
namespace {

constexpr int loop_parts = 24;
constexpr double loop_radius = 0.14;  // m
constexpr double loop_speed = 0.2;    // m/s
constexpr double loop_part_time = 2.0 * std::numbers::pi * loop_radius / loop_parts / loop_speed;

double measure_speed(const World& world) {
    double square = 0.0, moving = 0.0;
    for (std::size_t n = 0; n < world.model().tissue_nodes; ++n) {
        if (world.model().inverse_mass[n] == 0.0) continue;
        square += squared_norm(world.state().v[n]);
        moving += 1.0;
    }
    return std::sqrt(square / std::max(moving, 1.0));
}

bool has_stayed(const StepReport& report) {
    const auto end = report.flags.begin() + report.flag_count;
    return std::any_of(report.flags.begin(), end, [](const Flag& flag) { return flag.kind == FlagKind::held; });
}

// Where the segment meets the triangle's plane.
Piercing describe(const Capsule& c, const audit::Edge& e, const audit::Face& f) {
    const Vec3 normal = normalized(cross(f.b - f.a, f.c - f.a));
    const double from = dot(e.a - f.a, normal), to = dot(e.b - f.a, normal);
    const double share = from == to ? 0.5 : from / (from - to);
    return {e.a + share * (e.b - e.a), normal, std::min(std::abs(from), std::abs(to)), share < 0.5 ? c.a : c.b};
}

// From below, where the gut hangs, around the root, which lies along x.
std::string loop_path() {
    std::string path;
    double t = loop_begins;
    for (int i = 0; i <= 2 * loop_parts + 1; ++i) {
        const int k = i <= loop_parts ? i : 2 * loop_parts + 1 - i;
        const double angle = 2.0 * std::numbers::pi * k / loop_parts;
        path += fmt::format("  {{ t = {:.6f}, to = [0.0, {:.9f}, {:.9f}] }},\n", t, loop_radius * std::sin(angle),
                            -loop_radius * std::cos(angle));
        t += loop_part_time;
    }
    return path + fmt::format("  {{ t = {:.6f}, release = true }},\n", t + 1.0);
}

constexpr const char* loop_text = R"toml(plica = 1
title = "A loop of the gut around the mesentery (Raghupathi 2003, fig. 9c)"
seconds = 16.0

[environment]
drag = 2.0

[[body]]
name = "gut"
anatomy = "intestine"
preset = "paper"
axis = [1, 0, 0]
noise = 0.01

[[tool]]
name = "probe"
kind = "grab"
max_force = 8.0    # N; the mesentery winds itself around the root as well
path = [
  {{ t = 2.0, at = "gut:0.5" }},
{}]
)toml";

}  // namespace

Stage::Stage(const SceneSource& source) : Stage(source, build_scene(source, 1)) {}

Stage::Stage(const SceneSource& source, Built built)
    : m_script(read_scene(source)),
      m_world(std::move(built.model), std::move(built.state)),
      m_surface(without_edges(m_world.model().surface)),
      m_audit(m_surface, m_world.model().rest, static_cast<int>(m_world.model().bodies.size())) {
    m_world.keep_trail(true);
    find_pierced();
}

void Stage::run_to(double seconds, const std::function<void(const World&)>& look) {
    const double half = 0.5 * m_world.model().dt;
    while (!m_found.lost && m_world.frame().time + half < seconds) {
        const StepReport report = m_world.step(m_script.next(m_world));
        m_found.lost = !report.is_valid();
        if (m_found.lost) return;
        examine(report);
        if (look) look(m_world);
    }
}

void Stage::examine(const StepReport& report) {
    const std::span<const Vec3> trail = m_world.trail();  // of a step that stayed where it was: its start and its end
    const audit::StepFindings& found =
        m_audit.examine(trail, static_cast<int>(trail.size() / m_world.model().nodes()) - 1);
    m_found.intersections = std::max(m_found.intersections, found.intersections);
    m_found.looks += found.looks;
    m_found.held += report.held;
    m_found.stayed += has_stayed(report) ? 1 : 0;
    ++m_found.frames;
    m_found.substeps += report.substeps;
    m_found.seconds += report.seconds;
    m_found.contacts = std::max(m_found.contacts, report.contacts);
    m_found.worst_now = found.worst;
    m_found.worst = std::max(m_found.worst, found.worst);
    m_found.pass_throughs += found.pass_throughs;
    const auto tubes = static_cast<std::int32_t>(m_surface.capsules.size());
    for (const auto& pair : m_audit.crossings()) m_found.gut_pass_throughs += pair[1] < tubes ? 1 : 0;
    m_found.speed = measure_speed(m_world);
    find_pierced();
}

void Stage::find_pierced() {
    const std::vector<Vec3>& x = m_world.frame().positions;
    const auto tubes = static_cast<std::int32_t>(m_surface.capsules.size());
    const auto triangles = static_cast<std::int32_t>(m_surface.triangles.size());
    int pairs = 0;
    for (std::int32_t i = 0; i < tubes; ++i) {
        const Capsule& c = m_surface.capsules[at(i)];
        const audit::Edge e{x[at(c.a)], x[at(c.b)]};
        const double reach = norm(e.b - e.a);
        for (std::int32_t k = 0; k < triangles; ++k) {
            const Triangle& t = m_surface.triangles[at(k)];
            const audit::Face f{x[at(t.a)], x[at(t.b)], x[at(t.c)]};
            const double size = norm(f.b - f.a) + norm(f.c - f.a);
            if (distance(e.a, f.a) > reach + size || audit::separation(e, f) > 0.0) continue;
            if (!m_audit.examines(i, tubes + k)) continue;
            ++pairs;
            const Piercing piercing = describe(c, e, f);
            if (piercing.through < m_found.deepest.through) continue;
            m_found.deepest = piercing;
            m_found.deepest_frame = m_world.frame();
        }
    }
    m_found.pierced_now = pairs;
    m_found.pierced_frames += pairs;
    m_found.most_pierced = std::max(m_found.most_pierced, pairs);
}

SceneSource plane_scene(std::vector<std::string> overrides) {
    return find_scene("intestine-plane", std::move(overrides));
}

SceneSource loop_scene(std::vector<std::string> overrides) {
    return {"loop", "loop.toml", fmt::format(fmt::runtime(loop_text), loop_path()), std::move(overrides)};
}

double loop_closes() {
    return loop_begins + loop_parts * loop_part_time;
}

double loop_opens() {
    return loop_begins + (2 * loop_parts + 1) * loop_part_time;
}

}  // namespace plica::experiments
