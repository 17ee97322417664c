#include "geometry/mesh/write_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/atomic_file.hpp"

namespace plica {
namespace {

// Text that goes to the file a megabyte at a time.
class Pages {
public:
    explicit Pages(const std::string& path) : m_file(path) {}
    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(m_text), format, std::forward<Values>(values)...);
        if (m_text.size() > (1U << 20U)) flush();
    }
    void commit() {
        flush();
        m_file.commit();
    }

private:
    void flush() {
        m_file.write({m_text.data(), m_text.size()});
        m_text.clear();
    }
    AtomicFile m_file;
    fmt::memory_buffer m_text;
};

// A name between quotes.
std::string plain(std::string name) {
    std::replace_if(name.begin(), name.end(), [](char c) { return c == '"' || c == '\n' || c == '\r'; }, '_');
    return name;
}

std::int32_t region_of(const VolumeMesh& mesh, std::size_t cell) {
    return mesh.region.empty() ? 0 : mesh.region[cell];
}

void add_gmsh_names(const VolumeMesh& mesh, Pages& pages) {
    const std::size_t names = mesh.region_names.size() + mesh.node_sets.size();
    if (names == 0) return;
    pages.add("$PhysicalNames\n{}\n", names);
    for (std::size_t i = 0; i < mesh.node_sets.size(); ++i)
        pages.add("0 {} \"{}\"\n", i + 1, plain(mesh.node_sets[i].name));
    for (std::size_t i = 0; i < mesh.region_names.size(); ++i)
        pages.add("3 {} \"{}\"\n", i + 1, plain(mesh.region_names[i]));
    pages.add("$EndPhysicalNames\n");
}

void add_gmsh_elements(const VolumeMesh& mesh, Pages& pages) {
    std::size_t count = mesh.cells();
    for (const NodeSet& set : mesh.node_sets) count += set.nodes.size();
    pages.add("$Elements\n{}\n", count);
    std::size_t number = 0;
    for (std::size_t s = 0; s < mesh.node_sets.size(); ++s) {
        for (const std::int32_t node : mesh.node_sets[s].nodes)
            pages.add("{} 15 2 {} 1 {}\n", ++number, s + 1, node + 1);
    }
    const int named = mesh.region_names.empty() ? 0 : 1;
    std::size_t cell = 0;
    for (const auto& t : mesh.tetrahedra) {
        const std::int32_t region = region_of(mesh, cell++);
        pages.add("{} 4 2 {} {} {} {} {} {}\n", ++number, named * (region + 1), region + 1, t[0] + 1, t[1] + 1,
                  t[2] + 1, t[3] + 1);
    }
    for (const auto& h : mesh.hexahedra) {
        const std::int32_t region = region_of(mesh, cell++);
        pages.add("{} 5 2 {} {}", ++number, named * (region + 1), region + 1);
        for (const std::int32_t node : h) pages.add(" {}", node + 1);
        pages.add("\n");
    }
    pages.add("$EndElements\n");
}

}  // namespace

void write_vtk(const VolumeMesh& mesh, const std::string& path) {
    Pages pages(path);
    pages.add("# vtk DataFile Version 3.0\nPlica\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n",
              mesh.nodes.size());
    for (const Vec3& p : mesh.nodes) pages.add("{} {} {}\n", p.x, p.y, p.z);
    pages.add("CELLS {} {}\n", mesh.cells(), 5 * mesh.tetrahedra.size() + 9 * mesh.hexahedra.size());
    for (const auto& t : mesh.tetrahedra) pages.add("4 {} {} {} {}\n", t[0], t[1], t[2], t[3]);
    for (const auto& h : mesh.hexahedra) {
        pages.add("8 {} {} {} {} {} {} {} {}\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7]);
    }
    pages.add("CELL_TYPES {}\n", mesh.cells());
    for (std::size_t i = 0; i < mesh.cells(); ++i) pages.add("{}\n", i < mesh.tetrahedra.size() ? 10 : 12);
    if (!mesh.region.empty()) {
        pages.add("CELL_DATA {}\nSCALARS region int 1\nLOOKUP_TABLE default\n", mesh.cells());
        for (const std::int32_t region : mesh.region) pages.add("{}\n", region);
    }
    pages.commit();
}

void write_gmsh(const VolumeMesh& mesh, const std::string& path) {
    Pages pages(path);
    pages.add("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    add_gmsh_names(mesh, pages);
    pages.add("$Nodes\n{}\n", mesh.nodes.size());
    std::size_t number = 0;
    for (const Vec3& p : mesh.nodes) pages.add("{} {} {} {}\n", ++number, p.x, p.y, p.z);
    pages.add("$EndNodes\n");
    add_gmsh_elements(mesh, pages);
    pages.commit();
}

void write_obj(const SurfaceMesh& mesh, const std::string& path) {
    Pages pages(path);
    for (const Vec3& p : mesh.nodes) pages.add("v {} {} {}\n", p.x, p.y, p.z);
    for (const auto& t : mesh.triangles) pages.add("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    pages.commit();
}

}  // namespace plica
