#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "bench/self_collision/rope_case.hpp"
#include "geometry/vec3.hpp"

// What a simulator of another project has to offer to take part in the self-collision benchmark. Each is a program of
// its own, so that neither the library nor plica links it:
//   PROGRAM describe SEGMENTS                 name, version, how it was set up, and the settings to try
//   PROGRAM run CASE DIR SECONDS DEPTH SETTING  simulates, writes DIR as --dump does, prints times; stops when it needs
//                                               more than SECONDS of CPU per simulated second or is deeper than DEPTH
namespace plica::bench {

using Json = nlohmann::ordered_json;

// The two ends of one capsule's axis; neighbours' ends coincide while their joint holds.
struct Ends {
    Vec3 a, b;
};

class SimulatedRope {
public:
    SimulatedRope() = default;
    virtual ~SimulatedRope() = default;
    SimulatedRope(const SimulatedRope&) = delete;
    SimulatedRope& operator=(const SimulatedRope&) = delete;
    SimulatedRope(SimulatedRope&&) = delete;
    SimulatedRope& operator=(SimulatedRope&&) = delete;

    virtual void step() = 0;  // one of the setting's `steps` per frame
    virtual void read(std::span<Ends> ends) const = 0;
    [[nodiscard]] virtual bool is_lost() const { return false; }  // the program itself gave up
};

struct RopePeer {
    std::string name, version, setup;
    // Each an object with "steps" (per frame), "work" (what it is expected to cost, in any unit) and values of its own.
    std::function<Json(int segments)> settings;
    std::function<std::unique_ptr<SimulatedRope>(const RopeCase&, const Json& setting)> make;
};

int rope_peer_main(int argc, char** argv, const RopePeer& peer);

}  // namespace plica::bench
