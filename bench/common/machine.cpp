#include "bench/common/machine.hpp"

#include <stdlib.h>

#include <fstream>

namespace plica::bench {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

double load_average() {
    double load = 0.0;
    return getloadavg(&load, 1) == 1 ? load : -1.0;
}

}  // namespace plica::bench
