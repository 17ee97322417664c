#include "apps/plica/summary.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "apps/plica/membrane_numbers.hpp"
#include "apps/plica/organ_numbers.hpp"

namespace plica::app {
namespace {

using Json = nlohmann::ordered_json;

double sum(const std::vector<double>& values) {
    double total = 0.0;
    for (const double v : values) total += v;
    return total;
}

// Values of the last two simulated seconds.
std::vector<double> settled(const std::vector<double>& values, double dt) {
    const auto count = static_cast<std::size_t>(std::max(1.0, std::round(audit::settled_seconds / dt)));
    return {values.end() - static_cast<std::ptrdiff_t>(std::min(count, values.size())), values.end()};
}

double memory_mb() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return std::round(static_cast<double>(usage.ru_maxrss) / 1024.0);
}

Json milliseconds(const std::vector<double>& seconds, bool with_max) {
    Json j{{"p50", 1e3 * percentile(seconds, 0.50)}, {"p99", 1e3 * percentile(seconds, 0.99)}};
    if (with_max) j["max"] = 1e3 * largest(seconds);
    return j;
}

// Shapes of ours are made of formulas, whatever organ they are called after.
std::string describe_mesh(const Body& body) {
    return body.shape.empty() ? "file" : "synthetic " + body.shape;
}

// As the run ends; the peak is over the whole run.
Json bodies_json(const World& world, const std::vector<double>& peak_stretch) {
    const Model& model = world.model();
    Json list = Json::array();
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body& body = model.bodies[b];
        double kinetic = 0.0;
        double square = 0.0;
        int free = 0;
        for (std::int32_t n = body.first_node; n < body.first_node + body.nodes; ++n) {
            const auto i = static_cast<std::size_t>(n);
            if (model.inverse_mass[i] == 0.0) continue;
            const double v2 = squared_norm(world.state().v[i]);
            kinetic += 0.5 * v2 / model.inverse_mass[i];
            square += v2;
            ++free;
        }
        list.push_back({{"name", body.name},
                        {"tissue", traits_of(body.tissue).name},
                        {"max_stretch", compute_max_stretch(world, b)},
                        {"peak_stretch", peak_stretch[b]},
                        {"rms_speed", std::sqrt(square / std::max(1, free))},
                        {"kinetic", kinetic},
                        {"elastic", compute_elastic_energy(world, b)}});
        const tled::Organ* organ = find_organ(model, body);
        const heat::Membrane* membrane = find_membrane(model, body);
        if (organ != nullptr || membrane != nullptr || body.tissue == TissueKind::rigid) {
            list.back()["mesh"] = describe_mesh(body);
        }
        if (organ != nullptr) add_organ_json(world, *organ, list.back());
        if (membrane != nullptr) add_membrane_json(world, *membrane, list.back());
        for (std::size_t i = 0; i < model.rigids.size(); ++i) {
            if (static_cast<std::size_t>(model.rigids[i].body) != b) continue;
            const Vec3 force = world.frame().rigid_force[i];
            list.back()["force"] = {force.x, force.y, force.z};
        }
    }
    return list;
}

Json momentum_json(const World& world) {
    Vec3 total{};
    for (std::size_t n = 0; n < world.model().tissue_nodes; ++n) {
        const double w = world.model().inverse_mass[n];
        if (w > 0.0) total += world.state().v[n] / w;
    }
    return {total.x, total.y, total.z};
}

}  // namespace

Summary::Summary(const World& world, bool audited)
    : m_audited(audited),
      m_by_pair(world.model().bodies.size() * world.model().bodies.size(), 0.0),
      m_last_by_pair(m_by_pair),
      m_stretch(world.model().bodies.size(), 0.0),
      m_peak_force(world.model().tools.size(), 0.0),
      m_force_sum(world.model().tools.size(), 0.0),
      m_force_steps(world.model().tools.size(), 0),
      m_hash(compute_hash(world.state())) {}

double Summary::worst() const {
    return largest(m_penetration);
}

