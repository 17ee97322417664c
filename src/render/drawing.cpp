#include "render/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace plica::render {
namespace {

std::size_t at(std::int32_t i) {
    return static_cast<std::size_t>(i);
}

// Capsules that follow each other along a chain of one body are one tube.
void add_tubes(const Surface& surface, Drawing& drawing) {
    std::int32_t last = -1, body = -1;
    for (const Capsule& capsule : surface.capsules) {
        if (capsule.a == capsule.b) continue;
        if (capsule.a != last || capsule.body != body) {
            drawing.tubes.emplace_back();
            drawing.tubes.back().nodes.push_back(capsule.a);
            drawing.tubes.back().radius.push_back(capsule.radius);
        }
        Tube& tube = drawing.tubes.back();
        // A node between two radii has the smaller one: what is drawn is never outside of what touches.
        tube.radius.back() = std::min(tube.radius.back(), capsule.radius);
        tube.nodes.push_back(capsule.b);
        tube.radius.push_back(capsule.radius);
        last = capsule.b;
        body = capsule.body;
    }
}

// Places on a sheet: columns count along the organ that it hangs on, and in each column nodes from the root to it.
void find_places(const Model& model, Sheet& sheet) {
    std::map<std::int32_t, std::vector<std::size_t>> columns;
    for (std::size_t i = 0; i < sheet.nodes.size(); ++i) columns[model.column[at(sheet.nodes[i])]].push_back(i);
    sheet.place.resize(sheet.nodes.size());
    double along = 0.0;
    const Vec3* organ_before = nullptr;
    const Vec3* root_before = nullptr;
    for (auto& [column, places] : columns) {
        // The organ's own node comes first in the world; the others follow from it towards the root.
        std::sort(places.begin(), places.end(),
                  [&](std::size_t p, std::size_t q) { return sheet.nodes[p] < sheet.nodes[q]; });
        const Vec3& organ = model.rest[at(sheet.nodes[places.front()])];
        if (organ_before != nullptr) along += distance(*organ_before, organ);
        organ_before = &organ;
        const Vec3& root = model.rest[at(sheet.nodes[places.back()])];
        if (root_before != nullptr) sheet.root_length += distance(*root_before, root);
        root_before = &root;
        for (const std::size_t p : places) {
            const double from_root = distance(root, model.rest[at(sheet.nodes[p])]);
            sheet.place[p] = {static_cast<float>(along), static_cast<float>(from_root)};
            sheet.width = std::max(sheet.width, from_root);
        }
    }
}

void add_sheets(const Model& model, const Surface& surface, Drawing& drawing) {
    std::map<std::int32_t, Sheet> by_body;
    std::map<std::int32_t, std::map<std::int32_t, std::int32_t>> places;
    for (const Triangle& triangle : surface.triangles) {
        Sheet& sheet = by_body[triangle.body];
        auto& place = places[triangle.body];
        std::array<std::int32_t, 3> corners{triangle.a, triangle.b, triangle.c};
        for (std::int32_t& corner : corners) {
            const auto [found, fresh] = place.try_emplace(corner, static_cast<std::int32_t>(sheet.nodes.size()));
            if (fresh) sheet.nodes.push_back(corner);
            corner = found->second;
        }
        sheet.triangles.push_back(corners);
        sheet.half_thickness = triangle.half_thickness;
    }
    for (auto& [body, sheet] : by_body) {
        find_places(model, sheet);
        drawing.sheets.push_back(std::move(sheet));
    }
}

}  // namespace

Drawing make_drawing(const Model& model) {
    Drawing drawing;
    const Surface surface = without_edges(model.surface);
    drawing.nodes = model.nodes();
    drawing.solids = model.solids;
    add_tubes(surface, drawing);
    add_sheets(model, surface, drawing);
    for (const Tool& tool : model.tools) {
        drawing.tools.push_back({tool.name, tool.kind, tool.radius, tool.max_force, tool.node});
    }
    return drawing;
}

}  // namespace plica::render
