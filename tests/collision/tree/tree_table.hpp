#pragma once
#include "tests/collision/tree/tree_scenes.hpp"

// The two scenes of the paper's table 1, moved by formulas instead of forces: a ball that is pressed into a slab, and a
// diaphragm that is pressed onto a liver.
namespace plica::testing {

inline double ramp(double r) {
    return r * r * r * (10.0 - 15.0 * r + 6.0 * r * r);
}

struct TableScene {
    TreeScene scene;
    bool liver = false;

    // m: how deep the top of the slab is.
    static double indent(const Vec3& p, double w) {
        return 0.009 * w * std::exp(-0.7 * (p.x * p.x + p.y * p.y) / (0.05 * 0.05));
    }
    // r from 0 to 1.
    void place(double r, std::vector<Vec3>& x) const {
        x = scene.rest;
        const double w = ramp(r);
        for (std::size_t n = 0; n < x.size(); ++n) {
            Vec3& p = x[n];
            const bool first = scene.body_of[n] == 0;
            if (liver) {
                const Vec3 d = normalized(p);
                const double cap = std::exp(-(d.x * d.x + d.y * d.y) / 0.3) * std::max(0.0, d.z);
                p.z -= (first ? 0.015 : 0.0158) * w * cap;
            } else if (first) {
                const double s = (p.z - 0.0005) / 0.1;  // 0 at the bottom, 1 at the top
                const double bulge = 1.0 + 0.5 * w * s * (1.0 - s);
                p = {p.x * bulge, p.y * bulge, p.z - 0.03 * w * (0.4 + 0.6 * s)};
                p.z = std::max(p.z, 0.0002 - indent(p, w));  // flat where it rests on the slab
            } else {
                p.z -= indent(p, w) * (1.0 + p.z / 0.05);
            }
        }
    }
};

inline TableScene make_ball_and_slab() {
    TableScene table;
    table.scene.add(boundary_of(make_ball(0.05, 0.0115)), {true, false}, 5e-5, true, {0, 0, 0.0505});
    table.scene.add(boundary_of(make_slab()), {true, false}, 5e-5, true);
    table.scene.finish();
    return table;
}

inline TableScene make_liver_and_diaphragm() {
    TableScene table;
    table.scene.add(make_liver_surface(3), {true, false}, 5e-5, true);
    table.scene.add(boundary_of(make_diaphragm(15, false)), {true, false}, 5e-5, true);
    table.scene.finish();
    table.liver = true;
    return table;
}

struct TableRow {
    int volumes = 0, patches = 0, depth = 0;
    double updates = 0.0, visits = 0.0;  // per step
    double candidates = 0.0;             // per corner, on average
    double facet_pairs = 0.0;
    int missing = 0;  // near pairs between the bodies that were not listed, at some of the steps
};

inline TableRow run_table(const TableScene& table, const TreeSettings& settings, int steps, int checks) {
    SurfaceTree tree(table.scene.surface, table.scene.bodies, table.scene.rest, settings);
    std::vector<Vec3> x, p;
    TableRow row;
    const TreeCounts& counts = tree.counts();
    std::int64_t updates = 0, visits = 0;
    table.place(0.0, p);
    for (int i = 0; i < steps; ++i) {
        x.swap(p);
        table.place((i + 1.0) / steps, p);
        tree.update(x, p, {}, {});
        if (i == 0) {  // the first one refits all
            updates = counts.updates;
            visits = counts.visits;
        }
        row.candidates += tree.candidates_per_corner() / steps;
        row.facet_pairs += static_cast<double>(counts.facet_pairs) / steps;
        if (checks == 0 || i % (steps / checks) != 0) continue;
        const Surface& s = table.scene.surface;
        PairList wanted = find_all_pairs(s, x, p, settings.layer, 3);
        const auto body = [&](std::int32_t n) { return table.scene.body_of[static_cast<std::size_t>(n)]; };
        std::erase_if(wanted, [&](const auto& pair) {
            const auto capsules = static_cast<std::int32_t>(s.capsules.size());
            const std::int32_t other = pair[1] < capsules ? s.capsules[static_cast<std::size_t>(pair[1])].a
                                                          : s.triangles[static_cast<std::size_t>(pair[1] - capsules)].a;
            return body(s.capsules[static_cast<std::size_t>(pair[0])].a) == body(other);
        });
        row.missing += count_missing(wanted, tree.pairs());
    }
    row.volumes = counts.volumes;
    row.patches = counts.patches;
    row.depth = tree.depth();
    row.updates = static_cast<double>(counts.updates - updates) / (steps - 1);
    row.visits = static_cast<double>(counts.visits - visits) / (steps - 1);
    return row;
}

}  // namespace plica::testing
