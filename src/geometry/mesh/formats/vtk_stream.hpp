#pragma once
#include <string>

#include "geometry/mesh/formats/mesh_text.hpp"

namespace plica::formats {

// How binary arrays of one XML file are written.
struct VtkEncoding {
    bool swapped = false;      // of the other byte order
    bool wide_header = false;  // lengths have 64 bits
    bool zlib = false;         // blocks are compressed
    bool base64 = true;        // otherwise raw
};

// The bytes of one array that starts where `text` stands: its length, then its bytes; or the number and the lengths of
// blocks, then these, compressed. Base64 text may be padded between the parts.
std::string read_vtk_array(MeshText& text, const VtkEncoding& encoding);

}  // namespace plica::formats
