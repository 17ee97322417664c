#pragma once
#include <string>
#include <vector>

#include "scene/description.hpp"
#include "scene/file/table_reader.hpp"

namespace plica {

// Adds the user's hand to a scene that is being read, without reading it again: what --set says of the hand is kept for
// its own table, which is read behind the scene's tools.
class HandReader {
public:
    // `root` before overrides; `hand` is filled by add_to(), nullptr: none is wanted. Keeps references.
    HandReader(const SceneSource& source, const toml::table& root, HandTool* hand);

    // Those that are not the hand's.
    [[nodiscard]] const std::vector<std::string>& scene_overrides() const { return m_scene_overrides; }
    void add_to(SceneDescription& scene) const;

private:
    const SceneSource& m_source;
    HandTool* m_hand;
    bool m_in_one_value = false;  // the scene's tools are: no table can follow them
    std::vector<std::string> m_scene_overrides, m_hand_overrides;
};

}  // namespace plica
