#pragma once
#include <string>
#include <vector>

// What is abused: small scenes, each with the same hands.
namespace plica::bench {

struct AbuseScene {
    std::string name;
    std::string text;                 // of the scene, as a scene file has it
    std::vector<std::string> bodies;  // that may be taken hold of and aimed at
    double settle;                    // s, until it lies as it is taken
};

// Tools of every scene: a grab, and two instruments that wait above, far enough apart to be no hindrance.
inline constexpr const char* abuse_grab = "hand";
inline constexpr const char* abuse_left = "left";
inline constexpr const char* abuse_right = "right";

// gut, liver, heat, all.
const std::vector<AbuseScene>& abuse_scenes();

}  // namespace plica::bench
