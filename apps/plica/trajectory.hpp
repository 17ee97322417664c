#pragma once
#include <span>
#include <string>
#include <vector>

#include "apps/plica/surface_file.hpp"
#include "geometry/vec3.hpp"
#include "io/export/npy_reader.hpp"

namespace plica::app {

// A folder of positions.npy, times.npy and scene.json, perhaps rest.npy, whoever wrote it. Throws Error for all that is
// wrong with one: bad_input, or environment where a file cannot be read.
class Trajectory {
public:
    explicit Trajectory(const std::string& folder);

    [[nodiscard]] std::size_t frames() const { return m_times.size(); }
    [[nodiscard]] std::size_t nodes() const { return m_positions.shape()[1]; }
    [[nodiscard]] const std::vector<double>& times() const { return m_times; }  // s, rising
    // m, per node, as built; empty: the first frame is.
    [[nodiscard]] const std::vector<Vec3>& rest() const { return m_rest; }
    [[nodiscard]] const SurfaceFile& scene() const { return m_scene; }
    // The next frame, as many positions as there are nodes.
    void read_frame(std::span<Vec3> positions);

private:
    void read_times(const std::string& file);
    void read_rest(const std::string& file);
    // What was just read; the message of what is no place begins with file and `when`.
    void take_places(const std::string& file, const std::string& when, std::span<Vec3> places) const;

    NpyReader m_positions;
    std::vector<double> m_times;
    std::vector<Vec3> m_rest;
    SurfaceFile m_scene;
    std::size_t m_next = 0;  // frame
    std::vector<double> m_row;
};

}  // namespace plica::app
