#pragma once
#include <stdexcept>
#include <string>

namespace plica {

// Exit status of every command, and the kind of every error the library throws.
enum class Status {
    ok = 0,
    failed = 1,      // a claim or a check failed
    bad_input = 2,   // wrong use, or a file that does not say what it must
    invalid = 3,     // the simulation lost validity
    environment = 4  // no display, disk full, missing program
};

// The one type from which everything that Plica throws derives. what() says what was found, where, and what was
// expected.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message, Status status = Status::bad_input)
        : std::runtime_error(message), m_status(status) {}
    [[nodiscard]] Status status() const noexcept { return m_status; }

private:
    Status m_status;
};

}  // namespace plica
