#pragma once
#include <string>

namespace plica::bench {

std::string processor_name();
double load_average();  // over a minute; -1: not known

}  // namespace plica::bench
