#pragma once
#include <string>

#include "core/error.hpp"

namespace plica {

// An error that knows in which line of the scene's file it has its cause; 0: it does not.
class PlacedError : public Error {
public:
    PlacedError(const std::string& message, Status status, int line) : Error(message, status), m_line(line) {}
    [[nodiscard]] int line() const noexcept { return m_line; }

private:
    int m_line;
};

// 0 where it is not known.
inline int line_of(const Error& error) {
    const auto* placed = dynamic_cast<const PlacedError*>(&error);
    return placed != nullptr ? placed->line() : 0;
}

// The same error with words in front and, where it has no line yet, with this one.
[[noreturn]] inline void rethrow_at(const Error& error, const std::string& words, int line) {
    const int known = line_of(error);
    throw PlacedError(words + error.what(), error.status(), known > 0 ? known : line);
}

}  // namespace plica
