#pragma once
#include <optional>

#include "core/file_source.hpp"
#include "geometry/mesh/mesh.hpp"
#include "scene/file/nifty/document.hpp"
#include "tissue/tled/organ.hpp"

namespace plica::nifty {

// A piece of a body's boundary, counterclockwise seen from outside.
struct Face {
    std::array<std::int32_t, 4> node{};
    int corners = 3;
};

// The mesh of a model or sub-model. Nodes of no element are left out.
struct ModelMesh {
    VolumeMesh mesh;
    tled::ElementKind kind = tled::ElementKind::t4;
    std::vector<std::int32_t> number;  // in `mesh`, of each node as the model counts; -1: of no element
    std::vector<Face> boundary;        // after finish_mesh()
    std::size_t pieces = 1;            // that share no node; after finish_mesh()

    [[nodiscard]] std::int64_t nodes() const { return static_cast<std::int64_t>(number.size()); }
};

// From Nodes and Elements, or from the file that MSHMesh or VTKMesh names, relative to the source's folder. None after
// a complaint.
std::optional<ModelMesh> read_model_mesh(Document& document, const pugi::xml_node& model, FileSource& files);

// Once regions are known: turns mirrored cells and finds the boundary. False after a complaint.
bool finish_mesh(Document& document, const pugi::xml_node& model, ModelMesh& mesh);

}  // namespace plica::nifty
