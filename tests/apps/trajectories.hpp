#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "geometry/vec3.hpp"
#include "io/export/npy.hpp"
#include "tests/support/texts.hpp"

// Folders of positions.npy, times.npy and scene.json, as another engine would write them.
namespace plica::testing {

using Frames = std::vector<std::vector<Vec3>>;

inline void write_trajectory(const std::filesystem::path& folder, const Frames& frames, const std::string& scene,
                             double interval = 0.1) {
    std::filesystem::create_directories(folder);
    NpyWriter positions((folder / "positions.npy").string(), {frames.front().size(), 3});
    NpyWriter times((folder / "times.npy").string(), {});
    for (std::size_t i = 0; i < frames.size(); ++i) {
        std::vector<double> row;
        for (const Vec3& x : frames[i]) row.insert(row.end(), {x.x, x.y, x.z});
        positions.append(row);
        times.append(std::vector<double>{static_cast<double>(i) * interval});
    }
    positions.close();
    times.close();
    spill(folder / "scene.json", scene);
}

// Two crossed tubes of 10 mm radius and 0.2 m length, one per body, the second at these heights above the first.
inline Frames crossed_tubes(const std::vector<double>& heights) {
    Frames frames;
    for (const double z : heights) frames.push_back({{-0.1, 0, 0}, {0.1, 0, 0}, {0, -0.1, z}, {0, 0.1, z}});
    return frames;
}

inline const char* const crossed_scene =
    R"({"bodies": [{"name": "low", "segments": [[0, 1, 0.01]]}, {"name": "high", "segments": [[2, 3, 0.01]]}]})";

}  // namespace plica::testing
