#pragma once
#include <memory>

#include "bench/detection/detector_run.hpp"
#include "bench/detection/search.hpp"
#include "bench/self_collision/rope_case.hpp"

namespace plica::bench {

enum class Kernels : std::uint8_t {
    best,   // the best vector instructions that this machine has: what ships
    scalar  // the same sources as plain scalar code; only in builds for benchmarks
};

// One of Plica's own ways; null where it was not built.
std::unique_ptr<TimedDetector> make_plica_detector(search::Method method, Kernels kernels, const RopeCase& rope);

// The plain double loop over every legal pair that they are measured against.
std::unique_ptr<TimedDetector> make_scalar_detector(const RopeCase& rope);

}  // namespace plica::bench
