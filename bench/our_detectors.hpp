#pragma once
#include <memory>

#include "collision/candidates.hpp"
#include "detector_run.hpp"
#include "rope_case.hpp"

namespace plica::bench {

// Plica's own detectors, and the loop over every legal pair that they are measured against.
std::unique_ptr<TimedDetector> make_plica_detector(DetectorKind kind, const RopeCase& rope);
std::unique_ptr<TimedDetector> make_scalar_detector(const RopeCase& rope);

}  // namespace plica::bench
