#pragma once
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "detector_run.hpp"
#include "rope_case.hpp"

// A broad phase of another project in the detection benchmark, as a program of its own:
//   PROGRAM describe       name and version
//   PROGRAM detect DIR     times it on the frames of DIR (case.json, positions.npy)
namespace plica::bench {

struct DetectorPeer {
    std::string name, version;
    std::function<std::unique_ptr<TimedDetector>(const RopeCase&)> make;
};

// The box around capsule i that two boxes' overlap must follow from when the capsules' gap is within their margins.
struct CapsuleBox {
    Vec3 low, high;
};
inline CapsuleBox box_of(const Capsule& c, std::span<const Vec3> x, double margin) {
    const Vec3& a = x[static_cast<std::size_t>(c.a)];
    const Vec3& b = x[static_cast<std::size_t>(c.b)];
    const double r = (c.radius + margin) * (1.0 + 1e-9);  // a hair for rounding
    return {{std::min(a.x, b.x) - r, std::min(a.y, b.y) - r, std::min(a.z, b.z) - r},
            {std::max(a.x, b.x) + r, std::max(a.y, b.y) + r, std::max(a.z, b.z) + r}};
}

inline int detector_peer_main(int argc, char** argv, const DetectorPeer& peer) {
    try {
        const std::vector<std::string> words(argv + 1, argv + argc);
        if (words.size() == 1 && words[0] == "describe") {
            std::puts(nlohmann::ordered_json{{"name", peer.name}, {"version", peer.version}}.dump().c_str());
            return 0;
        }
        if (words.size() != 2 || words[0] != "detect") {
            throw Error("expected: describe, or detect DIR; plica bench calls this program");
        }
        const RopeCase rope = read_case(words[1] + "/case.json");
        const std::unique_ptr<TimedDetector> detector = peer.make(rope);
        std::puts(to_json(time_detector(peer.name, *detector, read_trajectory(words[1]), rope.window)).dump().c_str());
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", peer.name.c_str(), error.what());
        return static_cast<int>(Status::bad_input);
    }
}

}  // namespace plica::bench
