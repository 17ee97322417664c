#include "simulation/scenario.hpp"

namespace plica {
namespace {

void add_text(const std::string& text, Hash& hash) {
    hash.add_bytes(text.data(), text.size());
}

}  // namespace

std::uint64_t compute_fingerprint(const SceneSource& source, const Model& model) {
    Hash hash;
    add_text(source.text, hash);
    for (const std::string& override_text : source.overrides) add_text(override_text, hash);
    hash.add_all(std::span(model.rest));
    hash.add_all(std::span(model.inverse_mass));
    hash.add_all(std::span(model.contact_radius));
    for (const Body& body : model.bodies) {
        add_text(body.name, hash);
        hash.add(static_cast<std::uint64_t>(body.tissue));
        hash.add(static_cast<std::uint64_t>(body.nodes));
    }
    for (const Capsule& c : model.surface.capsules) {
        for (const std::int32_t n : {c.a, c.b}) hash.add(static_cast<std::uint64_t>(n));
    }
    for (const Triangle& t : model.surface.triangles) {
        for (const std::int32_t n : {t.a, t.b, t.c}) hash.add(static_cast<std::uint64_t>(n));
    }
    return hash.value();
}

std::shared_ptr<const Scenario> make_scenario(OpenScene opened, std::uint64_t seed, const World& world) {
    const Model& model = world.model();
    auto scenario = std::make_shared<Scenario>();
    scenario->fingerprint = compute_fingerprint(opened.source, model);
    scenario->opened = std::move(opened);
    scenario->seed = seed;
    for (const Body& body : model.bodies) {
        scenario->bodies.push_back({body.name, static_cast<std::size_t>(body.first_node),
                                    static_cast<std::size_t>(body.nodes), std::string(traits_of(body.tissue).name)});
    }
    scenario->start = world.state();
    scenario->start_hash = compute_hash(world.state());
    ByteWriter memory(scenario->memory);
    world.save(memory);
    return scenario;
}

}  // namespace plica
