#include "render/legend.hpp"

#include <algorithm>
#include <cmath>

#include "render/stroke_font.hpp"

namespace plica::render {
namespace {

// In heights of a capital letter.
constexpr double margin = 1.1, title_line = 1.9, bar_width = 1.6, bar_height = 17.0, tick = 0.5, apart = 0.6;
constexpr double pen = 0.075;        // radius
constexpr double most_width = 0.30;  // of the picture's
constexpr double most_height = 0.9;  // of the picture's

struct Panel {
    double x0, y0, x1, y1;
};

class Layout {
public:
    Layout(const LegendText& text, int width, int height, std::vector<LegendMark>& marks)
        : m_text(text), m_marks(marks) {
        double widest = bar_width + tick + apart;
        double labels = 0.0;
        for (const std::string& label : text.ticks) labels = std::max(labels, text_width(label, 1.0));
        widest += labels;
        for (const std::string& line : text.title) widest = std::max(widest, text_width(line, 1.0));
        const double across = widest + 2.0 * margin;
        const double down = bar_height + title_line * static_cast<double>(text.title.size()) + 2.0 * margin + 1.4;
        m_size = std::min({height / 50.0, most_width * width / across, most_height * height / down});
        const double right = width - m_size * margin, middle = 0.5 * height;
        m_panel = {right - m_size * across, middle - 0.5 * m_size * down, right, middle + 0.5 * m_size * down};
    }

    void lay_out() {
        add(m_panel, 0.6 * m_size, MarkKind::box, 0.04, 0.62);
        const double left = m_panel.x0 + m_size * margin;
        double y = m_panel.y1 - m_size * margin;
        for (const std::string& line : m_text.title) {
            write(line, left, y - m_size);
            y -= m_size * title_line;
        }
        // On whole pixels, so that ticks and the bar's ends are sharp.
        const double low = std::round(m_panel.y0 + m_size * (margin + 0.4)),
                     high = low + std::round(m_size * bar_height);
        const double x0 = std::round(left), x1 = std::round(left + m_size * bar_width);
        add({x0, low, x1, high}, 0.0, MarkKind::bar, 1.0, 1.0);
        for (std::size_t i = 0; i < m_text.ticks.size(); ++i) {
            const double share = static_cast<double>(i) / static_cast<double>(m_text.ticks.size() - 1);
            const double at = low + share * (high - low);
            add({x1, at, x1 + m_size * tick, at}, m_size * pen, MarkKind::stroke, 0.95, 1.0);
            write(m_text.ticks[i], x1 + m_size * (tick + apart), at - 0.5 * m_size);
        }
    }

private:
    void add(const Panel& box, double radius, MarkKind kind, double grey, double opacity) {
        const auto f = [](double v) { return static_cast<float>(v); };
        m_marks.push_back(
            {{f(box.x0), f(box.y0), f(box.x1), f(box.y1)}, f(radius), static_cast<float>(kind), f(grey), f(opacity)});
    }
    void write(const std::string& line, double x, double y) {
        m_strokes.clear();
        write_text(line, x, y, m_size, m_strokes);
        // A pen thinner than a pixel would be grey.
        const double radius = std::max(0.55, m_size * pen);
        for (const Stroke& s : m_strokes) {
            add({static_cast<double>(s.x0), static_cast<double>(s.y0), static_cast<double>(s.x1),
                 static_cast<double>(s.y1)},
                radius, MarkKind::stroke, 0.95, 1.0);
        }
    }

    const LegendText& m_text;
    std::vector<LegendMark>& m_marks;
    std::vector<Stroke> m_strokes;
    double m_size = 0.0;  // pixels, of a capital letter
    Panel m_panel{};
};

}  // namespace

void lay_out_legend(const LegendText& text, int width, int height, std::vector<LegendMark>& marks) {
    marks.clear();
    Layout(text, width, height, marks).lay_out();
}

}  // namespace plica::render
