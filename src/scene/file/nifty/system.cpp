#include "scene/file/nifty/system.hpp"

#include <fmt/format.h>

namespace plica::nifty {
namespace {

// Names that say how NiftySim computes, not what.
constexpr const char* without_effect[] = {
    "HGKappa",      "BVType", "RateConstraintDistance", "ContactSafetyMargin", "DeformableFrictionCoefficient",
    "MeshColouring"};
constexpr const char* switches[] = {"DoDeformableCollision", "DoSelfCollision", "DoMultiPassContacts", "ROM"};

const Vocabulary parameters{{"TimeStep", "TotalTime", "DampingCoeff", "Density", "HGKappa", "BVType",
                             "RateConstraintDistance", "ContactSafetyMargin", "DeformableFrictionCoefficient",
                             "MeshColouring", "DoDeformableCollision", "DoSelfCollision", "DoMultiPassContacts", "ROM"},
                            {}};

bool read_required(Document& document, const pugi::xml_node& system, const char* name, Document::Range range,
                   double& value) {
    const pugi::xml_node node = system.child(name);
    if (!node) {
        document.complain(system, fmt::format("SystemParams: found no {}, expected it in seconds", name));
        return false;
    }
    return document.number(node, range, value);
}

// Off is well; on is not supported.
void read_switch(Document& document, const pugi::xml_node& node) {
    document.check_attributes(node, {"Type"});
    double value = 0.0;
    if (!document.number(node, {-1e9, 1e9}, value)) return;
    if (value != 0.0) {
        document.complain(node, fmt::format("{} switched on is not supported", node.name()));
    } else {
        document.note(node, fmt::format("{} is off", node.name()));
    }
}

}  // namespace

System read_system(Document& document, const pugi::xml_node& model) {
    System result;
    const pugi::xml_node system = model.child("SystemParams");
    if (!system) {
        document.complain(model, "Model: found no SystemParams, expected TimeStep and TotalTime there");
        return result;
    }
    document.check_attributes(system, {});
    document.check_children(system, parameters);
    document.check_empty(system);
    for (const char* name : {"TimeStep", "TotalTime", "DampingCoeff", "Density"}) {
        document.check_attributes(system.child(name), {});
        document.check_children(system.child(name), {});
    }
    const bool ends = read_required(document, system, "TotalTime", {1e-6, 1e6}, result.total_time);
    const bool steps = read_required(document, system, "TimeStep", {1e-9, 1e6}, result.time_step);
    if (ends && steps && result.time_step > result.total_time) {
        document.complain(
            system.child("TimeStep"),
            fmt::format("TimeStep: found {} s, expected at most TotalTime, {} s", result.time_step, result.total_time));
    }
    if (const pugi::xml_node node = system.child("DampingCoeff")) document.number(node, {0.0, 1e5}, result.damping);
    if (const pugi::xml_node node = system.child("Density")) document.number(node, {0.0, 1e6, true}, result.density);
    for (const char* name : switches) {
        if (const pugi::xml_node node = system.child(name)) read_switch(document, node);
    }
    for (const char* name : without_effect) {
        if (const pugi::xml_node node = system.child(name))
            document.note(node, fmt::format("{} has no effect here", name));
    }
    return result;
}

void read_output(Document& document, const pugi::xml_node& model) {
    const pugi::xml_node output = model.child("Output");
    if (!output) return;
    document.check_attributes(output, {"Freq"});
    document.check_children(output, {{"Variable"}, {}}, {"Variable"});
    document.note(output, "Output has no effect here; see plica run --dump and plica export");
}

}  // namespace plica::nifty
