#include "render/renderer.hpp"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "render/layers/pass.hpp"

namespace plica::render {
namespace {

constexpr int shadow_size = 1024;
constexpr int noise_size = 64;

struct Sphere {
    Vec3 center;
    double radius = 0.1;
};

// Per node: is it of a rigid body?
std::vector<std::uint8_t> find_rigid_nodes(const Drawing& drawing) {
    std::vector<std::uint8_t> rigid(drawing.nodes, 0);
    for (const Organ& organ : drawing.organs) {
        if (!is_rigid(organ.look)) continue;
        for (const std::int32_t n : organ.nodes) rigid[static_cast<std::size_t>(n)] = 1;
    }
    return rigid;
}

// Without what is rigid and far from all that is looked at: shadows would be coarse for an instrument that waits.
Sphere bounds_of(std::span<const Vec3> positions, const std::vector<std::uint8_t>& rigid, const Camera& camera) {
    constexpr double far = 1.5;  // of the camera's distance
    Vec3 lo{1e30, 1e30, 1e30}, hi = -1.0 * lo;
    for (std::size_t n = 0; n < positions.size(); ++n) {
        const Vec3& p = positions[n];
        if (n < rigid.size() && rigid[n] != 0 && distance(p, camera.target) > far * camera.distance) continue;
        lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
        hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
    }
    if (lo.x > hi.x) return {};
    return {0.5 * (lo + hi), 0.5 * norm(hi - lo) + 0.03};
}

// The lamp sees all that can cast a shadow.
Matrix lamp_view(const Vec3& lamp, const Sphere& bounds) {
    const double far = std::max(distance(lamp, bounds.center), 1.05 * bounds.radius);
    const Vec3 forward = normalized(bounds.center - lamp);
    const Vec3 right = any_perpendicular(forward);
    const double field = 2.0 * std::asin(std::min(0.95, bounds.radius / far));
    return perspective(field, 1.0, std::max(0.1 * far, far - bounds.radius), far + 2.0 * bounds.radius) *
           look(lamp, right, cross(right, forward), forward);
}

}  // namespace

struct Renderer::Parts {
    explicit Parts(Drawing what)
        : drawing(std::move(what)), rigid(find_rigid_nodes(drawing)), sheets(drawing), organs(drawing) {
        for (const Tube& tube : drawing.tubes) {
            for (const double r : tube.radius) thickest = std::max(thickest, r);
        }
    }

    void draw_shadows(const Pass& pass, const Frame& frame, DrawReport& report) {
        shadow.bind();
        glDepthMask(GL_TRUE);
        glClear(GL_DEPTH_BUFFER_BIT);
        glEnable(GL_POLYGON_OFFSET_FILL);
        glPolygonOffset(1.5F, 2.0F);
        tubes.draw(pass, drawing, frame.positions, report);
        organs.draw(pass, frame.positions, report);
        if (pass.style.sheets) sheets.draw(pass, drawing, report);
        surroundings.draw_tools(pass, drawing, frame, report);
        glDisable(GL_POLYGON_OFFSET_FILL);
    }

    void draw_scene(const Pass& pass, const Frame& frame, const Camera& camera, DrawReport& report) {
        picture->bind();
        glClearColor(0.045F, 0.055F, 0.06F, 1.0F);
        glDepthMask(GL_TRUE);
        glClear(static_cast<GLbitfield>(GL_COLOR_BUFFER_BIT) | GL_DEPTH_BUFFER_BIT);
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        if (pass.style.surroundings) surroundings.draw_solids(pass, drawing, report);
        glDisable(GL_BLEND);
        tubes.draw(pass, drawing, frame.positions, report);
        organs.draw(pass, frame.positions, report);
        surroundings.draw_tools(pass, drawing, frame, report);
        if (pass.style.detail.occlusion) {
            screen.darken(*picture, camera, std::max({1.6 * thickest, 0.01, 0.08 * organs.size()}), report);
            // Colours that mean something are not darkened.
            if (organs.field() != FieldKind::none) organs.draw(pass, frame.positions, report, true);
        }
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
        glDepthMask(GL_FALSE);
        if (pass.style.sheets) sheets.draw(pass, drawing, report);
        glDepthMask(GL_TRUE);
        if (pass.style.contacts) surroundings.draw_contacts(pass, camera, frame, mark_size(), report);
        glDisable(GL_BLEND);
    }

    // m, of a contact that is neither light nor hard: to be seen at the size of what is drawn.
    [[nodiscard]] double mark_size() const { return std::max({0.25 * thickest, 0.001, 0.012 * organs.size()}); }

    void draw_legend(int width, int height, DrawReport& report) {
        if (organs.field() == FieldKind::none) return;
        if (!legend) legend.emplace();
        legend->draw(organs.legend(), organs.colour_map(), width, height, report);
    }

    Drawing drawing;
    std::vector<std::uint8_t> rigid;  // per node
    double thickest = 0.0;            // m
    gl::Object noise = gl::make_noise_texture(make_noise_field(noise_size));
    gl::Target shadow{shadow_size, shadow_size, false, true, true};
    std::optional<gl::Target> picture;
    TubeLayer tubes;
    SheetLayer sheets;
    OrganLayer organs;
    std::optional<LegendLayer> legend;  // made when it is first needed
    SurroundingsLayer surroundings;
    ScreenLayer screen;
};

Renderer::Renderer(Drawing drawing) : m_parts(std::make_unique<Parts>(std::move(drawing))) {}
Renderer::~Renderer() = default;

const Drawing& Renderer::drawing() const {
    return m_parts->drawing;
}

DrawReport Renderer::draw(const Frame& frame, const Camera& camera, const Style& style, int width, int height,
                          unsigned framebuffer) {
    Parts& parts = *m_parts;
    DrawReport report;
    const auto drawn = [&](int pixels) {
        return std::max(1, static_cast<int>(std::lround(style.detail.resolution * pixels)));
    };
    if (!parts.picture || parts.picture->width != drawn(width) || parts.picture->height != drawn(height)) {
        parts.picture.reset();
        parts.picture.emplace(drawn(width), drawn(height), true, true, false);
    }
    const double began = thread_cpu_seconds();
    parts.tubes.update(parts.drawing, frame.positions, style, report);
    if (style.sheets) parts.sheets.update(parts.drawing, frame.positions, camera.eye(), style.detail, report);
    parts.organs.update(parts.drawing, frame, style, report);
    report.prepare_seconds = thread_cpu_seconds() - began;

    Pass pass(style);
    pass.eye = camera.eye();
    pass.reach = camera.distance;
    pass.lamp = camera.eye() + camera.distance * (0.30 * camera.up() - 0.38 * camera.right());
    pass.to_light = lamp_view(pass.lamp, bounds_of(frame.positions, parts.rigid, camera));
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    if (style.detail.shadows) {
        pass.to_clip = pass.to_light;
        pass.depth_only = true;
        parts.draw_shadows(pass, frame, report);
        pass.depth_only = false;
        pass.shadow_texel = 1.0F / shadow_size;
    }
    gl::bind_texture(noise_unit, GL_TEXTURE_3D, parts.noise);
    gl::bind_texture(shadow_unit, GL_TEXTURE_2D, parts.shadow.depth);
    pass.to_clip = camera.projection(static_cast<double>(width) / height) * camera.view();
    parts.draw_scene(pass, frame, camera, report);
    parts.screen.finish(*parts.picture, framebuffer, width, height, style.detail.smooth, report);
    parts.draw_legend(width, height, report);
    return report;
}

}  // namespace plica::render
