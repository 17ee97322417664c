#pragma once
#include "engine/inputs.hpp"
#include "engine/world.hpp"
#include "scene/description.hpp"

namespace plica {

// Turns the tools' paths and what shakes the scene into the inputs of each step. Where a waypoint names a place on a
// body, the tool takes the place's position at that moment; from then on it follows its path, not the body.
class Script {
public:
    explicit Script(const SceneDescription& scene);

    // What is behind it, as bytes: a script of the same scene that reads them goes on from there. What a script of this
    // scene cannot have come to by that step is refused.
    void save(ByteWriter& archive) const { visit(*this, archive); }
    void load(ByteReader& archive, const World& world, std::uint64_t step);

    // Inputs that take the world from its present step to the next.
    const Inputs& next(const World& world);

private:
    struct Progress {
        std::uint64_t passed = 0;  // waypoints behind us, of all rounds
        Vec3 from;                 // where the last one was
        Vec3 turn;                 // and how it was turned
        std::int32_t node = -1;
        bool present = false;
    };
    template <class Self, class Archive>
    static void visit(Self& self, Archive& archive);
    static bool is_on_time(const ToolDescription& tool, const Progress& progress, double now, double dt);
    [[nodiscard]] ToolInput next(const ToolDescription& tool, const World& world, Progress& progress) const;
    void pass(const Waypoint& point, const World& world, Progress& progress) const;

    SceneDescription m_scene;
    std::vector<Progress> m_progress;
    Inputs m_inputs;
};

// Node of a body at a fraction of its length.
std::int32_t find_node(const Model& model, const std::string& body, double fraction);

// Node of a solid body's surface that is nearest to a point; positions are the world's.
std::int32_t find_nearest_node(const Model& model, const std::string& body, std::span<const Vec3> positions,
                               const Vec3& point);

}  // namespace plica