void Summary::add(const World& world, const StepReport& report, const audit::StepFindings* findings) {
    const Model& model = world.model();
    m_seconds.push_back(report.seconds);
    m_stages.push_back(report.stage_seconds);
    m_tests += static_cast<double>(report.distance_tests);
    m_work.push_back(static_cast<double>(report.distance_tests + report.certify_tests));
    m_substeps_max = std::max(m_substeps_max, report.substeps);
    m_substeps += report.substeps;
    m_rebuilds += report.rebuilds;
    m_held += report.held;
    m_sweeps += report.sweeps;
    m_retries += report.retries;
    m_at_rest = report.at_rest;
    m_hash = report.hash;
    m_valid = m_valid && report.is_valid();
    for (int i = 0; i < report.flag_count; ++i) {
        const Flag& flag = report.flags[static_cast<std::size_t>(i)];
        std::string name =
            fmt::format("{}:{}", flag_name(flag.kind), model.bodies[static_cast<std::size_t>(flag.body)].name);
        if (flag.cell >= 0) name += fmt::format(":cell {}", flag.cell);
        ++m_flags[name];
    }
    const auto body_of = [&](std::int32_t primitive) {
        const auto p = static_cast<std::size_t>(primitive);
        const std::size_t capsules = model.surface.capsules.size();
        return static_cast<std::size_t>(p < capsules ? model.surface.capsules[p].body
                                                     : model.surface.triangles[p - capsules].body);
    };
    double contacts = 0.0;  // that carry load as the step ends
    std::fill(m_last_by_pair.begin(), m_last_by_pair.end(), 0.0);
    for (const Pair& pair : world.state().candidates.pairs) {
        if (pair.push == 0.0) continue;
        contacts += 1.0;
        const std::size_t a = std::min(body_of(pair.a), body_of(pair.b));
        const std::size_t b = std::max(body_of(pair.a), body_of(pair.b));
        m_by_pair[a * model.bodies.size() + b] += 1.0;
        m_last_by_pair[a * model.bodies.size() + b] += 1.0;
    }
    m_contacts += contacts;
    m_contacts_max = std::max(m_contacts_max, contacts);
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        m_stretch[b] = std::max(m_stretch[b], compute_max_stretch(world, b));
    }
    for (std::size_t t = 0; t < model.tools.size(); ++t) {
        const double force = norm(world.frame().tool_force[t]);
        m_peak_force[t] = std::max(m_peak_force[t], force);
        if (world.state().tools[t].present == 0) continue;
        m_force_sum[t] += force;
        ++m_force_steps[t];
    }
    if (findings == nullptr) return;
    m_penetration.push_back(findings->worst);
    m_touching.push_back(findings->touching);
    m_pass_throughs += findings->pass_throughs;
    m_looks += findings->looks;
    if (findings->intersections > 0) ++m_intersection_frames;
    if (findings->intersections > m_intersections_max) m_intersecting = findings->intersection_bodies;
    m_intersections_max = std::max(m_intersections_max, findings->intersections);
}

void Summary::add(const Recall& recall) {
    if (!m_recall) m_recall.emplace();
    m_recall->tubes.add(recall.tubes);
    m_recall->edges.add(recall.edges);
}

// Shares of what brute force found; null where it found nothing.
Json Summary::recall_json() const {
    if (!m_recall) return nullptr;
    const auto share = [](std::int64_t part, std::int64_t whole) {
        return whole > 0 ? Json(static_cast<double>(part) / static_cast<double>(whole)) : Json(nullptr);
    };
    const auto& [tubes, edges] = *m_recall;
    return {{"regions", share(tubes.held, tubes.regions)},
            {"pairs", share(tubes.delivered, tubes.pairs)},
            {"mesentery_regions", share(edges.held, edges.regions)},
            {"mesentery_pairs", share(edges.delivered, edges.pairs)}};
}

Json Summary::contacts_json(const World& world) const {
    const Model& model = world.model();
    const double steps = std::max<double>(1.0, static_cast<double>(m_seconds.size()));
    Json by_pair = Json::object(), at_end = Json::object();
    for (std::size_t a = 0; a < model.bodies.size(); ++a) {
        for (std::size_t b = a; b < model.bodies.size(); ++b) {
            const std::size_t k = a * model.bodies.size() + b;
            const std::string name = model.bodies[a].name + "-" + model.bodies[b].name;
            if (m_by_pair[k] > 0.0) by_pair[name] = m_by_pair[k] / steps;
            if (m_last_by_pair[k] > 0.0) at_end[name] = m_last_by_pair[k];
        }
    }
    Json j{{"mean", m_contacts / steps},
           {"max", m_contacts_max},
           {"settled", nullptr},
           {"by_pair", by_pair},
           {"at_end", at_end}};
    if (m_audited) j["settled"] = mean(settled(m_touching, model.dt));
    return j;
}

