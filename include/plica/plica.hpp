#pragma once
// Plica as a library: load a scene or put it together, step it, move its tools, read positions and forces, save,
// restore and fork it. SI units. Everything that goes wrong throws plica::Error, which says what and where and has a
// status.
#include "plica/error.hpp"
#include "plica/scene.hpp"
#include "plica/simulation.hpp"
#include "plica/tissue.hpp"
#include "plica/types.hpp"
