#include "audit/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "apps/plica/commands.hpp"
#include "apps/plica/print.hpp"
#include "apps/plica/progress.hpp"
#include "apps/plica/trajectory.hpp"
#include "audit/verdict.hpp"
#include "core/clock.hpp"
#include "core/statistics.hpp"

namespace plica::app {
namespace {

constexpr std::size_t most_listed = 8;  // pass-throughs, and intersections

struct Finding {
    std::size_t frame = 0;
    std::array<std::int32_t, 2> pair{-1, -1};  // primitives
};

struct Findings {
    std::vector<double> penetration, touching;  // per frame
    double deepest = 0.0;
    Finding worst;  // where the deepest is
    std::int64_t pass_throughs = 0;
    std::vector<Finding> first;  // pass-throughs
    int intersections = 0;       // the most in one frame
    std::size_t intersection_frames = 0;
    std::vector<Finding> first_intersections;
    bool solids = false;

    void add(std::size_t frame, const audit::Audit& audit, const audit::StepFindings& found) {
        if (found.worst > deepest) {
            deepest = found.worst;
            worst = {frame, {found.worst_a, found.worst_b}};
        }
        penetration.push_back(found.worst);
        touching.push_back(found.touching);
        pass_throughs += found.pass_throughs;
        solids = solids || found.looks > 0;
        intersections = std::max(intersections, found.intersections);
        intersection_frames += found.intersections > 0 ? 1U : 0U;
        list(frame, audit.crossings(), first);
        list(frame, audit.intersections(), first_intersections);
    }
    [[nodiscard]] bool fail() const {
        return pass_throughs > 0 || intersections > 0 || deepest > audit::deepest_allowed;
    }

private:
    static void list(std::size_t frame, std::span<const std::array<std::int32_t, 2>> found,
                     std::vector<Finding>& listed) {
        if (listed.size() >= most_listed) return;
        std::vector<std::array<std::int32_t, 2>> pairs(found.begin(), found.end());
        std::sort(pairs.begin(), pairs.end());
        for (std::size_t i = 0; i < pairs.size() && listed.size() < most_listed; ++i)
            listed.push_back({frame, pairs[i]});
    }
};

audit::Audit make_audit(const Trajectory& trajectory, std::span<const Vec3> rest, const std::string& folder) {
    const std::string file = folder + "/scene.json";
    try {
        audit::Audit audit(trajectory.scene().surface, rest, static_cast<int>(trajectory.scene().bodies.size()));
        if (audit.has_pairs()) return audit;
    } catch (const Error& error) {
        throw Error(file + ": " + error.what());
    }
    throw Error(file +
                ": no two parts to examine; expected a closed surface, or some that are not neighbours along a chain "
                "(are the radii in "
                "metres?)");
}

// Each frame as a step of one substep from the one before; the first frame from itself.
Findings examine(Trajectory& trajectory, const std::string& folder) {
    const std::size_t nodes = trajectory.nodes();
    std::vector<Vec3> trail(2 * nodes);
    const std::span<Vec3> before = std::span(trail).first(nodes), now = std::span(trail).last(nodes);
    trajectory.read_frame(now);
    const std::span<const Vec3> built = trajectory.rest().empty() ? now : std::span(trajectory.rest());
    audit::Audit audit = make_audit(trajectory, built, folder);
    Findings findings;
    Progress progress("audit", static_cast<std::int64_t>(trajectory.frames()));
    for (std::size_t frame = 0; frame < trajectory.frames(); ++frame) {
        std::copy(now.begin(), now.end(), before.begin());
        if (frame > 0) trajectory.read_frame(now);
        findings.add(frame, audit, audit.examine(trail, 1));
        progress.update(static_cast<std::int64_t>(frame) + 1);
    }
    return findings;
}

// As in a run, whose first step ends at frame 1: without the start, unless there is nothing else.
std::vector<double> after_start(const std::vector<double>& values) {
    return {values.size() > 1 ? values.begin() + 1 : values.begin(), values.end()};
}

// Of the last two seconds; to the nearest frame, and at least one.
std::vector<double> settled(const std::vector<double>& values, const std::vector<double>& times) {
    const std::size_t last = values.size() - 1;
    if (last == 0) return values;
    const double interval = (times.back() - times.front()) / static_cast<double>(last);
    std::size_t start = last;
    while (start > 1 && times[start - 1] > times.back() - audit::settled_seconds + 0.5 * interval) --start;
    return {values.begin() + static_cast<std::ptrdiff_t>(start), values.end()};
}

double half_sum(const Surface& surface, const std::array<std::int32_t, 2>& pair) {
    double sum = 0.0;
    for (const std::int32_t primitive : pair) {
        const auto p = static_cast<std::size_t>(primitive);
        const std::size_t capsules = surface.capsules.size();
        sum += p < capsules ? surface.capsules[p].radius : surface.triangles[p - capsules].half_thickness;
    }
    return 0.5 * sum;
}

Json finding_json(const Finding& finding, const Trajectory& trajectory) {
    Json j{{"frame", finding.frame}, {"time", trajectory.times()[finding.frame]}};
    for (std::size_t k = 0; k < 2; ++k) {
        const PrimitiveName& name = trajectory.scene().names[static_cast<std::size_t>(finding.pair[k])];
        j[k == 0 ? "a" : "b"] = {
            {"body", trajectory.scene().bodies[name.body]}, {"kind", name.kind}, {"index", name.number}};
    }
    return j;
}

Json surface_json(const SurfaceFile& scene) {
    std::int64_t spheres = 0;
    for (const Capsule& c : scene.surface.capsules) spheres += c.a == c.b ? 1 : 0;
    return {{"bodies", scene.bodies.size()},
            {"segments", static_cast<std::int64_t>(scene.surface.capsules.size()) - spheres},
            {"spheres", spheres},
            {"triangles", scene.surface.triangles.size()}};
}

Json interval_json(const std::vector<double>& times) {
    if (times.size() < 2) return nullptr;
    double longest = 0.0;
    for (std::size_t i = 1; i < times.size(); ++i) longest = std::max(longest, times[i] - times[i - 1]);
    return {{"mean", (times.back() - times.front()) / static_cast<double>(times.size() - 1)}, {"max", longest}};
}

Json to_json(const Findings& findings, const Trajectory& trajectory, const std::string& folder) {
    const std::vector<double>& times = trajectory.times();
    Json j{{"trajectory", folder},     {"frames", trajectory.frames()}, {"nodes", trajectory.nodes()},
           {"start_s", times.front()}, {"end_s", times.back()},         {"interval_s", interval_json(times)}};
    j.update(surface_json(trajectory.scene()));
    j["contacts"] = {{"settled", mean(settled(findings.touching, times))}};
    j["penetration"] = {{"worst", findings.deepest},
                        {"settled", largest(settled(findings.penetration, times))},
                        {"frame_p99", percentile(after_start(findings.penetration), 0.99)},
                        {"start", findings.penetration.front()}};
    j["worst"] = nullptr;
    if (findings.deepest > 0.0) {
        j["worst"] = finding_json(findings.worst, trajectory);
        j["worst"]["depth"] = findings.deepest * half_sum(trajectory.scene().surface, findings.worst.pair);
    }
    j["pass_throughs"] = findings.pass_throughs;
    j["first_pass_throughs"] = Json::array();
    for (const Finding& f : findings.first) j["first_pass_throughs"].push_back(finding_json(f, trajectory));
    j["intersections"] = {{"max", findings.intersections},
                          {"frames", findings.intersection_frames},
                          {"looks", findings.solids ? trajectory.frames() : 0},
                          {"first", Json::array()}};
    for (const Finding& f : findings.first_intersections)
        j["intersections"]["first"].push_back(finding_json(f, trajectory));
    j["audit"] = findings.fail() ? "failed" : "passed";
    j["exempt_share"] = audit::compute_exempt_share(trajectory.scene().surface);
    return j;
}

std::string place_text(const Json& finding) {
    const auto part = [](const Json& p) {
        return fmt::format("{} {} {}", p["body"].get<std::string>(), p["kind"].get<std::string>(),
                           p["index"].get<std::size_t>());
    };
    return fmt::format("frame {} at {:.3f} s: {} and {}", finding["frame"].get<std::size_t>(),
                       finding["time"].get<double>(), part(finding["a"]), part(finding["b"]));
}

void print_text(const Json& j) {
    const auto line = [](const char* name, const std::string& value) { fmt::print("{:<14} {}\n", name, value); };
    const auto count = [&](const char* key) { return j[key].get<std::size_t>(); };
    line("trajectory",
         fmt::format("{}: {} frames of {} nodes, {:.2f} to {:.2f} s", j["trajectory"].get<std::string>(),
                     count("frames"), count("nodes"), j["start_s"].get<double>(), j["end_s"].get<double>()));
    const std::string bodies = count("bodies") == 1 ? "one body" : fmt::format("{} bodies", count("bodies"));
    line("surface",
         fmt::format("{} segments, {} spheres, {} triangles in {}; {:.1f} % of the segments exempt", count("segments"),
                     count("spheres"), count("triangles"), bodies, 100.0 * j["exempt_share"].get<double>()));
    line("looked", j["interval_s"].is_null() ? "at one frame: nothing moves"
                                             : fmt::format("every {:.4g} ms, and along straight lines in between",
                                                           1e3 * j["interval_s"]["mean"].get<double>()));
    line("contacts", fmt::format("{:.1f} in the last 2 s", j["contacts"]["settled"].get<double>()));
    const Json& depth = j["penetration"];
    line("penetration",
         fmt::format("{:.3f} of a radius at worst, {:.3f} in the last 2 s, 99 % of the frames within {:.3f}",
                     depth["worst"].get<double>(), depth["settled"].get<double>(), depth["frame_p99"].get<double>()));
    if (!j["worst"].is_null())
        line("deepest", fmt::format("{}, {:.3g} mm", place_text(j["worst"]), 1e3 * j["worst"]["depth"].get<double>()));
    line("pass-throughs", fmt::format("{}", j["pass_throughs"].get<std::int64_t>()));
    for (const Json& f : j["first_pass_throughs"]) line("", place_text(f));
    const std::size_t listed = j["first_pass_throughs"].size();
    if (count("pass_throughs") > listed) line("", fmt::format("and {} more", count("pass_throughs") - listed));
    const Json& found = j["intersections"];
    if (found["looks"] > 0)
        line("solids", found["max"] == 0 ? fmt::format("no two triangles intersect, looked at {} frames",
                                                       found["looks"].get<std::size_t>())
                                         : fmt::format("up to {} pairs of triangles intersect, in {} frames",
                                                       found["max"].get<int>(), found["frames"].get<std::size_t>()));
    for (const Json& f : found["first"]) line("", place_text(f));
    line("audit", j["audit"].get<std::string>());
}

}  // namespace

Status audit_trajectory(const AuditOptions& options) {
    const double began = wall_seconds();
    Trajectory trajectory(options.folder);
    const Findings findings = examine(trajectory, options.folder);
    Json result = to_json(findings, trajectory, options.folder);
    result["wall_s"] = wall_seconds() - began;
    if (options.json) {
        print_json(result);
    } else {
        print_text(result);
    }
    if (!findings.fail()) return Status::ok;
    fmt::print(stderr, "{}\n",
               audit::describe_failure(findings.pass_throughs, findings.deepest, findings.intersections));
    return Status::failed;
}

}  // namespace plica::app
