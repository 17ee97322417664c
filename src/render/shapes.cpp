#include "render/shapes.hpp"

#include <cmath>
#include <numbers>

namespace plica::render {
namespace {

// Faces and edges of a net of (columns + 1) x (rows + 1) corners, rows one after the other.
void add_net(int columns, int rows, Shape& shape) {
    const auto at = [columns](int i, int j) { return static_cast<std::uint32_t>(j * (columns + 1) + i); };
    for (int j = 0; j < rows; ++j) {
        for (int i = 0; i < columns; ++i) {
            const std::uint32_t a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
            shape.triangles.insert(shape.triangles.end(), {a, b, c, a, c, d});
            shape.lines.insert(shape.lines.end(), {a, b, a, d});
        }
    }
}

void add(Shape& shape, std::initializer_list<double> numbers) {
    for (const double number : numbers) shape.corners.push_back(static_cast<float>(number));
}

}  // namespace

Shape make_cylinder(int sides, int rings) {
    Shape shape{2, {}, {}, {}};
    for (int j = 0; j <= rings; ++j) {
        for (int i = 0; i <= sides; ++i) add(shape, {static_cast<double>(i) / sides, static_cast<double>(j) / rings});
    }
    add_net(sides, rings, shape);
    return shape;
}

Shape make_patch(int cuts) {
    Shape shape{2, {}, {}, {}};
    std::vector<std::uint32_t> first;
    for (int j = 0; j <= cuts; ++j) {
        first.push_back(static_cast<std::uint32_t>(shape.corners.size() / 2));
        for (int i = 0; i <= cuts - j; ++i) add(shape, {static_cast<double>(i) / cuts, static_cast<double>(j) / cuts});
    }
    for (int j = 0; j < cuts; ++j) {
        for (int i = 0; i < cuts - j; ++i) {
            const std::uint32_t a = first[static_cast<std::size_t>(j)] + static_cast<std::uint32_t>(i);
            const std::uint32_t b = first[static_cast<std::size_t>(j) + 1] + static_cast<std::uint32_t>(i);
            shape.triangles.insert(shape.triangles.end(), {a, a + 1, b});
            if (i + 1 < cuts - j) shape.triangles.insert(shape.triangles.end(), {a + 1, b + 1, b});
            shape.lines.insert(shape.lines.end(), {a, a + 1, a, b, a + 1, b});
        }
    }
    return shape;
}

Shape make_ball(double from, double to, int rings, int sides) {
    Shape shape{6, {}, {}, {}};
    for (int j = 0; j <= rings; ++j) {
        const double polar = from + (to - from) * j / rings;
        for (int i = 0; i <= sides; ++i) {
            const double turn = 2.0 * std::numbers::pi * i / sides;
            const double x = std::sin(polar) * std::cos(turn), y = std::sin(polar) * std::sin(turn),
                         z = std::cos(polar);
            add(shape, {x, y, z, x, y, z});
        }
    }
    add_net(sides, rings, shape);
    return shape;
}

Shape make_tube(int sides) {
    Shape shape{6, {}, {}, {}};
    for (int j = 0; j <= 1; ++j) {
        for (int i = 0; i <= sides; ++i) {
            const double turn = 2.0 * std::numbers::pi * i / sides;
            add(shape, {std::cos(turn), std::sin(turn), 1.0 * j, std::cos(turn), std::sin(turn), 0.0});
        }
    }
    add_net(sides, 1, shape);
    return shape;
}

Shape make_square(int cuts) {
    Shape shape{6, {}, {}, {}};
    for (int j = 0; j <= cuts; ++j) {
        for (int i = 0; i <= cuts; ++i) add(shape, {2.0 * i / cuts - 1.0, 2.0 * j / cuts - 1.0, 0.0, 0.0, 0.0, 1.0});
    }
    add_net(cuts, cuts, shape);
    return shape;
}

}  // namespace plica::render
