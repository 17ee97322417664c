#include <fmt/format.h>

#include <cstdio>

#include "apps/plica/commands.hpp"
#include "apps/plica/membrane_numbers.hpp"
#include "apps/plica/print.hpp"
#include "scene/build.hpp"

namespace plica::app {
namespace {

// What is no mistake but good to know.
std::vector<std::string> list_obtuse(const Model& model) {
    std::vector<std::string> notes;
    for (const Body& body : model.bodies) {
        const heat::Membrane* membrane = find_membrane(model, body);
        if (membrane == nullptr || membrane->conduction.obtuse_edges == 0) continue;
        notes.push_back(fmt::format("{}: {}", body.name, obtuse_text(membrane->conduction.obtuse_edges)));
    }
    return notes;
}

}  // namespace

Status list_scenes(bool json) {
    Json list = Json::array();
    for (const BuiltinScene& scene : builtin_scenes()) {
        const std::string title = read_scene(find_scene(scene.name)).title;
        if (json) {
            list.push_back({{"name", scene.name}, {"title", title}});
        } else {
            fmt::print("{:<18} {}\n", scene.name, title);
        }
    }
    if (json) print_json({{"scenes", list}});
    return Status::ok;
}

Status check(const CheckOptions& options) {
    std::string problem;
    std::vector<std::string> notes, obtuse;
    Built built;
    try {
        const SceneSource source = find_scene(options.scene, options.overrides);
        notes = read_scene(source).notes;
        built = build_scene(source, 1);
        obtuse = list_obtuse(built.model);
    } catch (const Error& error) {
        if (!options.json) throw;
        problem = error.what();
    }
    if (options.json) {
        Json errors = Json::array();
        for (std::size_t at = 0; at < problem.size();) {
            const std::size_t end = std::min(problem.find('\n', at), problem.size());
            errors.push_back(problem.substr(at, end - at));
            at = end + 1;
        }
        Json result{{"scene", options.scene}, {"valid", problem.empty()}, {"errors", errors}};
        notes.insert(notes.end(), obtuse.begin(), obtuse.end());
        if (!notes.empty()) result["notes"] = notes;
        print_json(result);
    } else {
        for (const std::string& note : notes) fmt::print("{}\n", note);
        fmt::print("{}: valid (nodes: {}, primitives: {}, bodies: {}, tools: {})\n", options.scene, built.model.nodes(),
                   primitive_count(built.model.surface), built.model.bodies.size(), built.model.tools.size());
        for (const std::string& note : obtuse) fmt::print("{}\n", note);
    }
    return problem.empty() ? Status::ok : Status::bad_input;
}

}  // namespace plica::app
