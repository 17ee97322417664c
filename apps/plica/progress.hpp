#pragma once
#include <atomic>
#include <cstdint>
#include <string>

#include "core/error.hpp"

namespace plica::app {

// How a command ends that was interrupted before it had made what it was asked for, as programs do after Ctrl-C.
inline constexpr Status interrupted_status{130};

// A bar on standard error while it is a terminal; silent in a pipe.
class Progress {
public:
    Progress(std::string what, std::int64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    Progress(Progress&&) = delete;
    Progress& operator=(Progress&&) = delete;

    void update(std::int64_t done);

private:
    std::string m_what;
    std::int64_t m_total;
    bool m_visible;
    double m_began;
    double m_drawn = 0.0;
};

// Ctrl-C asks for an orderly end; a second one ends at once.
void watch_for_interrupt();
bool is_interrupted();
// For worlds: a step is given up when it becomes true.
const std::atomic<bool>* interrupt_flag();

}  // namespace plica::app
