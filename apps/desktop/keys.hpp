#pragma once
#include <cstdint>
#include <optional>
#include <span>

namespace plica::desktop {

// What a key or a button can ask for.
enum class Action : std::uint8_t {
    pause,
    step,
    reset,
    slower,
    faster,
    picture,
    record,
    wireframe,
    contacts,
    sheets,
    fit,
    panel,
    help,
    quit
};

struct Shortcut {
    char32_t character;
    Action action;
    const char* key;
    const char* what;
};

// In the order of the help.
std::span<const Shortcut> shortcuts();
// By the character that was typed, so that it does not matter where a keyboard has it.
std::optional<Action> find_action(char32_t character);

// The next of the speeds on offer, simulated seconds a second.
double slower_than(double speed);
double faster_than(double speed);

}  // namespace plica::desktop
