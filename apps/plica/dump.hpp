#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/atomic_file.hpp"
#include "scene/export/npy.hpp"
#include "scene/model.hpp"
#include "scene/report.hpp"

namespace plica::app {

// DIR/positions.npy, times.npy, tools.npy, scene.json: everything a reader needs to check our claims.
class Dump {
public:
    Dump(const std::string& folder, const Model& model);
    void add_frame(double time, std::span<const Vec3> positions);
    void add_tools(std::span<const Vec3> force, std::span<const Vec3> torque);
    void close();  // all four files appear now

private:
    AtomicFile m_scene;
    NpyWriter m_positions;
    NpyWriter m_times;
    NpyWriter m_tools;
    std::vector<double> m_row;
};

nlohmann::ordered_json describe_model(const Model& model);

// Creates the folder if it is not there; Error with Status::environment otherwise.
void make_folder(const std::string& folder);

}  // namespace plica::app
