#include "bench/peers/rope_peer.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "bench/common/audit_trajectory.hpp"
#include "bench/common/trajectory.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"

namespace plica::bench {
namespace {

struct Reading {
    std::vector<Vec3> nodes;
    double gap = 0.0;  // m, widest open joint
    bool sane = true;  // finite, and not flung away
};

Reading read_nodes(const RopeCase& rope, std::span<const Ends> ends) {
    Reading reading;
    const double far = 100.0 * (rope.bowl_radius + distance(rope.nodes.back(), rope.nodes.front()));
    for (std::size_t i = 0; i <= ends.size(); ++i) {
        const Vec3& before = i > 0 ? ends[i - 1].b : ends[0].a;
        const Vec3& after = i < ends.size() ? ends[i].a : ends.back().b;
        reading.gap = std::max(reading.gap, distance(before, after));
        reading.nodes.push_back(0.5 * (before + after));
        reading.sane = reading.sane && is_finite(reading.nodes.back()) && norm(reading.nodes.back()) < far;
    }
    return reading;
}

struct Limits {
    double seconds;  // of CPU per simulated second
    double depth;    // of a radius
};

Json simulate(const RopePeer& peer, const std::string& file, const std::string& folder, const Limits& limits,
              const Json& setting) {
    const RopeCase rope = read_case(file);
    const std::unique_ptr<SimulatedRope> simulated = peer.make(rope, setting);
    const int steps = setting.at("steps").get<int>();
    std::vector<Ends> ends(static_cast<std::size_t>(rope.segments()));
    TrajectoryWriter writer(folder, rope);
    Judge judge(rope);
    writer.add(0.0, rope.nodes);
    judge.add(rope.nodes);
    Json frame_ms = Json::array();
    double cpu = 0.0, gap = 0.0;
    std::string state = "done";
    for (int frame = 1; frame <= rope.frames() && state == "done"; ++frame) {
        const double began = thread_cpu_seconds();
        for (int s = 0; s < steps; ++s) simulated->step();
        const double took = thread_cpu_seconds() - began;
        cpu += took;
        frame_ms.push_back(1e3 * took);
        simulated->read(ends);
        const Reading reading = read_nodes(rope, ends);
        gap = std::max(gap, reading.gap);
        const double time = static_cast<double>(frame) / rope.frames_per_second;
        if (!reading.sane || simulated->is_lost()) {
            state = "exploded";
        } else {
            writer.add(time, reading.nodes);
            if (judge.add(reading.nodes) > limits.depth) state = "too deep";
        }
        if (cpu > limits.seconds * std::max(time, 1.0)) state = "too slow";
    }
    writer.close();
    const double simulated_s = static_cast<double>(frame_ms.size()) / rope.frames_per_second;
    return {{"state", state}, {"cpu_s", cpu}, {"simulated_s", simulated_s}, {"frame_ms", frame_ms}, {"joint_gap", gap}};
}

Json answer(int argc, char** argv, const RopePeer& peer) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 2 && words[0] == "describe") {
        return {{"name", peer.name},
                {"version", peer.version},
                {"setup", peer.setup},
                {"settings", peer.settings(std::stoi(words[1]))}};
    }
    if (words.size() == 6 && words[0] == "run") {
        return simulate(peer, words[1], words[2], {std::stod(words[3]), std::stod(words[4])}, Json::parse(words[5]));
    }
    throw Error("expected: describe SEGMENTS, or run CASE DIR SECONDS DEPTH SETTING; plica bench calls this program");
}

}  // namespace

int rope_peer_main(int argc, char** argv, const RopePeer& peer) {
    try {
        std::puts(answer(argc, argv, peer).dump().c_str());
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return static_cast<int>(error.status());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", peer.name.c_str(), error.what());
        return static_cast<int>(Status::bad_input);
    }
}

}  // namespace plica::bench
