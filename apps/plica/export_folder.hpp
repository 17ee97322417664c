#pragma once
#include <cstdint>
#include <string>

// The names of exported files and the folder that they go to.
namespace plica::app {

// FOLDER/frame_000012.vtk
std::string frame_path(const std::string& folder, std::uint64_t frame, const std::string& ending);
// FOLDER/solid_NAME_000012.vtk. Names of bodies that cannot be names of files are written %2F and so on, so that no two
// bodies share a file.
std::string solid_frame_path(const std::string& folder, const std::string& body, std::uint64_t frame);

// Makes the folder, or takes away what an earlier export or dump left in it: files of the names above and those of a
// dump, nothing else. A shorter recording would otherwise leave the end of a longer one behind. Throws Error with
// Status::environment.
void prepare_export_folder(const std::string& folder);

}  // namespace plica::app
