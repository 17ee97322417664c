#pragma once
// Plica as a library: load or write a scene, step it, move its tools, read positions and forces. SI units.
// Everything that goes wrong throws plica::Error, which says what and where and has a status.
#include "plica/error.hpp"
#include "plica/simulation.hpp"
#include "plica/types.hpp"
