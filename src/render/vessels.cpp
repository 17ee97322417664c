#include "render/vessels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/random.hpp"

namespace plica::render {
namespace {

struct TexturePoint {
    double u, v;  // m along the gut, share of the way from the root
};

class Canvas {
public:
    Canvas(int width, int height, double period, double sheet_width, double root_share)
        : m_width(width),
          m_height(height),
          m_period(period),
          m_sheet_width(sheet_width),
          m_root_share(root_share),
          m_layers{std::vector<float>(static_cast<std::size_t>(width * height)),
                   std::vector<float>(static_cast<std::size_t>(width * height)),
                   std::vector<float>(static_cast<std::size_t>(width * height))} {}

    // A piece of a vessel with fat around it; radius in m.
    void stroke(int layer, TexturePoint a, TexturePoint b, double radius) {
        const double length = std::hypot((b.u - a.u) * gathered(0.5 * (a.v + b.v)), (b.v - a.v) * m_sheet_width);
        const int pieces = std::max(1, static_cast<int>(std::ceil(length / std::max(0.6 * radius, 0.0003))));
        for (int i = 0; i < pieces; ++i) {
            const double t = static_cast<double>(i) / pieces;
            const TexturePoint p{a.u + t * (b.u - a.u), a.v + t * (b.v - a.v)};
            dab(layer, p, radius, 1.0F);
        }
        for (double t = 0.0; t < 1.0; t += std::max(0.05, 2.0 * radius / std::max(length, 1e-6))) {
            const TexturePoint p{a.u + t * (b.u - a.u), a.v + t * (b.v - a.v)};
            dab(2, p, 3.0 * radius + 0.0025, 0.8F);
        }
    }

    [[nodiscard]] std::vector<std::uint8_t> texels() const {
        std::vector<std::uint8_t> bytes;
        bytes.reserve(4 * m_layers[0].size());
        for (std::size_t i = 0; i < m_layers[0].size(); ++i) {
            for (const std::vector<float>& layer : m_layers) {
                bytes.push_back(static_cast<std::uint8_t>(255.0F * std::min(layer[i], 1.0F)));
            }
            bytes.push_back(255);
        }
        return bytes;
    }

private:
    // How long a metre along the gut is on the sheet at this share of the way from the root.
    [[nodiscard]] double gathered(double v) const {
        return m_root_share + (1.0 - m_root_share) * std::clamp(v, 0.0, 1.0);
    }

    void dab(int layer, TexturePoint p, double radius, float strength) {
        const double wide = radius / gathered(p.v) / m_period * m_width;
        const double high = radius / m_sheet_width * m_height;
        const double x = p.u / m_period * m_width, y = p.v * m_height;
        const int half = std::min(m_width / 2 - 1, static_cast<int>(std::ceil(wide)) + 1);
        const int y0 = std::max(0, static_cast<int>(std::floor(y - high)) - 1);
        const int y1 = std::min(m_height - 1, static_cast<int>(std::ceil(y + high)) + 1);
        const int x0 = static_cast<int>(std::lround(x));
        for (int j = y0; j <= y1; ++j) {
            for (int i = x0 - half; i <= x0 + half; ++i) {
                const double d = std::hypot((i - x) / std::max(wide, 0.7), (j - y) / std::max(high, 0.7));
                const auto value = static_cast<float>(std::clamp(1.3 * (1.0 - d * d), 0.0, 1.0)) * strength;
                const int column = ((i % m_width) + m_width) % m_width;
                float& texel =
                    m_layers[static_cast<std::size_t>(layer)][static_cast<std::size_t>(j * m_width + column)];
                texel = std::max(texel, value);
            }
        }
    }