Json Summary::intersections_json(const World& world) const {
    Json j{{"max", m_intersections_max}, {"frames", m_intersection_frames}, {"looks", m_looks}, {"bodies", nullptr}};
    if (m_intersections_max == 0) return j;
    const auto name = [&](std::int32_t body) { return world.model().bodies[static_cast<std::size_t>(body)].name; };
    j["bodies"] = {name(m_intersecting.a), name(m_intersecting.b)};
    return j;
}

Json Summary::audit_json(const World& world) const {
    const Model& model = world.model();
    Json j{{"penetration", {{"worst", nullptr}, {"settled", nullptr}, {"frame_p99", nullptr}}},
           {"pass_throughs", nullptr},
           {"intersections", nullptr},
           {"audit", "off"},
           {"exempt_share", audit::compute_exempt_share(model.surface)}};
    if (!m_audited) return j;
    j["penetration"] = {{"worst", worst()},
                        {"settled", largest(settled(m_penetration, model.dt))},
                        {"frame_p99", percentile(m_penetration, 0.99)}};
    j["pass_throughs"] = m_pass_throughs;
    j["intersections"] = intersections_json(world);
    j["audit"] = fails_audit() ? "failed" : "passed";
    return j;
}

Json Summary::to_json(const World& world) const {
    const Model& model = world.model();
    const double steps = std::max<double>(1.0, static_cast<double>(m_seconds.size()));
    std::int64_t free = 0;
    for (const double w : model.inverse_mass) free += w > 0.0 ? 1 : 0;
    const double simulated = static_cast<double>(m_seconds.size()) * model.dt;
    const double total = sum(m_seconds);
    Json j{{"steps", m_seconds.size()},
           {"substeps", model.substeps},
           {"substeps_max", m_substeps_max},
           {"dt", model.dt},
           {"simulated_s", simulated},
           {"wall_s", 0.0},
           {"realtime", total > 0.0 ? simulated / total : 0.0},
           {"nodes", model.nodes()},
           {"free_nodes", free},
           {"primitives", primitive_count(model.surface)},
           {"memory_mb", memory_mb()},
           {"threads_used", world.threads()},
           {"isa", isa_name(world.isa())},
           {"step_ms", milliseconds(m_seconds, true)}};
    for (std::size_t s = 0; s < stage_count; ++s) {
        std::vector<double> seconds;
        seconds.reserve(m_stages.size());
        for (const auto& stage : m_stages) seconds.push_back(stage[s]);
        j["stage_ms"][stage_names[s]] = milliseconds(seconds, false);
    }
    j["detector"] = detector_name(model.detector);
    j["distance_tests"] = {{"mean", m_tests / steps}};
    j["tests_in_step"] = {
        {"p50", percentile(m_work, 0.5)}, {"p99", percentile(m_work, 0.99)}, {"max", largest(m_work)}};
    j["rebuilds"] = m_rebuilds;
    j["sweeps"] = m_substeps > 0 ? static_cast<double>(m_sweeps) / static_cast<double>(m_substeps) : 0.0;
    if (!model.of<Solids>().empty()) {
        j["retries"] = m_retries;
        j["at_rest"] = m_at_rest;
    }
    j["recall"] = recall_json();
    j["contacts"] = contacts_json(world);
    j.update(audit_json(world));
    j["certify"] = {{"nodes_held", m_held},
                    {"share", static_cast<double>(m_held) /
                                  std::max(1.0, static_cast<double>(free) * static_cast<double>(m_substeps))}};
    j["bodies"] = bodies_json(world, m_stretch);
    j["momentum"] = momentum_json(world);
    j["tools"] = Json::array();
    for (std::size_t t = 0; t < model.tools.size(); ++t) {
        const double mean = m_force_steps[t] > 0 ? m_force_sum[t] / static_cast<double>(m_force_steps[t]) : 0.0;
        j["tools"].push_back({{"name", model.tools[t].name}, {"peak_force", m_peak_force[t]}, {"mean_force", mean}});
    }
    j["flags"] = Json::array();
    for (const auto& [flag, count] : m_flags) j["flags"].push_back(fmt::format("{} in {} steps", flag, count));
    j["hash"] = to_hex(m_hash);
    return j;
}

