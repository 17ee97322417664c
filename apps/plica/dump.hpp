#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/atomic_file.hpp"
#include "engine/frame.hpp"
#include "engine/model.hpp"
#include "io/export/npy.hpp"
#include "io/recording/record_world.hpp"

namespace plica::app {

// DIR/positions.npy, rest.npy, times.npy, tools.npy, scene.json, where there is heat tissue temperatures.npy:
// everything a reader needs to check our claims.
class Dump {
public:
    // model: where cells of solid bodies are found; null: nowhere.
    Dump(const std::string& folder, const RecordingHeader& world, const Model* model);
    void add_frame(double time, std::span<const Vec3> positions, std::span<const float> temperature);
    void add_tools(std::span<const Vec3> force, std::span<const Vec3> torque);
    void close();  // all files appear now

private:
    AtomicFile m_scene;
    NpyWriter m_rest;
    NpyWriter m_positions;
    NpyWriter m_times;
    NpyWriter m_tools;
    std::optional<NpyWriter> m_temperatures;
    std::vector<double> m_row;
};

// The content of scene.json.
nlohmann::ordered_json describe_shapes(const Shapes& shapes, const Model* model);

// Creates the folder if it is not there; Error with Status::environment otherwise.
void make_folder(const std::string& folder);

}  // namespace plica::app
