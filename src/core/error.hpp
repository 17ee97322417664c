#pragma once
// Status and Error, which users of the library see too.
#include "plica/error.hpp"
