#include <epoxy/gl.h>

#include <cmath>
#include <cstddef>

#include "render/layers/pass.hpp"
#include "render/tube_cells.hpp"

namespace plica::render {

void set_light(const Pass& pass, gl::Program& program) {
    program.set("to_clip", pass.to_clip);
    program.set("to_light", pass.to_light);
    if (pass.depth_only) return;
    program.set("eye", pass.eye);
    program.set("lamp", pass.lamp);
    program.set("reach", static_cast<float>(pass.reach));
    program.set("noise_field", noise_unit);
    program.set("shadow_map", shadow_unit);
    program.set("shadow_texel", pass.shadow_texel);
}

namespace {

// The first or the last frame of a tube, looking outwards; in place of a length, whether that is along the tube (1) or
// against it (-1).
AxisFrame outwards(AxisFrame frame, bool first) {
    if (first) {
        for (float& t : frame.tangent) t = -t;
    }
    frame.half_length = first ? -1.0F : 1.0F;
    return frame;
}

void find_ends(const std::vector<AxisFrame>& frames, std::vector<AxisFrame>& ends) {
    ends.clear();
    bool first = true;
    for (const AxisFrame& frame : frames) {
        const bool last = frame.half_length <= 0.0F;
        if (first || last) ends.push_back(outwards(frame, first));
        first = last;
    }
}

}  // namespace

TubeLayer::TubeLayer() = default;

std::size_t TubeLayer::resolution(int sides, int rings) {
    for (std::size_t i = 0; i < m_resolutions.size(); ++i) {
        if (m_resolutions[i].sides == sides && m_resolutions[i].rings == rings) return i;
    }
    Resolution fresh{sides, rings, gl::Mesh(make_cylinder(sides, rings)),
                     gl::Mesh(make_cylinder(sides, std::max(2, sides / 4)))};
    constexpr int stride = sizeof(AxisFrame);
    fresh.skin.add_instanced(m_frame_stream, 1, 4, stride, 0);
    fresh.skin.add_instanced(m_frame_stream, 5, 4, stride, stride);  // the neighbour's
    fresh.cap.add_instanced(m_end_stream, 1, 3, stride, 0);
    m_resolutions.push_back(std::move(fresh));
    return m_resolutions.size() - 1;
}

void TubeLayer::update(const Drawing& drawing, std::span<const Vec3> positions, const Style& style,
                       DrawReport& report) {
    const Detail& detail = style.detail;
    switch (style.sampling) {
        case Sampling::turning:
            find_axis_frames(drawing.tubes, positions, detail.largest_turn, m_frames);
            break;
        case Sampling::adaptive:
            find_axis_frames_adaptive(drawing.tubes, positions, style.eps, m_frames);
            break;
        case Sampling::even:
            find_axis_frames_even(drawing.tubes, positions, style.even_cells, m_frames);
            break;
    }
    find_ends(m_frames, m_ends);
    if (m_frames.empty()) return;
    report.cells += m_frames.size() - drawing.tubes.size();
    m_frames.push_back(m_frames.back());  // the last one's neighbour
    report.bytes += m_frame_stream.fill(m_frames.data(), m_frames.size() * sizeof(AxisFrame));
    report.bytes += m_end_stream.fill(m_ends.data(), m_ends.size() * sizeof(AxisFrame));
    m_now = resolution(detail.sides, detail.rings);
    m_coarse = resolution(std::min(detail.sides, std::max(12, detail.sides / 2)), std::max(2, detail.rings / 2));
}

gl::Program& TubeLayer::program(const Pass& pass, bool cap) {
    if (pass.depth_only) return cap ? m_cap_depth : m_skin_depth;
    if (pass.style.colour == ColourBy::curvature) return pass.variant(cap ? m_cap_curvature : m_skin_curvature);
    return pass.variant(cap ? m_cap : m_skin);
}

void TubeLayer::draw(const Pass& pass, const Drawing& drawing, std::span<const Vec3> positions, DrawReport& report) {
    if (m_frames.size() < 3) return;
    const std::int32_t touched = pass.style.highlight;
    double reach = 0.0;
    for (const Tube& tube : drawing.tubes) reach = std::max(reach, 1.8 * tube.radius.front());
    for (const bool cap : {false, true}) {
        gl::Program& program = this->program(pass, cap);
        program.use();
        set_light(pass, program);
        if (!pass.depth_only) {
            const bool known = touched >= 0 && static_cast<std::size_t>(touched) < positions.size();
            program.set("highlighted", known ? positions[static_cast<std::size_t>(touched)] : Vec3{},
                        known ? reach : 0.0);
        }
        const Resolution& now = m_resolutions[pass.depth_only ? m_coarse : m_now];
        const gl::Mesh& mesh = cap ? now.cap : now.skin;
        report.triangles +=
            mesh.draw(pass.style.wireframe && !pass.depth_only, cap ? m_ends.size() : m_frames.size() - 2);
        ++report.draw_calls;
    }
}

}  // namespace plica::render
