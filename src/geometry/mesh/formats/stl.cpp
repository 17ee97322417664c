#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "geometry/mesh/formats/formats.hpp"
#include "geometry/mesh/formats/mesh_text.hpp"
#include "geometry/mesh/node_merger.hpp"

// STL: triangles without shared nodes; equal corners are made one.
namespace plica::formats {
namespace {

constexpr std::size_t head_bytes = 80, record_bytes = 50;  // bytes

bool is_binary(std::string_view bytes) {
    if (bytes.size() < head_bytes + 4) return false;
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + head_bytes, 4);
    if (must_swap(true)) count = MeshText::swap_bytes(count);
    if (bytes.size() == head_bytes + 4 + record_bytes * static_cast<std::size_t>(count)) return true;
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos || to_upper(bytes.substr(first, 5)) != "SOLID";
}

SurfaceMesh read_binary(MeshText& text) {
    text.binary(true);
    text.take_bytes(head_bytes, "the head");
    const auto promised = text.take<std::uint32_t>(must_swap(true), "the number of triangles");
    const std::size_t count = text.count(promised, record_bytes, "triangles");
    NodeMerger merger;
    SurfaceMesh mesh;
    mesh.triangles.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        text.take_bytes(12, "the normal of a triangle");
        std::array<std::int32_t, 3> corners{};
        for (std::int32_t& corner : corners) {
            double c[3];
            for (double& value : c) value = static_cast<double>(text.take<float>(must_swap(true), "coordinates"));
            const Vec3 place{c[0], c[1], c[2]};
            if (!is_finite(place)) text.fail("found a coordinate that is no finite number");
            corner = merger.add(place);
        }
        text.take_bytes(2, "a triangle");
        mesh.triangles.push_back(corners);
    }
    mesh.nodes = std::move(merger.nodes);
    return mesh;
}

void expect_word(MeshText& text, std::string_view wanted) {
    text.skip_space();
    const std::size_t at = text.position();
    const std::string_view found = text.word();
    if (to_upper(found) == to_upper(wanted)) return;
    text.fail_at(at,
                 fmt::format("found {}, expected {}", found.empty() ? "the end of the file" : quote(found), wanted));
}

SurfaceMesh read_text(MeshText& text) {
    NodeMerger merger;
    SurfaceMesh mesh;
    while (text.skip_space()) {
        const std::size_t at = text.position();
        const std::string word = to_upper(text.word());
        if (word == "SOLID" || word == "ENDSOLID") {
            text.line();
            continue;
        }
        if (word != "FACET") text.fail_at(at, fmt::format("found {}, expected facet or endsolid", quote(word)));
        text.line();  // the normal
        expect_word(text, "outer");
        expect_word(text, "loop");
        std::array<std::int32_t, 3> corners{};
        for (std::int32_t& corner : corners) {
            expect_word(text, "vertex");
            const double x = text.real("a coordinate");
            const double y = text.real("a coordinate");
            corner = merger.add({x, y, text.real("a coordinate")});
        }
        expect_word(text, "endloop");
        expect_word(text, "endfacet");
        mesh.triangles.push_back(corners);
    }
    mesh.nodes = std::move(merger.nodes);
    return mesh;
}

}  // namespace

SurfaceMesh read_stl(const std::string& path, std::string_view bytes, double scale) {
    MeshText text(path, bytes);
    if (!text.skip_space()) text.fail("the file is empty, expected an STL file");
    const bool binary = is_binary(bytes);
    if (!binary && to_upper(bytes.substr(text.position(), 5)) != "SOLID") {
        text.fail("found neither \"solid\" nor a binary STL file of 84 bytes and 50 for each triangle");
    }
    text.seek(0);
    SurfaceMesh mesh = binary ? read_binary(text) : read_text(text);
    if (mesh.triangles.empty()) throw Error(path + ": found no triangles");
    for (Vec3& place : mesh.nodes) place *= scale;
    return mesh;
}

}  // namespace plica::formats
