#include "bench/common/trajectory.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace plica::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string prepared(const std::string& folder, const RopeCase& rope) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!std::filesystem::is_directory(folder)) {
        throw Error(folder + ": cannot create this folder: " + error.message(), Status::environment);
    }
    Json segments = Json::array();
    Json columns = Json::array();
    for (int i = 0; i < rope.segments(); ++i) segments.push_back({i, i + 1, rope.radius});
    for (int i = 0; i <= rope.segments(); ++i) columns.push_back(i);
    const Json body{{"name", "gut"},
                    {"tissue", "rope"},
                    {"nodes", {0, rope.nodes.size()}},
                    {"segments", segments},
                    {"triangles", Json::array()},
                    {"tetrahedra", Json::array()},
                    {"spheres", Json::array()},
                    {"exempt", Json::array()},
                    {"columns", columns}};
    AtomicFile scene(folder + "/scene.json");
    scene.write(Json{{"units", "SI"},
                     {"dt", 1.0 / rope.frames_per_second},
                     {"bodies", Json::array({body})},
                     {"tools", Json::array()}}
                    .dump(1));
    scene.write("\n");
    scene.commit();
    return folder;
}

// The second number of 'shape': (frames, nodes, 3).
std::size_t nodes_in(const std::string& header) {
    const std::size_t at = header.find("'shape': (");
    const std::size_t comma = at == std::string::npos ? at : header.find(',', at);
    return comma == std::string::npos ? 0 : std::strtoull(header.c_str() + comma + 1, nullptr, 10);
}

}  // namespace

TrajectoryWriter::TrajectoryWriter(const std::string& folder, const RopeCase& rope)
    : m_positions(prepared(folder, rope) + "/positions.npy", {rope.nodes.size(), 3}),
      m_times(folder + "/times.npy", {}) {}

void TrajectoryWriter::add(double time, std::span<const Vec3> positions) {
    m_row.clear();
    for (const Vec3& p : positions) m_row.insert(m_row.end(), {p.x, p.y, p.z});
    m_positions.append(m_row);
    m_times.append(std::span(&time, 1));
}

void TrajectoryWriter::close() {
    m_positions.close();
    m_times.close();
}

Trajectory read_trajectory(const std::string& folder) {
    const std::string file = folder + "/positions.npy";
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.size() < 10 || bytes.compare(1, 5, "NUMPY") != 0) throw Error(file + ": not an npy file");
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
    const std::size_t start = 10 + byte(8) + 256 * byte(9);
    Trajectory t;
    t.nodes = nodes_in(bytes.substr(0, std::min(start, bytes.size())));
    const std::size_t row = t.nodes * sizeof(Vec3);
    if (row == 0 || start > bytes.size() || (bytes.size() - start) % row != 0) {
        throw Error(file + ": not an array of frames x nodes x 3");
    }
    t.positions.resize((bytes.size() - start) / sizeof(Vec3));
    std::memcpy(t.positions.data(), bytes.data() + start, bytes.size() - start);
    return t;
}

}  // namespace plica::bench
