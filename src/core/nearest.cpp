#include "core/nearest.hpp"

#include <algorithm>

namespace plica {

int edit_distance(std::string_view a, std::string_view b) {
    const std::size_t columns = b.size() + 1;
    std::vector<int> two(columns);
    std::vector<int> one(columns);
    std::vector<int> now(columns);
    for (std::size_t j = 0; j < columns; ++j) one[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = static_cast<int>(i);
        for (std::size_t j = 1; j < columns; ++j) {
            now[j] = std::min({one[j] + 1, now[j - 1] + 1, one[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = std::min(now[j], two[j - 2] + 1);
        }
        two.swap(one);
        one.swap(now);
    }
    return one[columns - 1];
}

std::string find_nearest(std::string_view word, const std::vector<std::string>& candidates) {
    std::string best;
    int least = std::max(2, static_cast<int>(word.size()) / 2) + 1;
    for (const std::string& candidate : candidates) {
        const int d = edit_distance(word, candidate);
        if (d < least) {
            least = d;
            best = candidate;
        }
    }
    return best;
}

std::string join_choices(const std::vector<std::string>& choices) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
        text += choices[i];
    }
    return text;
}

}  // namespace plica
