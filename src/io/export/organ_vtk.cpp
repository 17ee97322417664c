#include "io/export/organ_vtk.hpp"

#include <fmt/format.h>

#include "core/atomic_file.hpp"
#include "engine/slice.hpp"
#include "io/export/vtk_numbers.hpp"
#include "tissue/tled/fields.hpp"

namespace plica {
namespace {

using vtk::put;

constexpr std::int32_t vtk_tetrahedron = 10, vtk_hexahedron = 12;

void put_cells(std::string& text, const tled::Organ& organ) {
    std::string types;
    std::string cells;
    std::size_t numbers = 0;
    for (std::size_t c = 0; c < organ.cells(); ++c) {
        const tled::CellNodes nodes = tled::nodes_of(organ, c);
        put(cells, static_cast<std::int32_t>(nodes.count));
        for (int k = 0; k < nodes.count; ++k) put(cells, nodes.node[k]);
        put(types, nodes.count == 4 ? vtk_tetrahedron : vtk_hexahedron);
        numbers += 1 + static_cast<std::size_t>(nodes.count);
    }
    text += fmt::format("CELLS {} {}\n", organ.cells(), numbers) + cells;
    text += fmt::format("\nCELL_TYPES {}\n", organ.cells()) + types + '\n';
}

template <class Value>
void put_scalars(std::string& text, const char* name, const char* type, std::size_t count, Value&& value) {
    text += fmt::format("SCALARS {} {} 1\nLOOKUP_TABLE default\n", name, type);
    for (std::size_t i = 0; i < count; ++i) put(text, value(i));
    text += '\n';
}

template <class Value>
void put_tensors(std::string& text, const char* name, std::size_t count, Value&& value) {
    text += fmt::format("TENSORS {} double\n", name);
    for (std::size_t i = 0; i < count; ++i) {
        const tled::Symmetric<double>& s = value(i);
        for (const double number : {s.xx, s.xy, s.xz, s.xy, s.yy, s.yz, s.xz, s.yz, s.zz}) put(text, number);
    }
    text += '\n';
}

template <class Value>
void put_vectors(std::string& text, const char* name, std::size_t count, Value&& value) {
    text += fmt::format("VECTORS {} double\n", name);
    for (std::size_t i = 0; i < count; ++i) put(text, value(i));
    text += '\n';
}

void put_cell_data(std::string& text, const tled::Organ& organ, const std::vector<tled::CellField>& fields) {
    const std::size_t count = fields.size();
    text += fmt::format("CELL_DATA {}\n", count);
    put_scalars(text, "region", "int", count, [&](std::size_t c) { return tled::block_of(organ, c).material; });
    put_scalars(text, "source", "int", count, [&](std::size_t c) { return organ.source[c]; });
    put_scalars(text, "von_mises", "double", count, [&](std::size_t c) { return fields[c].von_mises; });
    put_scalars(text, "volume_ratio", "double", count, [&](std::size_t c) { return fields[c].volume_ratio; });
    put_scalars(text, "energy", "double", count, [&](std::size_t c) { return fields[c].energy; });
    put_tensors(text, "stress", count, [&](std::size_t c) -> const auto& { return fields[c].stress; });
    put_tensors(text, "strain", count, [&](std::size_t c) -> const auto& { return fields[c].strain; });
}

}  // namespace

std::vector<Vec3> compute_reactions(const World& world, std::size_t index) {
    const tled::Organ& organ = world.model().of<Solids>()[index];
    const tled::Workspace& work = world.work<Solids>().organs[index];
    std::vector<Vec3> reactions(work.force.size());
    for (std::size_t n = 0; n < reactions.size() && n < organ.held.size(); ++n) {
        const Vec3 force = work.external.empty() ? work.force[n] : work.force[n] - work.external[n];
        if ((organ.held[n] & 1U) != 0) reactions[n].x = force.x;
        if ((organ.held[n] & 2U) != 0) reactions[n].y = force.y;
        if ((organ.held[n] & 4U) != 0) reactions[n].z = force.z;
    }
    return reactions;
}

void write_organ_vtk(const std::string& path, const World& world, std::size_t index) {
    const tled::Organ& organ = world.model().of<Solids>()[index];
    const auto rest = slice(organ, world.model().rest);
    const auto x = slice(organ, world.state().x), v = slice(organ, world.state().v);
    std::vector<tled::CellField> fields(organ.cells());
    tled::compute_cell_fields(organ, rest, x, &world.state().of<Solids>()[index].history, fields);
    std::vector<Vec3> reactions = compute_reactions(world, index);
    reactions.resize(x.size());

    std::string text = "# vtk DataFile Version 3.0\nPlica solid body\nBINARY\nDATASET UNSTRUCTURED_GRID\n";
    text += fmt::format("POINTS {} double\n", x.size());
    for (const Vec3& p : x) put(text, p);
    text += '\n';
    put_cells(text, organ);
    put_cell_data(text, organ, fields);
    text += fmt::format("POINT_DATA {}\n", x.size());
    put_vectors(text, "displacement", x.size(), [&](std::size_t n) { return x[n] - rest[n]; });
    put_vectors(text, "velocity", x.size(), [&](std::size_t n) { return v[n]; });
    put_vectors(text, "reaction", x.size(), [&](std::size_t n) { return reactions[n]; });
    AtomicFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace plica
