#include "render/field_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plica::render {
namespace {

constexpr double robust_share = 0.998;
constexpr double far_below = 0.4;  // of the range: so much that a narrower one is meant, not a moment's rest
constexpr int patience = 90;       // frames
// Shown ranges: what is smaller is the noise of rest.
constexpr double least_stress = 1.0, least_stretch = 0.01, least_warmth = 1e-6, least_conductivity = 1e-9,
                 least_of_any = 1e-30;

double origin_of(FieldKind kind) {
    return kind == FieldKind::stretch ? 1.0 : 0.0;
}

double least_of(FieldKind kind) {
    switch (kind) {
        case FieldKind::stretch:
            return least_stretch;
        case FieldKind::temperature:
            return least_warmth;
        case FieldKind::conductivity:
            return least_conductivity;
        case FieldKind::named:
            return least_of_any;
        default:
            return least_stress;
    }
}

}  // namespace

double round_up_125(double value) {
    if (!(value > 0.0) || !std::isfinite(value)) return 0.0;
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0}) {
        if (value <= step * power * (1.0 + 1e-9)) return step * power;
    }
    return 10.0 * power;
}

double robust_maximum(std::vector<float>& values) {
    const auto end = std::partition(values.begin(), values.end(), [](float v) { return std::isfinite(v); });
    const auto count = end - values.begin();
    if (count == 0) return 0.0;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(robust_share * static_cast<double>(count - 1));
    std::nth_element(values.begin(), place, end);
    return static_cast<double>(*place);
}

const FieldRange& FieldScale::update(FieldKind kind, std::vector<float>& values, double wanted) {
    const double low = origin_of(kind);
    if (wanted > low) {
        m_kind = FieldKind::none;  // automatic starts anew
        return m_range = {low, wanted};
    }
    const double most = std::max(robust_maximum(values) - low, least_of(kind));
    const double held = m_range.high - m_range.low;
    if (kind != m_kind || most > held) {
        m_range = {low, low + round_up_125(most)};
        m_kind = kind;
        m_low_frames = 0;
        return m_range;
    }
    if (most >= far_below * held) {
        m_low_frames = 0;
    } else {
        m_low_most = m_low_frames == 0 ? most : std::max(m_low_most, most);
        if (++m_low_frames >= patience) {
            m_range.high = low + round_up_125(m_low_most);
            m_low_frames = 0;
        }
    }
    return m_range;
}

LegendText describe(FieldKind kind, const FieldRange& range, const std::string& name, const std::string& unit_name) {
    LegendText text;
    double unit = 1.0;
    if (kind == FieldKind::stress) {
        unit = range.high >= 1e6 ? 1e6 : (range.high >= 1e3 ? 1e3 : 1.0);
        const char* symbol = unit == 1e6 ? "MPa" : (unit == 1e3 ? "kPa" : "Pa");
        text.title = {"von Mises", fmt::format("stress, {}", symbol)};
    } else if (kind == FieldKind::temperature) {
        text.title = {"temperature,", "J/m2"};
    } else if (kind == FieldKind::conductivity) {
        text.title = {"conductivity,", "m2/s"};
    } else if (kind == FieldKind::named) {
        text.title = {name};
        if (!unit_name.empty()) text.title = {name + ",", unit_name};
    } else {
        text.title = {"largest", "stretch"};
    }
    for (std::size_t i = 0; i < text.ticks.size(); ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(text.ticks.size() - 1);
        text.ticks[i] = fmt::format("{:.5g}", (range.low + share * (range.high - range.low)) / unit);
    }
    return text;
}

}  // namespace plica::render
