#pragma once
#include <exception>
#include <string>

#include "core/error.hpp"

namespace plica {

// Calls a function of a tissue from outside. What it throws, whatever it is, comes out as Error with the body's name.
template <class Call>
auto call_own(const std::string& body, const char* function, const Call& call) {
    std::string what;
    Status status = Status::bad_input;
    try {
        return call();
    } catch (const Error& error) {
        what = error.what();
        status = error.status();
    } catch (const std::exception& error) {
        what = error.what();
    } catch (...) {
        what = "what is no std::exception";
    }
    throw Error(body + ": " + function + "() of its tissue threw: " + what, status);
}

}  // namespace plica
