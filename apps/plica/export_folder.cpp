#include "apps/plica/export_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "apps/plica/dump.hpp"
#include "core/error.hpp"

namespace plica::app {
namespace {

bool is_plain(char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != '/' && c != '\\' && c != '%' && c != 0x7F;
}

std::string file_name_of(const std::string& body) {
    std::string name;
    for (const char c : body)
        name += is_plain(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return name;
}

bool is_numbered(std::string_view name, std::string_view start, std::string_view ending) {
    if (!name.starts_with(start) || !name.ends_with(ending)) return false;
    if (name.size() < start.size() + ending.size() + 6) return false;
    const std::string_view middle = name.substr(0, name.size() - ending.size());
    const std::string_view number = middle.substr(middle.find_last_of('_') + 1);
    return number.size() >= 6 && std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_ours(std::string_view name) {
    constexpr std::array<std::string_view, 6> dumped{"positions.npy", "rest.npy",         "times.npy",
                                                     "tools.npy",     "temperatures.npy", "scene.json"};
    return std::find(dumped.begin(), dumped.end(), name) != dumped.end() || is_numbered(name, "frame_", ".vtk") ||
           is_numbered(name, "frame_", ".obj") || is_numbered(name, "solid_", ".vtk");
}

}  // namespace

std::string frame_path(const std::string& folder, std::uint64_t frame, const std::string& ending) {
    return fmt::format("{}/frame_{:06}{}", folder, frame, ending);
}

std::string solid_frame_path(const std::string& folder, const std::string& body, std::uint64_t frame) {
    return fmt::format("{}/solid_{}_{:06}.vtk", folder, file_name_of(body), frame);
}

void prepare_export_folder(const std::string& folder) {
    make_folder(folder);
    std::error_code code;
    std::vector<std::filesystem::path> earlier;
    for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
        if (is_ours(entry.path().filename().string()) && !entry.is_directory(code)) earlier.push_back(entry.path());
    }
    for (const std::filesystem::path& path : earlier) {
        std::filesystem::remove(path, code);
        if (!code) continue;
        throw Error(fmt::format("{}: an earlier export cannot be removed: {}", path.string(), code.message()),
                    Status::environment);
    }
}

}  // namespace plica::app
