#include "apps/plica/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <ctime>

#include "core/clock.hpp"

namespace plica::app {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler of signals sets it");
volatile std::time_t first_interrupt = 0;

// The first one asks for an orderly end, a later one ends at once. Programs such as timeout send one twice, to the
// process and to its group: what follows within a second or two is the same interrupt.
extern "C" void on_interrupt(int signal) {
    const std::time_t now = std::time(nullptr);
    if (interrupted && now - first_interrupt > 1) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
    if (!interrupted) first_interrupt = now;
    interrupted = true;
}

constexpr int bar_width = 30;

}  // namespace

Progress::Progress(std::string what, std::int64_t total)
    : m_what(std::move(what)), m_total(total), m_visible(isatty(STDERR_FILENO) == 1), m_began(wall_seconds()) {}

Progress::~Progress() {
    if (m_visible) fmt::print(stderr, "\r\033[K");
}

void Progress::update(std::int64_t done) {
    if (!m_visible) return;
    const double now = wall_seconds();
    if (now - m_drawn < 0.1 && done < m_total) return;
    m_drawn = now;
    const double share = m_total > 0 ? static_cast<double>(done) / static_cast<double>(m_total) : 1.0;
    const int full = std::clamp(static_cast<int>(share * bar_width), 0, bar_width);
    const double left = share > 0.0 ? (now - m_began) * (1.0 - share) / share : 0.0;
    fmt::print(stderr, "\r\033[K{} [{:=<{}}{: <{}}] {:3.0f} %  {:.0f} s left", m_what, "", full, "", bar_width - full,
               100.0 * share, left);
    std::fflush(stderr);
}

void watch_for_interrupt() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
}

bool is_interrupted() {
    return interrupted;
}

const std::atomic<bool>* interrupt_flag() {
    return &interrupted;
}

}  // namespace plica::app
