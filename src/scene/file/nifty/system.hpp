#pragma once
#include "scene/file/nifty/document.hpp"

namespace plica::nifty {

// What SystemParams says, with every default filled in.
struct System {
    double time_step = 1e-4;  // s
    double total_time = 1.0;  // s
    double damping = 0.0;     // 1/s, force -damping m v
    double density = 0.0;     // kg/m^3; 0: none

    bool bodies_touch = false, touch_themselves = false;
    double friction = 0.0;  // of bodies on each other
    double margin = 0.0;    // m, that contact keeps; 0: not said
    pugi::xml_node friction_node, margin_node;
};

System read_system(Document& document, const pugi::xml_node& model);

// Harmless: what NiftySim would have written.
void read_output(Document& document, const pugi::xml_node& model);

}  // namespace plica::nifty