namespace {

std::string intersections_text(const Json& found) {
    const auto looks = found["looks"].get<std::int64_t>();
    if (found["max"] == 0) return fmt::format("no two triangles of the solids intersect, looked at {} times", looks);
    const auto a = found["bodies"][0].get<std::string>(), b = found["bodies"][1].get<std::string>();
    return fmt::format("up to {} pairs of triangles intersect, in {} frames: {}", found["max"].get<int>(),
                       found["frames"].get<int>(), a == b ? a + " with itself" : a + " and " + b);
}

bool is_tool(const Json& j, const Json& name) {
    return std::any_of(j["tools"].begin(), j["tools"].end(), [&](const Json& tool) { return tool["name"] == name; });
}

// Of a rigid body that stands: what it carries at the end. A tool has a line of its own.
std::string rigid_text(const Json& force) {
    const auto of = [&](std::size_t i) { return force[i].get<double>(); };
    return fmt::format("rigid, pressed on with {:.2f} N at the end", std::hypot(of(0), of(1), of(2)));
}

}  // namespace

std::string to_text(const Json& j) {
    std::string t;
    const auto line = [&](const std::string& name, const std::string& value) {
        t += fmt::format("{:<14} {}\n", name, value);
    };
    line("scene", fmt::format("{} (seed {})", j["scene"].get<std::string>(), j["seed"].get<std::uint64_t>()));
    line(
        "simulated",
        fmt::format("{:.2f} s in {} steps of {} substeps{}, {:.1f} times real time", j["simulated_s"].get<double>(),
                    j["steps"].get<int>(), j["substeps"].get<int>(),
                    j["substeps_max"] > j["substeps"] ? fmt::format(" (at most {})", j["substeps_max"].get<int>()) : "",
                    j["realtime"].get<double>()));
    line("model", fmt::format("{} nodes ({} free), {} primitives", j["nodes"].get<int>(), j["free_nodes"].get<int>(),
                              j["primitives"].get<int>()));
    line("step", fmt::format("{:.2f} ms median, {:.2f} ms p99", j["step_ms"]["p50"].get<double>(),
                             j["step_ms"]["p99"].get<double>()));
    std::string pairs;
    for (const auto& [pair, count] : j["contacts"]["by_pair"].items())
        pairs += fmt::format("  {} {:.1f}", pair, count.get<double>());
    line("contacts", fmt::format("{:.1f} on average{}", j["contacts"]["mean"].get<double>(), pairs));
    if (j["audit"] != "off") {
        line("audit",
             fmt::format("{}: deepest penetration {:.3f} of a radius ({:.3f} in the last 2 s), {} pass-throughs",
                         j["audit"].get<std::string>(), j["penetration"]["worst"].get<double>(),
                         j["penetration"]["settled"].get<double>(), j["pass_throughs"].get<int>()));
    }
    if (j["audit"] != "off" && j["intersections"]["looks"] > 0) line("solids", intersections_text(j["intersections"]));
    if (!j["recall"].is_null()) {
        const auto percent = [&](const char* field) {
            const Json& share = j["recall"][field];
            return share.is_null() ? std::string("none") : fmt::format("{:.1f} %", 100 * share.get<double>());
        };
        line("recall",
             fmt::format("{} of the colliding regions, {} of the pairs (mesentery {}, {})", percent("regions"),
                         percent("pairs"), percent("mesentery_regions"), percent("mesentery_pairs")));
    }
    for (const auto& body : j["bodies"]) {
        if (body.contains("cells")) {
            for (const std::string& text : organ_lines(body)) line(body["name"].get<std::string>(), text);
            continue;
        }
        if (body["tissue"] == "heat") {
            line(body["name"].get<std::string>(), membrane_text(body));
            continue;
        }
        if (body["tissue"] == "rigid") {
            if (!is_tool(j, body["name"])) line(body["name"].get<std::string>(), rigid_text(body["force"]));
            continue;
        }
        line(body["name"].get<std::string>(),
             fmt::format("{:.2f} mm/s rms, {:.2f} % stretched (peak {:.2f} %), {:.3g} J elastic",
                         1e3 * body["rms_speed"].get<double>(), 100 * body["max_stretch"].get<double>(),
                         100 * body["peak_stretch"].get<double>(), body["elastic"].get<double>()));
    }
    for (const auto& tool : j["tools"]) {
        line(tool["name"].get<std::string>(),
             tool["peak_force"] == 0.0
                 ? "felt nothing"
                 : fmt::format("felt {:.2f} N at most, {:.2f} N on average", tool["peak_force"].get<double>(),
                               tool["mean_force"].get<double>()));
    }
    for (const auto& flag : j["flags"]) line("flag", flag.get<std::string>());
    line("hash", j["hash"].get<std::string>());
    return t;
}

}  // namespace plica::app
