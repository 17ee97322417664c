#pragma once
#include <functional>

#include "audit/audit.hpp"
#include "engine/world.hpp"
#include "scene/build.hpp"
#include "scene/description.hpp"
#include "scene/script.hpp"

// A scene that runs under the audit and stops where a picture is wanted.
namespace plica::experiments {

// A segment of the gut whose axis goes through a triangle of the mesentery; of the pairs that the audit looks at, so
// not of a segment and the mesentery that it hangs on.
struct Piercing {
    Vec3 place;      // m, on the triangle
    Vec3 normal;     // unit, of the triangle
    double through;  // m, how far its nearer end is behind the triangle's plane
    std::int32_t node;
};

struct StageFindings {
    double worst = 0.0;         // by the audit: depth over half the sum of the radii
    double worst_now = 0.0;     // the same within the last frame
    int pass_throughs = 0;      // by the audit
    int gut_pass_throughs = 0;  // of them, gut through gut
    int pierced_frames = 0;     // (segment, triangle, frame)
    int most_pierced = 0;       // pairs in a frame
    int pierced_now = 0;        // pairs at the last frame
    Piercing deepest{};         // and the frame that it is in, when there is one
    Frame deepest_frame;
    int intersections = 0;  // by the audit: pairs of triangles of solids that intersect, the most at one look
    int looks = 0;          // of the audit at solids
    std::int64_t held = 0;  // nodes that certify held back, summed over the substeps
    int stayed = 0;         // steps in which a body, or part of it, was left where it was
    double contacts = 0.0;  // pairs that carry load, the most in a frame
    double speed = 0.0;     // m/s, rms of the nodes that move, at the last frame
    int frames = 0;
    std::int64_t substeps = 0;  // summed over the frames
    double seconds = 0.0;       // of computing, without the audit
    bool lost = false;          // a position is not a number
};

class Stage {
public:
    explicit Stage(const SceneSource& source);

    // `look` sees the world after each step.
    void run_to(double seconds, const std::function<void(const World&)>& look = {});

    [[nodiscard]] const World& world() const { return m_world; }
    [[nodiscard]] const StageFindings& found() const { return m_found; }

private:
    Stage(const SceneSource& source, Built built);
    void examine(const StepReport& report);
    void find_pierced();

    Script m_script;
    World m_world;
    Surface m_surface;  // tubes and triangles, whatever contact knows of
    audit::Audit m_audit;
    StageFindings m_found;
};

// A built-in scene, looked for by name; the paper's gut of 4 m with a mesentery 15 cm wide.
SceneSource plane_scene(std::vector<std::string> overrides);
// No plane: after two seconds the probe takes the middle of the gut once around the root of the mesentery, and back.
SceneSource loop_scene(std::vector<std::string> overrides);
inline constexpr double loop_begins = 3.0;  // s
double loop_closes();                       // s, once around
double loop_opens();                        // s, back again

}  // namespace plica::experiments
