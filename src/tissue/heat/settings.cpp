#include "tissue/heat/settings.hpp"

namespace plica::heat {

Settings scale_settings(Settings settings, double half_size, double load) {
    constexpr double load_of_defaults = 10.0;  // N
    const double force = load / load_of_defaults;
    const double area = half_size * half_size;
    settings.conductivity *= area;
    settings.coupling /= half_size;
    settings.young *= force / half_size;
    settings.anchor *= force / (area * half_size);
    settings.bulk *= force / area;
    settings.punch_young *= force / area;
    settings.punch_radius *= half_size;
    return settings;
}

}  // namespace plica::heat
