#pragma once
#include "experiments/zhong/compare_body.hpp"
#include "geometry/pose.hpp"

// One body and one push by five models of tissue.
namespace plica::experiments {

enum class Model {
    surface_springs,  // edges of the surface, one stiffness; springs to the rest places, one stiffness
    area_springs,     // the same, but springs to the rest places go with the nodes' areas
    solid_springs,    // edges of the tetrahedra, one stiffness
    linear,           // finite elements at small strain
    tled,             // finite elements at any strain, neo-Hookean
    heat              // the completed equations of Zhong 2005
};
const char* model_name(Model model);
inline bool is_solid(Model model) {
    return model == Model::solid_springs || model == Model::linear || model == Model::tled;
}
inline const ComparePart& part_of(const CompareBody& body, Model model) {
    return is_solid(model) ? body.solid : body.surface;
}

struct Problem {
    Model model = Model::heat;
    double stiffness = 1.0;  // Young's modulus, Pa; of solid springs N/m; of surface springs times (19, 0.87) N/m
    double force = 2.0;      // N, down
    Pose pose{};             // where the whole problem has been turned to: places, held nodes and push
    double seconds = 30.0;   // of heat tissue, at most
    bool loose = false;      // heat tissue is held by its masses alone, so that its rest shape may turn
    bool exact = false;      // TLED in double precision
};

struct Settled {
    std::vector<Vec3> x;      // m, turned back
    double depth = 0.0;       // m
    double seconds = 0.0;     // CPU, all that is needed from the mesh to rest
    double made = 0.0;        // of that, what is done once a mesh: matrices, factors
    double step = 0.0;        // CPU seconds that 10 ms take
    double small_step = 0.0;  // the same on a body of a tenth of the size, of the same speed of sound
    int substeps = 1;         // in 10 ms
    int steps = 0;            // to rest
    bool fine = true;
};
Settled settle(const CompareBody& body, const Problem& problem);

// The stiffness with which the depth becomes this one, to 1e-3.
double find_stiffness(const CompareBody& body, Problem problem, double depth);

// What is left of the worst cell, and how many are inside out.
struct CellShape {
    double least = 1.0;
    int inverted = 0;
};
CellShape find_cell_shape(const CompareBody& body, const std::vector<Vec3>& x);

}  // namespace plica::experiments
