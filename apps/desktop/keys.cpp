#include "apps/desktop/keys.hpp"

#include <algorithm>
#include <array>

namespace plica::desktop {
namespace {

constexpr std::array<Shortcut, 14> list{{{U' ', Action::pause, "space", "pause, and go on"},
                                         {U'.', Action::step, ".", "one step while paused"},
                                         {U'r', Action::reset, "r", "back to the start"},
                                         {U'-', Action::slower, "-", "slower"},
                                         {U'=', Action::faster, "=", "faster"},
                                         {U'p', Action::picture, "p", "write a picture"},
                                         {U'R', Action::record, "R", "record from the start; again: stop"},
                                         {U'w', Action::wireframe, "w", "wireframe"},
                                         {U'c', Action::contacts, "c", "where bodies press on each other"},
                                         {U'm', Action::sheets, "m", "mesentery"},
                                         {U'f', Action::fit, "f", "see all of it"},
                                         {U'h', Action::panel, "h", "hide the panel, and show it"},
                                         {U'?', Action::help, "?", "this list"},
                                         {U'q', Action::quit, "q", "close the window"}}};

constexpr std::array<double, 7> speeds{0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0};

}  // namespace

std::span<const Shortcut> shortcuts() {
    return list;
}

std::optional<Action> find_action(char32_t character) {
    if (character == U'+') character = U'=';  // the same key with shift on many keyboards
    for (const Shortcut& shortcut : list) {
        if (shortcut.character == character) return shortcut.action;
    }
    return {};
}

double slower_than(double speed) {
    double next = speeds.front();
    for (const double each : speeds) next = each < speed ? each : next;
    return next;
}

double faster_than(double speed) {
    const auto* next = std::find_if(speeds.begin(), speeds.end(), [&](double each) { return each > speed; });
    return next == speeds.end() ? speeds.back() : *next;
}

}  // namespace plica::desktop
