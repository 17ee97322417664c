#include "apps/plica/trajectory.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <filesystem>

#include "core/error.hpp"

namespace plica::app {
namespace {

constexpr double farthest = 1e9;              // m; far from where the audit's own numbers would overflow
constexpr std::size_t most_nodes = 1U << 30;  // their numbers fit

std::string positions_file(const std::string& folder) {
    std::error_code code;
    const std::filesystem::file_status status = std::filesystem::status(folder, code);
    if (status.type() == std::filesystem::file_type::not_found) throw Error(folder + ": there is no such folder");
    if (status.type() == std::filesystem::file_type::none)
        throw Error(folder + ": cannot be read: " + code.message(), Status::environment);
    if (!std::filesystem::is_directory(status)) {
        throw Error(folder +
                    ": not a folder; expected one with positions.npy, times.npy and scene.json (a recording becomes "
                    "one by: plica export RECORDING --to npy -o DIR)");
    }
    return folder + "/positions.npy";
}

}  // namespace

Trajectory::Trajectory(const std::string& folder) : m_positions(positions_file(folder)) {
    const std::vector<std::size_t>& shape = m_positions.shape();
    const bool whole = shape.size() == 3 && shape[0] > 0 && shape[1] > 0 && shape[1] < most_nodes && shape[2] == 3;
    if (!whole) {
        throw Error(fmt::format("{}: found shape {}, expected (frames, nodes, 3)", m_positions.path(),
                                m_positions.shape_text()));
    }
    read_times(folder + "/times.npy");
    m_scene = read_surface(folder + "/scene.json", shape[1]);
    m_row.resize(3 * shape[1]);
    read_rest(folder + "/rest.npy");
}

void Trajectory::read_times(const std::string& file) {
    NpyReader reader(file);
    const std::size_t frames = m_positions.shape()[0];
    if (reader.shape() != std::vector<std::size_t>{frames}) {
        throw Error(fmt::format("{}: found shape {}, expected ({},), a time for each frame of positions.npy", file,
                                reader.shape_text(), frames));
    }
    m_times.resize(frames);
    reader.read(m_times);
    for (std::size_t i = 0; i < frames; ++i) {
        if (!std::isfinite(m_times[i]))
            throw Error(fmt::format("{}: frame {}: found {}, expected seconds", file, i, m_times[i]));
        if (i > 0 && !(m_times[i] > m_times[i - 1])) {
            throw Error(fmt::format("{}: frame {}: found {} s after {} s, expected rising times", file, i, m_times[i],
                                    m_times[i - 1]));
        }
    }
}

void Trajectory::read_rest(const std::string& file) {
    std::error_code code;
    if (std::filesystem::status(file, code).type() == std::filesystem::file_type::not_found) return;
    NpyReader reader(file);
    if (reader.shape() != std::vector<std::size_t>{nodes(), 3}) {
        throw Error(fmt::format("{}: found shape {}, expected ({}, 3), a place for each node of positions.npy", file,
                                reader.shape_text(), nodes()));
    }
    reader.read(m_row);
    m_rest.resize(nodes());
    take_places(file, "", m_rest);
}

void Trajectory::read_frame(std::span<Vec3> positions) {
    m_positions.read(m_row);
    take_places(m_positions.path(), fmt::format("frame {} ({:g} s), ", m_next, m_times[m_next]), positions);
    ++m_next;
}

void Trajectory::take_places(const std::string& file, const std::string& when, std::span<Vec3> places) const {
    for (std::size_t i = 0; i < m_row.size(); ++i) {
        if (std::abs(m_row[i]) <= farthest) continue;
        throw Error(fmt::format("{}: {}node {}, {}: found {}, expected metres{}", file, when, i / 3, "xyz"[i % 3],
                                m_row[i], std::isfinite(m_row[i]) ? " (at most 1e9)" : ""));
    }
    for (std::size_t n = 0; n < places.size(); ++n) places[n] = {m_row[3 * n], m_row[3 * n + 1], m_row[3 * n + 2]};
}

}  // namespace plica::app
