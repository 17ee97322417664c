#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "core/index.hpp"
#include "engine/tissues/field.hpp"
#include "render/camera.hpp"
#include "render/colour_map.hpp"
#include "render/legend.hpp"
#include "render/organ_surface.hpp"
#include "render/pick.hpp"
#include "render/stroke_font.hpp"
#include "tests/render/organs.hpp"

namespace plica::render {
namespace {

using testing::add_body;
using testing::make_block_surface;

constexpr double organ_degree = std::numbers::pi / 180.0;

Model solid(const SurfaceMesh& mesh, const Vec3& offset = {}) {
    Model model;
    add_body(model, "organ", "tled", mesh, offset);
    return model;
}

Vec3 vector(const float (&v)[3]) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}

// rad, between the computed normals and those of an ellipsoid with these radii.
double worst_normal(const Organ& organ, const OrganSurface& surface, std::span<const Vec3> positions,
                    const Vec3& radii) {
    double worst = 0.0;
    for (std::size_t i = 0; i < surface.vertices.size(); ++i) {
        const Vec3& p = positions[at(organ.nodes[at(surface.nodes[i])])];
        const Vec3 right =
            normalized({p.x / (radii.x * radii.x), p.y / (radii.y * radii.y), p.z / (radii.z * radii.z)});
        const Vec3 n = vector(surface.vertices[i].normal);
        EXPECT_NEAR(norm(n), 1.0, 1e-6);
        worst = std::max(worst, std::acos(std::clamp(dot(n, right), -1.0, 1.0)));
    }
    return worst;
}

TEST(OrganSurface, NormalsOfASphereAreItsRadii) {
    double before = 2.0 * organ_degree;
    for (const int level : {2, 3, 4}) {
        const Model model = solid(make_icosphere(level, 1.0));
        const Drawing drawing = make_drawing(model);
        const Organ& organ = drawing.organs.at(0);
        OrganSurface surface(organ);
        EXPECT_EQ(surface.vertices.size(), model.rest.size()) << "no crease on a sphere";
        surface.update(organ, model.rest);
        const double worst = worst_normal(organ, surface, model.rest, {1, 1, 1});
        EXPECT_LT(worst, 0.7 * before) << "level " << level;
        before = worst;
        // The control: against another shape they are wrong.
        EXPECT_GT(worst_normal(organ, surface, model.rest, {1, 1, 0.7}), 10.0 * organ_degree);
    }
    EXPECT_LT(before, 0.2 * organ_degree);
}

TEST(OrganSurface, NormalsFollowTheDeformedShape) {
    const Model model = solid(make_icosphere(4, 1.0));
    const Drawing drawing = make_drawing(model);
    const Organ& organ = drawing.organs.at(0);
    std::vector<Vec3> squeezed = model.rest;
    for (Vec3& p : squeezed) p = {1.2 * p.x, p.y, 0.8 * p.z};
    OrganSurface surface(organ);
    surface.update(organ, squeezed);
    EXPECT_LT(worst_normal(organ, surface, squeezed, {1.2, 1.0, 0.8}), 1.5 * organ_degree);
    surface.update(organ, model.rest);
    EXPECT_LT(worst_normal(organ, surface, model.rest, {1, 1, 1}), 0.2 * organ_degree)
        << "nothing is left of the frame before";
}

TEST(OrganSurface, ACubeKeepsItsEdges) {
    const Model model = solid(make_block_surface({0, 0, 0}, {1, 1, 1}, {3, 3, 3}));
    const Drawing drawing = make_drawing(model);
    const Organ& organ = drawing.organs.at(0);
    OrganSurface surface(organ);
    surface.update(organ, model.rest);
    // 16 nodes a face, each face its own.
    EXPECT_EQ(organ.nodes.size(), 56U);
    EXPECT_EQ(surface.vertices.size(), 6U * 16U);
    for (std::size_t t = 0; t < organ.triangles.size(); ++t) {
        const auto& [a, b, c] = organ.triangles[t];
        const Vec3 facet =
            normalized(cross(organ.rest[at(b)] - organ.rest[at(a)], organ.rest[at(c)] - organ.rest[at(a)]));
        for (std::size_t k = 0; k < 3; ++k) {
            const OrganVertex& vertex = surface.vertices[at(surface.triangles[t][k])];
            EXPECT_NEAR(dot(vector(vertex.normal), facet), 1.0, 1e-6);
            EXPECT_EQ(surface.nodes[at(surface.triangles[t][k])], organ.triangles[t][k]);
            // Only nodes within a face are curved: edges are the same from both sides.
            const Vec3& p = organ.rest[at(organ.triangles[t][k])];
            int on = 0;
            for (const double x : {p.x, p.y, p.z}) on += x == 0.0 || x == 1.0 ? 1 : 0;
            EXPECT_EQ(vertex.bend, on > 1 ? 0.0F : 1.0F);
        }
    }
}

// A long roof: two slopes that meet at an angle.
SurfaceMesh make_roof(double angle) {
    SurfaceMesh roof;
    const double s = std::sin(0.5 * angle), c = std::cos(0.5 * angle);
    for (const double y : {0.0, 1.0}) {
        roof.nodes.insert(roof.nodes.end(), {{-c, y, -s}, {0, y, 0}, {c, y, -s}});
    }
    roof.triangles = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
    return roof;
}

std::size_t roof_vertices(double angle) {
    return OrganSurface(make_drawing(solid(make_roof(angle))).organs.at(0)).vertices.size();
}

// On the ridge there is one triangle on one side and two on the other: weighted by their areas, or each the same,
// normals would lean.
TEST(OrganSurface, NormalsDoNotDependOnHowASlopeIsCut) {
    const Model model = solid(make_roof(30.0 * organ_degree));
    const Drawing drawing = make_drawing(model);
    OrganSurface surface(drawing.organs.at(0));
    surface.update(drawing.organs[0], model.rest);
    int ridge = 0;
    for (const OrganVertex& vertex : surface.vertices) {
        if (vertex.position[0] != 0.0F) continue;
        EXPECT_NEAR(static_cast<double>(vertex.normal[2]), 1.0, 1e-6);
        ++ridge;
    }
    EXPECT_EQ(ridge, 2);
}

TEST(OrganSurface, CreasesBeginAtFortyDegrees) {
    EXPECT_EQ(roof_vertices(39.0 * organ_degree), 6U);
    EXPECT_EQ(roof_vertices(41.0 * organ_degree), 8U);
    EXPECT_EQ(roof_vertices(-41.0 * organ_degree), 8U) << "valleys as well";
}

TEST(OrganSurface, ValuesHaveAPlaceInTheRange) {
    const Model model = solid(make_icosphere(1, 1.0));
    const Drawing drawing = make_drawing(model);
    const Organ& organ = drawing.organs.at(0);
    OrganSurface surface(organ);
    std::vector<float> field(model.nodes(), 1.5F);
    const auto share_of = [&](std::size_t node) {
        for (std::size_t i = 0; i < surface.nodes.size(); ++i) {
            if (at(organ.nodes[at(surface.nodes[i])]) == node) return surface.vertices[i].share;
        }
        return -2.0F;
    };
    field[0] = 0.5F;
    field[1] = 9.0F;
    field[2] = std::numeric_limits<float>::quiet_NaN();
    surface.set_field(organ, field, {1.0, 2.0});
    EXPECT_EQ(share_of(0), 0.0F);
    EXPECT_EQ(share_of(1), 1.0F);
    EXPECT_EQ(share_of(2), -1.0F) << "not known";
    EXPECT_EQ(share_of(3), 0.5F);
    surface.set_field(organ, {}, {1.0, 2.0});
    EXPECT_EQ(share_of(3), -1.0F);
}

// A flat square in the plane z = height.
SurfaceMesh square(double height) {
    return {{{0, 0, height}, {1, 0, height}, {1, 1, height}, {0, 1, height}}, {{0, 1, 2}, {0, 2, 3}}};
}

TEST(DrawingOfBodies, SolidsAreOrgansAndOthersSheets) {
    Model model;
    add_body(model, "fold", "mass_spring", square(0.0));
    add_body(model, "liver", "tled", make_icosphere(1, 1.0), {0, 0, 3});
    add_body(model, "spleen", "tled", make_icosphere(0, 1.0), {0, 0, 9});
    const Drawing drawing = make_drawing(model);
    ASSERT_EQ(drawing.sheets.size(), 1U);
    EXPECT_EQ(drawing.sheets[0].triangles.size(), 2U);
    ASSERT_EQ(drawing.organs.size(), 2U);
    EXPECT_EQ(drawing.organs[0].name, "liver");
    EXPECT_EQ(drawing.organs[0].triangles.size(), 80U);
    EXPECT_EQ(drawing.organs[0].nodes.size(), 42U);
    EXPECT_EQ(drawing.organs[1].triangles.size(), 20U);
    for (const Organ& organ : drawing.organs) {
        for (std::size_t i = 0; i < organ.nodes.size(); ++i) {
            EXPECT_EQ(organ.rest[i], model.rest[at(organ.nodes[i])]);
        }
    }
    model.bodies[1].tissue = TissueKind::mass_spring;
    EXPECT_EQ(make_drawing(model).organs.size(), 1U);
}

TEST(DrawingOfBodies, TheCameraSeesOrgans) {
    for (const SurfaceMesh& mesh : {make_icosphere(2, 1.0), make_block_surface({-4, -1, 0}, {4, 1, 1}, {2, 2, 2})}) {
        const Model model = solid(mesh, {4, 5, 6});
        Camera camera = choose_camera(make_drawing(model), model.rest);
        const auto all_in_picture = [&] {
            return std::all_of(model.rest.begin(), model.rest.end(), [&](const Vec3& p) {
                const Vec3 place = place_in_picture(camera, 4.0 / 3.0, p);
                return place.x > 0.0 && place.x < 1.0 && place.y > 0.0 && place.y < 1.0 && place.z > 0.0;
            });
        };
        EXPECT_TRUE(all_in_picture());
        camera.distance *= 0.6;
        EXPECT_FALSE(all_in_picture()) << "the control: no farther away than needed";
    }
}

TEST(PickOrgan, TheNearestNodeOfTheFirstTriangle) {
    Model model = solid(make_icosphere(3, 1.0));
    add_body(model, "behind", "tled", make_icosphere(3, 1.0), {0, 0, -5});
    const Drawing drawing = make_drawing(model);
    const Vec3 eye{0.3, 0.2, 6.0};
    for (const Vec3& aim : {Vec3{0, 0, 0.9}, Vec3{0.5, 0.1, 0.6}, Vec3{-0.4, -0.5, 0.3}}) {
        const Ray ray{eye, normalized(aim - eye)};
        const auto picked = pick(drawing, model.rest, ray);
        ASSERT_TRUE(picked);
        EXPECT_NEAR(norm(picked->point), 1.0, 0.02);
        EXPECT_GT(picked->point.z, 0.0) << "from outside";
        EXPECT_NEAR(distance(ray.origin + picked->distance * ray.direction, picked->point), 0.0, 1e-12);
        double nearest = 1e9;
        for (const Vec3& p : model.rest) nearest = std::min(nearest, distance(p, picked->point));
        EXPECT_EQ(distance(model.rest[at(picked->node)], picked->point), nearest);
    }
    EXPECT_FALSE(pick(drawing, model.rest, {eye, normalized({1, 0, -1})})) << "beside them";
    EXPECT_FALSE(pick(drawing, model.rest, {eye, {0, 0, 1}})) << "behind the eye";
    // From between the two the other one is the first.
    const auto other = pick(drawing, model.rest, {{0.1, 0.0, -2.0}, {0, 0, -1}});
    ASSERT_TRUE(other);
    EXPECT_LT(other->point.z, -3.9);
}

TEST(PickOrgan, ATubeInFrontIsTaken) {
    Model model = solid(make_icosphere(2, 1.0));
    Drawing drawing = make_drawing(model);
    std::vector<Vec3> positions = model.rest;
    const auto first = static_cast<std::int32_t>(positions.size());
    positions.insert(positions.end(), {{-1, 0, 2}, {1, 0.02, 2}});
    drawing.tubes.push_back({{first, first + 1}, {0.1, 0.1}});
    const auto picked = pick(drawing, positions, {{0.2, 0, 6}, {0, 0, -1}});
    ASSERT_TRUE(picked);
    EXPECT_EQ(picked->node, first + 1);
    EXPECT_LT(pick(drawing, positions, {{0.2, 0.5, 6}, {0, 0, -1}})->node, first);
}

// CIE L*a*b* under D65.
Vec3 to_lab(const Rgb& colour) {
    std::array<double, 3> c{};
    for (std::size_t i = 0; i < 3; ++i) {
        c[i] = colour[i] <= 0.04045 ? colour[i] / 12.92 : std::pow((colour[i] + 0.055) / 1.055, 2.4);
    }
    const auto root = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0; };
    const double x = root((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047);
    const double y = root(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    const double z = root((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883);
    return {116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)};
}

// Largest step of a map over its smallest, in L*a*b*.
template <class Map>
double unevenness(const Map& map) {
    double least = 1e9, most = 0.0;
    for (int i = 1; i <= 64; ++i) {
        const double step = distance(to_lab(map(i / 64.0)), to_lab(map((i - 1) / 64.0)));
        least = std::min(least, step);
        most = std::max(most, step);
    }
    return most / least;
}

TEST(ColourMap, LightnessRisesAndStepsAreEven) {
    const ColourMap map;
    for (int i = 1; i <= 64; ++i) EXPECT_GT(lightness(map.at(i / 64.0)), 0.5 + lightness(map.at((i - 1) / 64.0)));
    EXPECT_LT(unevenness([&](double x) { return map.at(x); }), 1.05);
    const auto rainbow = [](double x) {
        const auto part = [x](double at) { return std::clamp(1.5 - std::abs(4.0 * x - at), 0.0, 1.0); };
        return Rgb{part(3.0), part(2.0), part(1.0)};
    };
    EXPECT_GT(unevenness(rainbow), 2.0) << "the control";
    EXPECT_NEAR(lightness(map.at(0.0)), 20.0, 0.5);
    EXPECT_NEAR(lightness(map.at(1.0)), 92.0, 0.5);
    EXPECT_EQ(map.at(-3.0), map.at(0.0));
    EXPECT_EQ(map.at(7.0), map.at(1.0));
    EXPECT_NEAR(lightness({1, 1, 1}), 100.0, 0.01);
    EXPECT_NEAR(lightness({0.5, 0.5, 0.5}), 53.4, 0.1);
    EXPECT_LT(lightness(rainbow(1.0)), lightness(rainbow(0.5))) << "the control: it does not only rise";
    EXPECT_EQ(map.texels().size(), 1024U);
}

TEST(FieldScale, RoundsUpToOneTwoFive) {
    const std::vector<std::array<double, 2>> pairs{{1.0, 1.0},   {1.01, 2.0},  {2.0, 2.0},   {2.1, 5.0}, {5.0, 5.0},
                                                   {5.01, 10.0}, {0.03, 0.05}, {731.0, 1e3}, {1e3, 1e3}, {1.3e6, 2e6}};
    for (const auto& [value, rounded] : pairs) EXPECT_NEAR(round_up_125(value), rounded, 1e-9 * rounded) << value;
    EXPECT_EQ(round_up_125(0.0), 0.0);
    EXPECT_EQ(round_up_125(-3.0), 0.0);
    EXPECT_EQ(round_up_125(std::nan("")), 0.0);
}

TEST(FieldScale, AFewWildValuesDoNotCount) {
    std::vector<float> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 100);
    values[17] = 1e9F;
    values[18] = std::numeric_limits<float>::quiet_NaN();
    values[19] = std::numeric_limits<float>::infinity();
    EXPECT_NEAR(robust_maximum(values), 98.5, 0.6);
    std::vector<float> none{std::numeric_limits<float>::quiet_NaN()};
    EXPECT_EQ(robust_maximum(none), 0.0);
    none.clear();
    EXPECT_EQ(robust_maximum(none), 0.0);
}

TEST(FieldScale, WidensAtOnceAndNarrowsLate) {
    FieldScale scale;
    const auto end = [&](FieldKind kind, float value, double wanted = 0.0) {
        std::vector<float> values(50, value);
        return scale.update(kind, values, wanted).high;
    };
    EXPECT_EQ(end(FieldKind::stress, 900.0F), 1000.0);
    EXPECT_EQ(end(FieldKind::stress, 1001.0F), 2000.0);
    EXPECT_EQ(end(FieldKind::stress, 900.0F), 2000.0) << "no flicker";
    for (int i = 0; i < 80; ++i) EXPECT_EQ(end(FieldKind::stress, 30.0F), 2000.0) << "it is held for a while";
    EXPECT_EQ(end(FieldKind::stress, 1500.0F), 2000.0);
    int frames = 0;
    while (end(FieldKind::stress, 30.0F) == 2000.0 && frames < 1000) ++frames;
    EXPECT_GT(frames, 80);
    EXPECT_EQ(scale.range().high, 50.0);
    EXPECT_NEAR(end(FieldKind::stretch, 1.13F), 1.2, 1e-9) << "another field, another range, from 1";
    EXPECT_EQ(scale.range().low, 1.0);
    EXPECT_EQ(end(FieldKind::stretch, 1.13F, 3.0), 3.0) << "what is wanted";
    EXPECT_NEAR(end(FieldKind::stretch, 1.13F), 1.2, 1e-9);
    EXPECT_NEAR(end(FieldKind::stretch, 1.0F), 1.2, 1e-9);
    EXPECT_EQ(end(FieldKind::stress, 0.0F), 1.0) << "rest is not blown up";
}

TEST(Legend, TitlesAndTicks) {
    const LegendText stress = describe(FieldKind::stress, {0.0, 5000.0});
    EXPECT_EQ(stress.title, (std::vector<std::string>{"von Mises", "stress, kPa"}));
    EXPECT_EQ(stress.ticks, (std::array<std::string, 5>{"0", "1.25", "2.5", "3.75", "5"}));
    EXPECT_EQ(describe(FieldKind::stress, {0.0, 200.0}).title.back(), "stress, Pa");
    EXPECT_EQ(describe(FieldKind::stress, {0.0, 200.0}).ticks[1], "50");
    EXPECT_EQ(describe(FieldKind::stress, {0.0, 2e6}).title.back(), "stress, MPa");
    EXPECT_EQ(describe(FieldKind::named, {0.0, 2.0}, "height", "m").title, (std::vector<std::string>{"height,", "m"}));
    EXPECT_EQ(describe(FieldKind::named, {0.0, 2.0}, "share").title, std::vector<std::string>{"share"});
    const LegendText stretch = describe(FieldKind::stretch, {1.0, 1.2});
    EXPECT_EQ(stretch.title.front(), "largest");
    EXPECT_EQ(stretch.ticks, (std::array<std::string, 5>{"1", "1.05", "1.1", "1.15", "1.2"}));
}

TEST(Legend, EveryCharacterHasAGlyphOfItsOwn) {
    std::set<std::vector<float>> shapes;
    std::set<char> characters;
    for (const FieldKind kind : {FieldKind::stress, FieldKind::stretch}) {
        for (const double high : {3.0, 4e3, 5e6}) {
            const LegendText text = describe(kind, {0.0, high});
            for (const std::string& line : text.title) characters.insert(line.begin(), line.end());
        }
    }
    for (const char c : std::string("0123456789.-")) characters.insert(c);
    characters.erase(' ');
    for (const char c : characters) {
        EXPECT_TRUE(has_glyph(c)) << c;
        std::vector<Stroke> strokes;
        write_text(std::string(1, c), 0.0, 0.0, 7.0, strokes);
        std::vector<float> numbers;
        for (const Stroke& s : strokes) {
            numbers.insert(numbers.end(), {s.x0, s.y0, s.x1, s.y1});
            for (const float y : {s.y0, s.y1}) EXPECT_TRUE(y > -2.5F && y < 7.5F) << c;
            for (const float x : {s.x0, s.x1}) EXPECT_TRUE(x > -0.6F && x < 6.6F) << c;
        }
        EXPECT_TRUE(shapes.insert(numbers).second) << c << " looks like another";
    }
    EXPECT_FALSE(has_glyph('%'));
    EXPECT_GT(text_width("00", 10.0), 2.0 * text_width("0", 10.0));
    EXPECT_EQ(text_width("", 10.0), 0.0);
}

TEST(Legend, FitsIntoAnyPicture) {
    std::vector<LegendMark> marks;
    const LegendText text = describe(FieldKind::stretch, {1.0, 1.05});
    for (const auto& [width, height] : {std::array{1920, 1080}, {640, 480}, {160, 120}, {200, 2000}, {3000, 100}}) {
        lay_out_legend(text, width, height, marks);
        int bars = 0;
        for (const LegendMark& mark : marks) {
            bars += mark.kind == static_cast<float>(MarkKind::bar) ? 1 : 0;
            for (const std::size_t i : {0U, 2U}) {
                EXPECT_TRUE(mark.ends[i] > 0.5F * static_cast<float>(width) &&
                            mark.ends[i] < static_cast<float>(width));
                EXPECT_TRUE(mark.ends[i + 1] > 0.0F && mark.ends[i + 1] < static_cast<float>(height));
            }
        }
        EXPECT_EQ(bars, 1);
    }
}

TEST(Field, IsEmptyWhereNothingIsKnown) {
    Model model;
    add_body(model, "fold", "mass_spring", square(0.0));
    Frame frame;
    frame.positions = model.rest;
    frame.field = {1.0F};
    frame.field_kind = FieldKind::stress;
    fill_field(model, FieldKind::stress, frame);
    EXPECT_TRUE(frame.field.empty());
    EXPECT_EQ(frame.field_kind, FieldKind::none);
}

}  // namespace
}  // namespace plica::render
