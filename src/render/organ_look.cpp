#include "render/organ_look.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace plica::render {
namespace {

constexpr Vec3 even{1, 1, 1};
constexpr Vec3 fibrous{0.10, 1, 1};  // along x of the rest shape

// After fresh tissue under a white lamp: parenchyma brown to purple, muscle red, fat yellow, serosa pink.
constexpr std::array<TissueColours, tissue_looks> colours{{
    {{0.285, 0.128, 0.112}, {0.385, 0.200, 0.165}, {0.50, 0.28, 0.22}, {0.34, 0.09, 0.06}, even, 0.0017},
    {{0.385, 0.165, 0.150}, {0.480, 0.250, 0.220}, {0.62, 0.42, 0.37}, {0.42, 0.10, 0.08}, fibrous, 0.0015},
    {{0.660, 0.550, 0.385}, {0.750, 0.655, 0.490}, {0.84, 0.77, 0.63}, {0.50, 0.33, 0.18}, even, 0.0040},
    {{0.610, 0.345, 0.320}, {0.740, 0.480, 0.440}, {0.86, 0.65, 0.60}, {0.60, 0.20, 0.17}, even, 0.0024},
    {{0.270, 0.105, 0.150}, {0.365, 0.170, 0.215}, {0.50, 0.29, 0.33}, {0.34, 0.07, 0.10}, even, 0.0014},
    {{0.420, 0.210, 0.165}, {0.530, 0.300, 0.235}, {0.64, 0.42, 0.34}, {0.46, 0.15, 0.09}, even, 0.0012},
}};

constexpr std::array<std::pair<const char*, Look>, 14> words{{{"diaphragm", Look::muscle},
                                                              {"muscle", Look::muscle},
                                                              {"heart", Look::muscle},
                                                              {"fat", Look::fat},
                                                              {"breast", Look::fat},
                                                              {"omentum", Look::fat},
                                                              {"liver", Look::liver},
                                                              {"spleen", Look::spleen},
                                                              {"kidney", Look::kidney},
                                                              {"stomach", Look::serosa},
                                                              {"bowel", Look::serosa},
                                                              {"colon", Look::serosa},
                                                              {"bladder", Look::serosa},
                                                              {"uterus", Look::serosa}}};

std::optional<Look> look_of(const std::string& text) {
    std::string small = text;
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const auto& [word, look] : words) {
        if (small.find(word) != std::string::npos) return look;
    }
    return {};
}

}  // namespace

const TissueColours& colours_of(Look tissue) {
    return colours[std::min(static_cast<std::size_t>(tissue), tissue_looks - 1)];
}

std::optional<Look> look_called(const std::string& name, const std::string& shape) {
    const std::optional<Look> named = look_of(name);
    return named ? named : look_of(shape);
}

std::vector<Look> choose_looks(std::span<const std::optional<Look>> called) {
    std::array<bool, tissue_looks> taken{};
    for (const auto& look : called) {
        if (look && !is_rigid(*look)) taken[static_cast<std::size_t>(*look)] = true;
    }
    std::vector<Look> looks;
    looks.reserve(called.size());
    std::size_t round = 0;
    for (const auto& look : called) {
        if (look) {
            looks.push_back(*look);
            continue;
        }
        const auto free = std::find(taken.begin(), taken.end(), false);
        const std::size_t next =
            free != taken.end() ? static_cast<std::size_t>(free - taken.begin()) : round++ % tissue_looks;
        taken[next] = true;
        looks.push_back(static_cast<Look>(next));
    }
    return looks;
}

}  // namespace plica::render
