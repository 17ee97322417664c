#include "scene/file/nifty/system.hpp"

#include <fmt/format.h>

namespace plica::nifty {
namespace {

// Names that say how NiftySim computes, not what.
constexpr const char* without_effect[] = {"HGKappa", "BVType", "RateConstraintDistance", "MeshColouring"};

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

// True where it is there and on.
bool read_switch(Document& document, const pugi::xml_node& node) {
    if (!node) return false;
    document.check_attributes(node, {"Type"});
    double value = 0.0;
    if (!document.number(node, {-1e9, 1e9}, value)) return false;
    if (value == 0.0) document.note(node, fmt::format("{} is off", node.name()));
    if (value != 0.0 && node.attribute("Type")) {
        document.note(node, fmt::format("{}: Type has no effect here: all contacts are solved together", node.name()));
    }
    return value != 0.0;
}

void read_contact_switches(Document& document, const pugi::xml_node& system, System& result) {
    const bool collide = read_switch(document, system.child("DoDeformableCollision"));
    result.touch_themselves = read_switch(document, system.child("DoSelfCollision"));
    result.bodies_touch = collide || result.touch_themselves;  // the second implies the first, says NiftySim
    if (read_switch(document, system.child("DoMultiPassContacts"))) {
        document.note(system.child("DoMultiPassContacts"),
                      "DoMultiPassContacts has no effect here: all contacts are solved together");
    }
    if (read_switch(document, system.child("ROM")))
        document.complain(system.child("ROM"), "ROM switched on is not supported");
    result.friction_node = system.child("DeformableFrictionCoefficient");
    if (result.friction_node) document.number(result.friction_node, {0.0, 10.0}, result.friction);
    result.margin_node = system.child("ContactSafetyMargin");
    if (result.margin_node) document.number(result.margin_node, {0.0, 1e9}, result.margin);
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
    read_contact_switches(document, system, result);
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
