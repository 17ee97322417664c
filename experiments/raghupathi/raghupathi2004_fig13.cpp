#include <algorithm>

#include "experiments/common/album.hpp"
#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"

// Snapshots of the simulator: pulled on a plane, at rest, in the cavity, and where the mesentery is known by its edges.
namespace plica::experiments {
namespace {

constexpr double pulled_at = 7.0, rests_at = 12.0;  // s, of intestine-plane
constexpr double cavity_at = 5.5;                   // s, of intestine: before the probe comes
constexpr double quiet_in_views = 0.01;             // m/s, rms
constexpr double deepest_in_views = 0.12;           // in radii, of the acceptance of whole scenes

// A way to tell gut and mesentery apart.
struct Way {
    const char* name;  // in the table
    const char* file;  // of its pictures
    const char* contact;
    std::vector<std::string> solver;
};

std::vector<Way> make_ways(bool quick) {
    // Few steps, none refined, none certified: what a frame of 33 ms had time for.
    const std::vector<std::string> papers{"solver.response=raghupathi", "solver.substeps=5", "solver.adapt=false",
                                          "solver.certify=false"};
    if (quick) return {{"triangles, ours", "triangles", "triangles", {}}, {"edges, ours", "edges", "edges", {}}};
    return {{"triangles, ours", "", "triangles", {}},
            {"edges, ours", "", "edges", {}},
            {"edges, ours, pairs by chance", "", "edges", {"solver.detector=tracked"}},
            {"triangles, the paper's response, 5 steps a frame", "triangles", "triangles", papers},
            {"edges, the paper's response, 5 steps a frame", "edges", "edges", papers}};
}

SceneSource pulled_scene(const Way& way) {
    std::vector<std::string> overrides{std::string("gut.mesentery_contact=") + way.contact};
    overrides.insert(overrides.end(), way.solver.begin(), way.solver.end());
    return plane_scene(std::move(overrides));
}

struct Tried {
    Way way;
    StageFindings found;
};

Table compare_views(const std::vector<Tried>& tried) {
    Table table{"gut against mesentery, pulled on a plane",
                {"mesentery by", "worst depth / r", "pass-throughs", "of them gut-gut", "pierced pairs x frames",
                 "most in a frame", "at the end"},
                {}};
    for (const auto& [way, f] : tried) {
        table.rows.push_back({way.name, number(f.worst, 3), count(f.pass_throughs), count(f.gut_pass_throughs),
                              count(f.pierced_frames), count(f.most_pierced), count(f.pierced_now)});
    }
    return table;
}

std::string short_text(const Tried& tried) {
    return fmt::format("{}: {} pass-throughs, {} pairs pierced at the end, {:.2f} r deep", tried.way.name,
                       tried.found.pass_throughs, tried.found.pierced_now, tried.found.worst);
}

std::vector<Tried> try_ways(const ExperimentOptions& options, double seconds, Album& album) {
    std::vector<Tried> tried;
    const std::vector<Way> ways = make_ways(options.quick);
    for (const Way& way : ways) {
        Stage stage(pulled_scene(way));
        stage.run_to(seconds);
        tried.push_back({way, stage.found()});
        if (*way.file != '\0') {
            album.take(stage, way.file);
            album.take_pierced(stage, std::string(way.file) + "-pierced");
        }
        options.progress(0.4 + 0.6 * static_cast<double>(tried.size()) / static_cast<double>(ways.size()));
    }
    return tried;
}

std::vector<Claim> edge_claims(const std::vector<Tried>& tried) {
    const Tried& triangles = tried[tried.size() - 2];
    const Tried& edges = tried.back();
    int gut = 0;
    for (const Tried& t : tried) gut += t.found.gut_pass_throughs;
    return {{"2004, sec. 7: gut and mesentery go through each other because only segments are tested against segments",
             "fig. 13d", short_text(edges) + "; " + short_text(triangles),
             edges.found.pierced_frames > 0 && triangles.found.pierced_frames == 0,
             fmt::format("in short steps and with our response edges keep them apart too, but deeper in each other: "
                         "{:.2f} r against {:.2f} r",
                         tried[1].found.worst, tried[0].found.worst)},
            {"2004, sec. 7: no collision of gut with gut is missed", "none",
             fmt::format("{} pass-throughs of gut through gut in {} runs", gut, tried.size()), gut == 0, ""}};
}

}  // namespace

Result run_raghupathi2004_fig13(const ExperimentOptions& options) {
    Result result;
    Album album(options, result);
    const double share = options.quick ? 0.02 : 1.0;
    {
        Stage plane(plane_scene({}));
        plane.run_to(share * pulled_at);
        album.take(plane, "pulled");
        options.progress(0.1);
        plane.run_to(share * rests_at);
        album.take(plane, "rest");
    }
    options.progress(0.2);
    {
        Stage cavity(find_scene("intestine"));
        cavity.run_to(share * cavity_at);
        album.take(cavity, "cavity", {.azimuth = -1.25, .elevation = 0.95, .share = 1.0});
    }
    options.progress(0.4);
    const Shot rest = album.shots()[1];
    const Shot cavity = album.shots()[2];
    const std::vector<Tried> tried = try_ways(options, share * rests_at, album);
    const StageFindings& ours = tried.front().found;

    result.tables = {album.table(), compare_views(tried)};
    result.claims = {{"2004, fig. 13b: a stable rest position, with some undesired vibrations", "by eye",
                      fmt::format("{:.2f} cm/s rms after {:.1f} s", 100.0 * rest.found.speed, rest.time),
                      rest.found.speed < quiet_in_views, ""}};
    for (Claim& claim : edge_claims(tried)) result.claims.push_back(std::move(claim));
    const double worst = std::max({rest.found.worst, cavity.found.worst, ours.worst});
    const int through = rest.found.pass_throughs + cavity.found.pass_throughs + ours.pass_throughs;
    const int pierced = rest.found.pierced_frames + cavity.found.pierced_frames + ours.pierced_frames;
    result.claims.push_back({"with triangles and our response nothing goes through anything else", "",
                             fmt::format("{} pass-throughs, {} pierced, {:.3f} r deep at the worst, on the plane and "
                                         "in the cavity",
                                         through, pierced, worst),
                             through == 0 && pierced == 0 && worst <= deepest_in_views, "", true});
    if (options.quick) result.notes.emplace_back("Too short for the probe to come.");
    return result;
}

}  // namespace plica::experiments
