#include <fmt/format.h>

#include <cstdio>

#include "commands.hpp"
#include "print.hpp"
#include "scene/build.hpp"

namespace plica::app {

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
    std::vector<std::string> notes;
    Built built;
    try {
        const SceneSource source = find_scene(options.scene, options.overrides);
        notes = read_scene(source).notes;
        built = build_scene(source, 1);
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
        if (!notes.empty()) result["notes"] = notes;
        print_json(result);
    } else {
        for (const std::string& note : notes) fmt::print("{}\n", note);
        fmt::print("{}: valid (nodes: {}, primitives: {}, bodies: {}, tools: {})\n", options.scene, built.model.nodes(),
                   primitive_count(built.model.surface), built.model.bodies.size(), built.model.tools.size());
    }
    return problem.empty() ? Status::ok : Status::bad_input;
}

}  // namespace plica::app
