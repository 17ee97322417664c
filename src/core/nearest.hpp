#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace plica {

// Number of insertions, deletions, replacements and swaps of neighbours that turn a into b.
int edit_distance(std::string_view a, std::string_view b);

// The candidate closest to the word, or "" when none is close enough to be what was meant.
std::string find_nearest(std::string_view word, const std::vector<std::string>& candidates);

// "a, b or c".
std::string join_choices(const std::vector<std::string>& choices);

}  // namespace plica
