#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// Plica's own ways of finding close pairs, behind an interface that names no type of the library: search.cpp and the
// library's sources below it are compiled a second time as plain scalar code, in a namespace of its own.
namespace search {

struct Rope {
    std::int32_t segments;
    double radius;         // m
    std::int32_t exclude;  // neighbours along the rope that are left out
    double margin;         // m: pairs with a gap of at most two of them are asked for
    double substep;        // s between two frames
    double gravity;        // m/s^2
};

enum class Method : std::uint8_t {
    brute,  // every legal pair, eight at a time
    tree,   // what `auto` chooses: boxes in a tree, or in a row where there are few
    grid,   // boxes in a grid
    list    // from substep to substep: candidates that are known to hold every pair until some node has gone too far
};

class Search {
public:
    Search() = default;
    virtual ~Search() = default;
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    Search(Search&&) = delete;
    Search& operator=(Search&&) = delete;

    // What comes next does not follow what came before, but these positions (x, y, z of each node).
    virtual void restart(std::span<const double> before) = 0;
    // Returns the number of exact distance tests.
    virtual std::int64_t find(std::span<const double> positions) = 0;
    virtual void collect(std::vector<std::array<std::int32_t, 2>>& pairs) const = 0;
    // Lists built so far.
    [[nodiscard]] virtual std::int64_t rebuilds() const { return 0; }
};

}  // namespace search

namespace plica {
std::unique_ptr<search::Search> make_search(search::Method method, const search::Rope& rope);
}
