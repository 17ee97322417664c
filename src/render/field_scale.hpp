#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "engine/frame.hpp"

namespace plica::render {

// From where to where a field is shown: stretch from 1, all others from 0.
struct FieldRange {
    double low = 0.0, high = 1.0;
};

// The smallest 1, 2 or 5 times a power of ten that is at least `value`; 0 and below: 0.
double round_up_125(double value);

// The value that 998 of 1,000 numbers do not exceed: a few wild ones do not count. What is not finite is passed over;
// none left: 0. Reorders the numbers.
double robust_maximum(std::vector<float>& values);

// Chooses the range, and holds it so that colours keep their meaning from frame to frame: it widens at once, and
// narrows only after the values have been far below its end for a while.
class FieldScale {
public:
    // values: of the drawn nodes, in any order; reordered. wanted: the range's end; 0: automatic.
    const FieldRange& update(FieldKind kind, std::vector<float>& values, double wanted);
    [[nodiscard]] const FieldRange& range() const { return m_range; }

private:
    FieldKind m_kind = FieldKind::none;
    FieldRange m_range;
    int m_low_frames = 0;
    double m_low_most = 0.0;  // over the low: the most in those frames
};

struct LegendText {
    std::vector<std::string> title;    // lines
    std::array<std::string, 5> ticks;  // from the low end to the high one, evenly
};
// name, unit_name: of a field of kind named.
LegendText describe(FieldKind kind, const FieldRange& range, const std::string& name = "",
                    const std::string& unit_name = "");

}  // namespace plica::render
