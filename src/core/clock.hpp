#pragma once

namespace plica {

double wall_seconds() noexcept;        // monotonic
double thread_cpu_seconds() noexcept;  // of the calling thread

}  // namespace plica
