#include "bench/tled/world_memory.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "engine/world.hpp"
#include "scene/build.hpp"

namespace plica::bench {
namespace {

// A line of /proc/self/status, in bytes.
double read_status(const std::string& key) {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind(key, 0) == 0) return 1024.0 * std::stod(line.substr(key.size() + 1));
    }
    throw Error("/proc/self/status: no " + key, Status::environment);
}

SceneDescription describe_scene(int side) {
    SceneDescription scene;
    scene.dt = 1e-3;
    scene.substeps = 1;
    scene.contact.enabled = false;
    BodyDescription body;
    body.name = "block";
    body.tissue = TissueKind::tled;
    body.organ.shape = "block";
    body.organ.cells = {side, side, side};
    set_young(body.organ.material, 3000.0, 0.45);
    scene.bodies.push_back(body);
    return scene;
}

template <class T>
double bytes_of(const std::vector<T>& values) {
    return static_cast<double>(values.size() * sizeof(T));
}

// What can be seen of the world, and what is known to be there besides. Scratch: p, flight, and the last good state.
Json list_arrays(const World& world) {
    const Model& model = world.model();
    const tled::Organ& organ = model.of<Solids>()[0];
    const tled::Workspace& work = world.work<Solids>().organs[0];
    const State& state = world.state();
    const double mode = bytes_of(state.of<Solids>()[0].mode);
    const double node_vectors = bytes_of(state.x);
    double basis = 0.0;
    for (const auto& each : work.basis) basis += bytes_of(each);
    const double cells = static_cast<double>(organ.cells());
    Json all = Json::array();
    const auto add = [&](const char* name, double bytes) {
        all.push_back({{"array", name}, {"bytes_per_tet", bytes / cells}});
    };
    add("cells: gradients and volume", bytes_of(organ.single.number));
    add("cells: corners", bytes_of(organ.index));
    add("cells: number in the mesh", bytes_of(organ.source));
    add("slots: node, list by node", bytes_of(organ.slot_node) + bytes_of(organ.slots) + bytes_of(organ.first_slot));
    add("slots: forces", bytes_of(work.single.partial));
    add("nodes: rest, inverse mass, contact radius, column",
        bytes_of(model.rest) + bytes_of(model.inverse_mass) + bytes_of(model.contact_radius) + bytes_of(model.column));
    add("nodes: x, v", 2.0 * node_vectors);
    add("nodes: the same of the last good state", 2.0 * node_vectors);
    add("nodes: prediction", node_vectors);
    add("nodes: published frame", bytes_of(world.frame().positions));
    add("nodes: forces", bytes_of(work.force) + bytes_of(work.external) + bytes_of(work.last_force));
    add("stable step: places and basis", bytes_of(work.moved) + basis);
    add("stable step: mode, now and last good", 2.0 * mode);
    add("surface: triangles", bytes_of(model.surface.triangles));
    return all;
}

Json measure_here(int side) {
    malloc_trim(0);
    const double before = read_status("VmRSS");
    World world = [&] {
        Built built = build_scene(describe_scene(side), 1);
        return World(std::move(built.model), std::move(built.state));
    }();
    const double built = read_status("VmHWM");
    Inputs inputs;
    inputs.gravity = {0, 0, -9.81};
    bool valid = true;
    for (int i = 0; i < 2; ++i) valid = valid && world.step(inputs).is_valid();
    const double steady = read_status("VmRSS"), peak = read_status("VmHWM");
    malloc_trim(0);
    const double in_use = read_status("VmRSS");
    const double cells = static_cast<double>(world.model().of<Solids>()[0].cells());
    Json arrays = list_arrays(world);
    double known = 0.0;
    for (const Json& each : arrays) known += each["bytes_per_tet"].get<double>();
    arrays.push_back({{"array", "all else in use"}, {"bytes_per_tet", (in_use - before) / cells - known}});
    arrays.push_back({{"array", "freed, kept by the allocator"}, {"bytes_per_tet", (steady - in_use) / cells}});
    return {{"tets", cells},
            {"nodes", world.model().nodes()},
            {"bytes_per_tet", (steady - before) / cells},
            {"building_bytes_per_tet", (built - before) / cells},
            {"peak_bytes_per_tet", (peak - before) / cells},
            {"valid", valid},
            {"arrays", arrays}};
}

[[noreturn]] void answer(int side, int to) {
    std::string text;
    try {
        text = measure_here(side).dump();
    } catch (const std::exception& error) {
        text = Json{{"error", error.what()}}.dump();
    }
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = write(to, text.data() + done, text.size() - done);
        if (count <= 0) _exit(1);
        done += static_cast<std::size_t>(count);
    }
    _exit(0);
}

}  // namespace

Json measure_world_memory(int side) {
    std::array<int, 2> pipe_ends{};
    if (pipe(pipe_ends.data()) != 0) throw Error(std::strerror(errno), Status::environment);
    const pid_t child = fork();
    if (child < 0) throw Error(std::strerror(errno), Status::environment);
    if (child == 0) {
        close(pipe_ends[0]);
        answer(side, pipe_ends[1]);
    }
    close(pipe_ends[1]);
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; (count = read(pipe_ends[0], buffer.data(), buffer.size())) != 0;) {
        if (count < 0 && errno != EINTR) break;
        if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    close(pipe_ends[0]);
    int state = 0;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    const Json found = Json::parse(text, nullptr, false);
    if (state != 0 || found.is_discarded()) {
        throw Error(fmt::format("measuring the memory of a world ended with status {}", state), Status::environment);
    }
    if (found.contains("error")) throw Error(found["error"].get<std::string>(), Status::environment);
    return found;
}

}  // namespace plica::bench
