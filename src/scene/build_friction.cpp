#include "scene/build_friction.hpp"

namespace plica {
namespace {

// Pieces of one file are several bodies of one name.
void add_pair(const FrictionPair& pair, Model& model) {
    FrictionRules& rules = model.friction_rules;
    const auto bodies = static_cast<std::int32_t>(model.bodies.size());
    const auto is_called = [&](std::int32_t i, const std::string& name) {
        return model.bodies[static_cast<std::size_t>(i)].name == name;
    };
    for (std::int32_t a = 0; a < bodies; ++a) {
        if (!is_called(a, pair.body)) continue;
        for (std::int32_t b = 0; b < bodies && !pair.on_wall; ++b) {
            if (is_called(b, pair.other)) rules.of_pairs.push_back({a, b, pair.friction});
        }
        for (std::size_t w = 0; w < model.walls.size() && pair.on_wall; ++w) {
            if (wall_name(model.walls[w].kind) != pair.other) continue;
            rules.on_walls.push_back({a, static_cast<std::int32_t>(w), pair.friction});
        }
    }
}

}  // namespace

void note_friction(std::optional<double> friction, Model& model) {
    model.friction_rules.of_body.resize(model.bodies.size(), friction.value_or(-1.0));
}

void add_friction(const SceneDescription& scene, Model& model) {
    FrictionRules& rules = model.friction_rules;
    for (const FrictionPair& pair : scene.friction_pairs) add_pair(pair, model);
    if (rules.empty()) return;
    rules.body_of_node.resize(model.nodes());
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const Body& body = model.bodies[b];
        std::fill_n(rules.body_of_node.begin() + body.first_node, body.nodes, static_cast<std::int32_t>(b));
    }
    model.frictions.fill(rules, model.contact.friction, model.walls);
}

}  // namespace plica
