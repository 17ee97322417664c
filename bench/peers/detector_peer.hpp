#pragma once
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/contact/feature_run.hpp"
#include "bench/contact/surface_case.hpp"
#include "bench/detection/detector_run.hpp"
#include "bench/self_collision/rope_case.hpp"
#include "core/error.hpp"

// A broad phase of another project in the detection benchmark, as a program of its own:
//   PROGRAM describe             name, version, and its methods for surfaces
//   PROGRAM detect DIR           times it on the frames of DIR (case.json, positions.npy)
//   PROGRAM features DIR N METHOD times a method on window N of the surfaces in DIR (surface_case.hpp)
namespace plica::bench {

struct FeatureMethod {
    std::string name;
    std::function<std::unique_ptr<TimedDetector>(const SurfaceCase&)> make;
};
struct DetectorPeer {
    std::string name, version;
    std::function<std::unique_ptr<TimedDetector>(const RopeCase&)> make;
    std::vector<FeatureMethod> methods;
};

inline nlohmann::ordered_json describe_peer(const DetectorPeer& peer) {
    nlohmann::ordered_json about{{"name", peer.name}, {"version", peer.version}};
    for (const FeatureMethod& method : peer.methods) about["methods"].push_back(method.name);
    return about;
}

inline nlohmann::ordered_json time_capsules(const DetectorPeer& peer, const std::string& folder) {
    const RopeCase rope = read_case(folder + "/case.json");
    const std::unique_ptr<TimedDetector> detector = peer.make(rope);
    return to_json(time_detector(peer.name, *detector, read_trajectory(folder), rope.window));
}

inline nlohmann::ordered_json time_surfaces(const DetectorPeer& peer, const std::string& folder,
                                            const std::string& window, const std::string& name) {
    for (const FeatureMethod& method : peer.methods) {
        if (method.name != name) continue;
        const SurfaceCase asked = read_surface_case(folder);
        return to_json(time_features(name, *method.make(asked), asked, read_window(folder + "/" + window)));
    }
    throw Error("no method is called " + name);
}

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
        const std::string verb = words.empty() ? "" : words[0];
        nlohmann::ordered_json said;
        if (verb == "describe" && words.size() == 1) {
            said = describe_peer(peer);
        } else if (verb == "detect" && words.size() == 2) {
            said = time_capsules(peer, words[1]);
        } else if (verb == "features" && words.size() == 4) {
            said = time_surfaces(peer, words[1], words[2], words[3]);
        } else {
            throw Error("expected: describe, detect DIR, or features DIR N METHOD; plica bench calls this program");
        }
        std::puts(said.dump().c_str());
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", peer.name.c_str(), error.what());
        return static_cast<int>(Status::bad_input);
    }
}

}  // namespace plica::bench
