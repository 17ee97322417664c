#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"

// One function a command; main.cpp parses, these do. Each returns the exit status.
namespace plica {
class World;
}

namespace plica::app {

Status list_scenes(bool json);

struct CheckOptions {
    std::string scene;
    std::vector<std::string> overrides;
    bool json = false;
};
Status check(const CheckOptions& options);

struct RunOptions {
    std::string scene;
    double seconds = 0.0;    // 0: as the scene says
    std::int64_t steps = 0;  // 0: from seconds
    std::uint64_t seed = 1;
    int threads = 1;
    std::string isa = "best";
    std::vector<std::string> overrides;
    std::string record;
    std::string dump;
    std::string audit = "on";
    bool json = false;
    std::function<void(const World&)> each_frame{};  // the first included
    std::function<void(const World&)> at_end{};      // before the summary is printed
};
Status run(const RunOptions& options);

struct RenderOptions {
    std::string scene;  // or a recording
    std::string output;
    double at = 0.0;       // s
    double seconds = 0.0;  // of film; 0: to the scene's end
    int width = 1280, height = 720;
    double fps = 30.0;
    int samples = 0;  // a pixel; 0: 4 for a picture, 1 for a film
    std::string colour = "tissue";
    double colour_max = 0.0;  // end of the scale, Pa or stretch; 0: chosen
    bool contacts = false;    // marks where bodies press on each other
    std::uint64_t seed = 1;
    int threads = 1;
    std::vector<std::string> overrides;
    bool json = false;
};
Status render_picture(const RenderOptions& options);

struct ViewOptions {
    std::string scene;
    std::uint64_t seed = 1;
    int threads = 1;
    std::vector<std::string> overrides;
    int fps = 60;
    int width = 1280, height = 800;
    bool low = false;
    std::string colour = "tissue";
    double seconds = 0.0;  // 0: until it is closed
    bool json = false;
};
Status view(const ViewOptions& options);

struct DemoOptions {
    std::string folder = "out";
    double seconds = 0.0;  // 0: ten of film, or until the window is closed
    std::uint64_t seed = 1;
    bool json = false;
};
Status demo(const DemoOptions& options);

struct ReplayOptions {
    std::string recording;
    int threads = 1;
    bool json = false;
};
Status replay(const ReplayOptions& options);

struct ExportOptions {
    std::string recording;
    std::string format;  // npy | vtk | obj
    std::string folder;
    bool json = false;
};
Status export_recording(const ExportOptions& options);

struct AuditOptions {
    std::string folder;
    bool json = false;
};
Status audit_trajectory(const AuditOptions& options);

struct MeshOptions {
    std::string file;
    double scale = 1.0;
    std::string output;  // empty: nothing is written
    double cell = 0.0;   // m: a closed surface is filled with cells of this size; 0: it is not
    std::string mesher = "stuffing";
    bool json = false;
};
Status inspect_mesh(const MeshOptions& options);

struct BenchOptions {
    std::vector<std::string> names;  // empty: all
    std::vector<int> sizes;
    std::vector<std::string> peers;
    std::vector<int> threads;       // of hand; empty: what the machine has
    std::vector<std::string> only;  // cases of abuse; empty: all
    int settings = 0;               // 0: all
    double seconds = 0.0;           // 0: as the benchmark says
    std::string folder;             // empty: nothing is kept
    bool list = false, quick = false, json = false;
};
Status bench(const BenchOptions& options);

struct ReproduceOptions {
    std::vector<std::string> names;
    bool all = false;
    bool list = false;
    bool quick = false;
    bool fresh = false;
    std::string folder = "out/reproduce";
    bool json = false;
};
Status reproduce(const ReproduceOptions& options);

}  // namespace plica::app