    int m_width, m_height;
    double m_period, m_sheet_width, m_root_share;
    std::array<std::vector<float>, 3> m_layers;
};

// An artery with its vein beside it, a little wound.
void draw_vessel(Canvas& canvas, Random& random, TexturePoint from, TexturePoint to, double r0, double r1) {
    const double wave = 0.10 * (random.uniform() - 0.5), phase = 2.0 * std::numbers::pi * random.uniform();
    constexpr int pieces = 12;
    TexturePoint before = from, vein_before = from;
    const double beside = 0.012;
    for (int i = 1; i <= pieces; ++i) {
        const double t = static_cast<double>(i) / pieces;
        const double bow = std::sin(std::numbers::pi * t) * (wave + 0.02 * std::sin(6.0 * t + phase));
        const TexturePoint p{from.u + t * (to.u - from.u) + bow * (to.v - from.v) * 0.12,
                             from.v + t * (to.v - from.v) + bow * 0.05};
        const double radius = r0 + t * (r1 - r0);
        canvas.stroke(0, before, p, radius);
        const TexturePoint q{p.u + beside * radius / 0.001 * 0.35, p.v - 0.004};
        if (i > 1) canvas.stroke(1, vein_before, q, 1.25 * radius);
        before = p;
        vein_before = q;
    }
}

// A trunk and what it forks into; the tips' places along the gut are where arcades begin and end.
void draw_tree(Canvas& canvas, Random& random, double u, double spread, int level, TexturePoint from, double radius,
               std::vector<double>& tips) {
    constexpr std::array<double, 4> heights{0.30, 0.50, 0.66, 0.78};
    const TexturePoint fork{u + 0.25 * spread * (random.uniform() - 0.5),
                            heights[static_cast<std::size_t>(level)] + 0.05 * (random.uniform() - 0.5)};
    draw_vessel(canvas, random, from, fork, radius, 0.8 * radius);
    if (level == 3) {
        tips.push_back(fork.u);
        return;
    }
    for (const double side : {-0.25, 0.25}) {
        draw_tree(canvas, random, u + side * spread, 0.5 * spread, level + 1, fork, 0.66 * radius, tips);
    }
}

}  // namespace

Vessels draw_vessels(double sheet_width, double root_share) {
    Vessels vessels{2048, 384, 0.5, {}};
    Canvas canvas(vessels.width, vessels.height, vessels.period, sheet_width, root_share);
    Random random(11);
    std::vector<double> tips;
    constexpr int trunks = 2;
    for (int i = 0; i < trunks; ++i) {
        const double spread = vessels.period / trunks;
        const double u = (i + 0.5) * spread;
        draw_tree(canvas, random, u, spread, 0, {u, -0.02}, 0.0021, tips);
    }
    std::sort(tips.begin(), tips.end());
    for (std::size_t i = 0; i < tips.size(); ++i) {  // arcades: an arch from each tip to the next
        const double next = i + 1 < tips.size() ? tips[i + 1] : tips[0] + vessels.period;
        constexpr int pieces = 14;
        TexturePoint before{tips[i], 0.78};
        for (int k = 1; k <= pieces; ++k) {
            const double t = static_cast<double>(k) / pieces;
            const TexturePoint p{tips[i] + t * (next - tips[i]), 0.78 + 0.085 * std::sin(std::numbers::pi * t)};
            canvas.stroke(0, before, p, 0.0006);
            canvas.stroke(1, {before.u + 0.001, before.v - 0.016}, {p.u + 0.001, p.v - 0.016}, 0.0007);
            const int straight = 2;
            for (int s = 0; s < straight; ++s) {  // vessels straight to the gut
                const double share = (s + random.uniform()) / straight;
                const TexturePoint start{before.u + share * (p.u - before.u), before.v + share * (p.v - before.v)};
                const TexturePoint end{start.u + 0.004 * (random.uniform() - 0.5), 1.0};
                canvas.stroke(random.uniform() < 0.6 ? 0 : 1, start, end, 0.00032);
            }
            before = p;
        }
    }
    vessels.texels = canvas.texels();
    return vessels;
}

}  // namespace plica::render
