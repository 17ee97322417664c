#include "render/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "core/index.hpp"

namespace plica::render {
namespace {

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

using Columns = std::map<std::int32_t, std::vector<std::size_t>>;  // places of a sheet's nodes in its list, by column

// Where each column's line from the organ meets the root: its last node where the column is whole, or at an end, and in
// between on the way from one of these to the next. A graded sheet has a root node in some columns only.
std::map<std::int32_t, Vec3> find_roots(const Shapes& model, const Sheet& sheet, const Columns& columns) {
    std::size_t whole = 0;
    for (const auto& [column, places] : columns) whole = std::max(whole, places.size());
    std::map<std::int32_t, Vec3> known;
    for (const auto& [column, places] : columns) {
        const bool end = column == columns.begin()->first || column == columns.rbegin()->first;
        if (places.size() == whole || end) known[column] = model.rest[at(sheet.nodes[places.back()])];
    }
    std::map<std::int32_t, Vec3> roots;
    for (const auto& [column, places] : columns) {
        const auto after = known.lower_bound(column);
        if (after->first == column) {
            roots[column] = after->second;
            continue;
        }
        const auto before = std::prev(after);
        const double part = static_cast<double>(column - before->first) / (after->first - before->first);
        roots[column] = before->second + (after->second - before->second) * part;
    }
    return roots;
}

// Places on a sheet: columns count along the organ that it hangs on, and in each column nodes from the root to it.
void find_places(const Shapes& model, Sheet& sheet) {
    Columns columns;
    for (std::size_t i = 0; i < sheet.nodes.size(); ++i) columns[model.column[at(sheet.nodes[i])]].push_back(i);
    sheet.place.resize(sheet.nodes.size());
    // The organ's own node comes first in the world; the others follow from it towards the root.
    for (auto& [column, places] : columns) {
        std::sort(places.begin(), places.end(),
                  [&](std::size_t p, std::size_t q) { return sheet.nodes[p] < sheet.nodes[q]; });
    }
    const std::map<std::int32_t, Vec3> roots = find_roots(model, sheet, columns);
    double along = 0.0;
    const Vec3* organ_before = nullptr;
    const Vec3* root_before = nullptr;
    for (auto& [column, places] : columns) {
        const Vec3& organ = model.rest[at(sheet.nodes[places.front()])];
        if (organ_before != nullptr) along += distance(*organ_before, organ);
        organ_before = &organ;
        const Vec3& root = roots.at(column);
        if (root_before != nullptr) sheet.root_length += distance(*root_before, root);
        root_before = &root;
        for (const std::size_t p : places) {
            const double from_root = distance(root, model.rest[at(sheet.nodes[p])]);
            sheet.place[p] = {static_cast<float>(along), static_cast<float>(from_root)};
            sheet.width = std::max(sheet.width, from_root);
        }
    }
}

// Triangles of one body, and the nodes that they are over.
struct Faces {
    std::vector<std::int32_t> nodes;
    std::vector<std::array<std::int32_t, 3>> triangles;
    double half_thickness = 0.0;
    std::map<std::int32_t, std::int32_t> place;  // of a node of the world in `nodes`
};

std::map<std::int32_t, Faces> find_faces(const Surface& surface) {
    std::map<std::int32_t, Faces> by_body;
    for (const Triangle& triangle : surface.triangles) {
        Faces& faces = by_body[triangle.body];
        std::array<std::int32_t, 3> corners{triangle.a, triangle.b, triangle.c};
        for (std::int32_t& corner : corners) {
            const auto [found, fresh] = faces.place.try_emplace(corner, static_cast<std::int32_t>(faces.nodes.size()));
            if (fresh) faces.nodes.push_back(corner);
            corner = found->second;
        }
        faces.triangles.push_back(corners);
        faces.half_thickness = triangle.half_thickness;
    }
    return by_body;
}

void add_sheet(const Shapes& model, Faces faces, Drawing& drawing) {
    Sheet sheet;
    sheet.nodes = std::move(faces.nodes);
    sheet.triangles = std::move(faces.triangles);
    sheet.half_thickness = faces.half_thickness;
    find_places(model, sheet);
    drawing.sheets.push_back(std::move(sheet));
}

void add_organ(const Shapes& model, std::int32_t index, Faces faces, Drawing& drawing) {
    const Body& body = model.bodies[at(index)];
    Organ organ{body.name, std::move(faces.nodes), std::move(faces.triangles), {}, Look::liver, -1};
    for (const std::int32_t node : organ.nodes) organ.rest.push_back(model.rest[at(node)]);
    organ.tool = body.tool;
    organ.open = body.open;
    drawing.organs.push_back(std::move(organ));
}

// What tissue is said to be, or may be; what is rigid is bone where it stands and steel where a tool moves it.
void give_looks(const Shapes& model, std::span<const std::int32_t> bodies, std::vector<Organ>& organs) {
    std::vector<std::optional<Look>> called;
    for (std::size_t i = 0; i < organs.size(); ++i) {
        const Body& body = model.bodies[at(bodies[i])];
        if (body.tissue == TissueKind::rigid) {
            called.emplace_back(organs[i].tool >= 0 ? Look::steel : Look::bone);
        } else {
            called.push_back(look_called(body.name, body.shape));
        }
    }
    const std::vector<Look> looks = choose_looks(called);
    for (std::size_t i = 0; i < organs.size(); ++i) organs[i].look = looks[i];
}

// Triangles are the surface of a body, or a sheet themselves.
void add_faces(const Shapes& model, const Surface& surface, Drawing& drawing) {
    std::vector<std::int32_t> bodies;  // of the organs
    for (auto& [index, faces] : find_faces(surface)) {
        const bool known = index >= 0 && at(index) < model.bodies.size();
        if (known && traits_of(model.bodies[at(index)].tissue).surface) {
            add_organ(model, index, std::move(faces), drawing);
            bodies.push_back(index);
        } else {
            add_sheet(model, std::move(faces), drawing);
        }
    }
    give_looks(model, bodies, drawing.organs);
}

}  // namespace

Drawing make_drawing(const Shapes& model) {
    Drawing drawing;
    const Surface surface = without_edges(model.surface);
    drawing.nodes = model.nodes();
    drawing.walls = model.walls;
    add_tubes(surface, drawing);
    add_faces(model, surface, drawing);
    for (const Tool& tool : model.tools) {
        drawing.tools.push_back({tool.name, tool.kind, tool.radius, tool.max_force, tool.node});
    }
    return drawing;
}

}  // namespace plica::render
