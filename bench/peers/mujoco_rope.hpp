#pragma once
#include "bench/peers/rope_peer.hpp"

// The rope in MuJoCo, with either of the two sets of unknowns that it offers for a chain.
namespace plica::bench {

enum class MujocoChain {
    free,  // every capsule by itself; connect constraints hold their ends together
    tree   // one tree of ball joints, which cannot open, with its root in the middle of the rope
};

// The main() of a peer. `settings` as RopePeer has them.
int mujoco_main(int argc, char** argv, const RopePeer& about, MujocoChain chain);

// One setting: `steps` a frame, with the stiffest time constant that MuJoCo advises, two steps.
Json mujoco_setting(int steps, const char* solver, int iterations, const char* solimp, int work);

}  // namespace plica::bench
