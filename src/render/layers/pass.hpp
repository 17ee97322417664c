#pragma once
#include "render/camera.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/targets.hpp"
#include "render/legend.hpp"
#include "render/renderer.hpp"
#include "render/tube_cells.hpp"

namespace plica::render {

// One way through the scene: the lamp's depth, or the picture.
struct Pass {
    explicit Pass(const Style& how) : style(how) {}

    bool depth_only = false;
    Matrix to_clip{}, to_light{};
    Vec3 eye, lamp;
    double reach = 1.0;         // m, from the eye to what it looks at
    float shadow_texel = 0.0F;  // 0: no shadows
    const Style& style;

    [[nodiscard]] gl::Program& variant(gl::LitProgram& program) const {
        return program.variant(style.detail.fine, shadow_texel > 0.0F);
    }
};

// Texture units that stay bound throughout a frame.
inline constexpr int noise_unit = 0, shadow_unit = 1, free_unit = 2;

void set_light(const Pass& pass, gl::Program& program);

// The intestine: one cylinder, bent over every cell.
class TubeLayer {
public:
    TubeLayer();
    void update(const Drawing& drawing, std::span<const Vec3> positions, const Style& style, DrawReport& report);
    void draw(const Pass& pass, const Drawing& drawing, std::span<const Vec3> positions, DrawReport& report);

private:
    struct Resolution {
        int sides, rings;
        gl::Mesh skin, cap;
    };
    std::size_t resolution(int sides, int rings);

    std::vector<AxisFrame> m_frames, m_ends;
    gl::Stream m_frame_stream, m_end_stream;
    std::vector<Resolution> m_resolutions;
    std::size_t m_now = 0, m_coarse = 0;  // of them: for the picture, for shadows
    gl::Program& program(const Pass& pass, bool cap);

    gl::LitProgram m_skin{"tube.vert", "tube.frag"}, m_cap{"cap.vert", "tube.frag"};
    gl::LitProgram m_skin_curvature{"tube.vert", "curvature.frag"}, m_cap_curvature{"cap.vert", "curvature.frag"};
    gl::Program m_skin_depth{"tube.vert", "depth.frag"}, m_cap_depth{"cap.vert", "depth.frag"};
};

// Mesenteries.
class SheetLayer {
public:
    explicit SheetLayer(const Drawing& drawing);
    ~SheetLayer();
    void update(const Drawing& drawing, std::span<const Vec3> positions, const Vec3& eye, const Detail& detail,
                DrawReport& report);
    void draw(const Pass& pass, const Drawing& drawing, DrawReport& report);

private:
    struct OnGpu;
    std::vector<OnGpu> m_sheets;
    int m_cuts = 1;
    gl::LitProgram m_program{"sheet.vert", "sheet.frag"};
    gl::Program m_depth{"sheet.vert", "depth.frag"};
};

// Solid organs, and what is rigid: bones, instruments.
class OrganLayer {
public:
    explicit OrganLayer(const Drawing& drawing);
    ~OrganLayer();
    void update(const Drawing& drawing, const Frame& frame, const Style& style, DrawReport& report);
    // only_coloured: without what shows no field.
    void draw(const Pass& pass, std::span<const Vec3> positions, DrawReport& report, bool only_coloured = false);
    // The field that is shown; none: tissue.
    [[nodiscard]] FieldKind field() const { return m_field; }
    [[nodiscard]] LegendText legend() const { return describe(m_field, m_scale.range(), m_field_name, m_field_unit); }
    [[nodiscard]] const gl::Object& colour_map() const { return m_map; }
    [[nodiscard]] double size() const { return m_size > 0.0 ? m_size : m_rigid_size; }  // m, of the largest

private:
    void choose_field(const Drawing& drawing, const Frame& frame, const Style& style);

    struct OnGpu;
    gl::Program& program(const Pass& pass, Look look);
    void set_organ(const Pass& pass, const OnGpu& organ, std::span<const Vec3> positions, gl::Program& program);

    std::vector<OnGpu> m_organs;
    std::vector<gl::Mesh> m_patches;
    int m_cuts = 1;
    double m_size = 0.0, m_rigid_size = 0.0;  // m
    FieldKind m_field = FieldKind::none;
    std::string m_field_name, m_field_unit;  // of kind named
    FieldScale m_scale;
    std::vector<float> m_values;
    gl::Object m_map;
    gl::LitProgram m_tissue{"organ.vert", "organ.frag"}, m_coloured{"organ.vert", "organ_field.frag"};
    gl::LitProgram m_bone{"organ.vert", "bone.frag"}, m_steel{"organ.vert", "steel.frag"};
    gl::Program m_depth{"organ.vert", "depth.frag"};
};

// What colours mean.
class LegendLayer {
public:
    LegendLayer();
    // Into the framebuffer that is bound, of width x height pixels.
    void draw(const LegendText& text, const gl::Object& colour_map, int width, int height, DrawReport& report);

private:
    gl::Program m_program{"legend.vert", "legend.frag"};
    gl::Mesh m_tile;
    gl::Stream m_stream;
    std::vector<LegendMark> m_marks;
};

// Cavity, bowl, plane; the tools; marks.
class SurroundingsLayer {
public:
    SurroundingsLayer();
    void draw_solids(const Pass& pass, const Drawing& drawing, DrawReport& report);
    void draw_tools(const Pass& pass, const Drawing& drawing, const Frame& frame, DrawReport& report);
    void draw_contacts(const Pass& pass, const Camera& camera, const Frame& frame, double size, DrawReport& report);

private:
    void draw(gl::Program& program, const Pass& pass, const gl::Mesh& mesh, const Matrix& to_world,
              const Vec3& inverse_radii, DrawReport& report);

    gl::LitProgram m_cavity{"solid.vert", "cavity.frag"}, m_plain{"solid.vert", "plain.frag"};
    gl::LitProgram m_metal{"solid.vert", "metal.frag"};
    gl::Program m_depth{"solid.vert", "depth.frag"}, m_mark{"mark.vert", "mark.frag"};
    gl::Mesh m_ball, m_half_ball, m_rod, m_square, m_tile;
    gl::Stream m_marks;
    std::vector<float> m_mark_data;
};

// What happens to the picture as a whole.
class ScreenLayer {
public:
    ScreenLayer();
    // Darkens `picture` where its depth shows that light does not get to. radius: m.
    void darken(const gl::Target& picture, const Camera& camera, double radius, DrawReport& report);
    // Into a framebuffer of width x height pixels, which may have more than the picture.
    void finish(const gl::Target& picture, unsigned framebuffer, int width, int height, bool smooth,
                DrawReport& report);

private:
    void cover(DrawReport& report);

    gl::Program m_occlusion{"screen.vert", "occlusion.frag"}, m_darken{"screen.vert", "darken.frag"};
    gl::Program m_finish{"screen.vert", "finish.frag"};
    gl::Object m_nothing{gl::Kind::vertex_array};
    std::unique_ptr<gl::Target> m_half;
};

}  // namespace plica::render
