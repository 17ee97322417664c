#pragma once
#include <span>
#include <string>
#include <vector>

#include "bench/self_collision/rope_case.hpp"
#include "geometry/vec3.hpp"
#include "io/export/npy.hpp"

namespace plica::bench {

// Frames of one rope's nodes, the start first.
struct Trajectory {
    std::size_t nodes = 0;
    std::vector<Vec3> positions;  // frames x nodes

    [[nodiscard]] std::size_t frames() const { return nodes == 0 ? 0 : positions.size() / nodes; }
    [[nodiscard]] std::span<const Vec3> frame(std::size_t i) const {
        return std::span(positions).subspan(i * nodes, nodes);
    }
};

// DIR/positions.npy, times.npy and scene.json: what `plica run --dump` writes, so that one audit judges them all.
class TrajectoryWriter {
public:
    TrajectoryWriter(const std::string& folder, const RopeCase& rope);
    void add(double time, std::span<const Vec3> positions);
    void close();

private:
    NpyWriter m_positions;
    NpyWriter m_times;
    std::vector<double> m_row;
};

Trajectory read_trajectory(const std::string& folder);  // throws Error naming the file

}  // namespace plica::bench
