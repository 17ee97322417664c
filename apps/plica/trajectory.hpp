#pragma once
#include <span>
#include <string>
#include <vector>

#include "apps/plica/surface_file.hpp"
#include "geometry/vec3.hpp"
#include "io/export/npy_reader.hpp"

namespace plica::app {

// A folder of positions.npy, times.npy and scene.json, whoever wrote it. Throws Error for all that is wrong with one:
// bad_input, or environment where a file cannot be read.
class Trajectory {
public:
    explicit Trajectory(const std::string& folder);

    [[nodiscard]] std::size_t frames() const { return m_times.size(); }
    [[nodiscard]] std::size_t nodes() const { return m_positions.shape()[1]; }
    [[nodiscard]] const std::vector<double>& times() const { return m_times; }  // s, rising
    [[nodiscard]] const SurfaceFile& scene() const { return m_scene; }
    // The next frame, as many positions as there are nodes.
    void read_frame(std::span<Vec3> positions);

private:
    void read_times(const std::string& file);

    NpyReader m_positions;
    std::vector<double> m_times;
    SurfaceFile m_scene;
    std::size_t m_next = 0;  // frame
    std::vector<double> m_row;
};

}  // namespace plica::app
