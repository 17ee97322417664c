#pragma once
#include <string>
#include <vector>

#include "bench/common/exact_test.hpp"
#include "bench/common/trajectory.hpp"
#include "collision/surface.hpp"
#include "collision/tree/surface_tree.hpp"
#include "engine/model.hpp"

namespace plica::bench {

// Surfaces that touch, as a search for pairs sees them: only the nodes that they have, numbered anew.
struct SurfaceCase {
    Surface surface;
    std::vector<TreeBody> bodies;
    std::vector<Vec3> rest;          // m
    std::vector<std::int32_t> node;  // of the world
    double gap = 0.0;                // m: pairs are asked for that are nearer than their contact radii and this
};

SurfaceCase make_surface_case(const Model& model);

// Consecutive substeps of them, the start first, and the pairs that are to be found after each move, ascending.
struct FeatureWindow {
    Trajectory frames;
    std::vector<std::vector<PairIndices>> near{};
};

// FOLDER/surface.json says which scene, FOLDER/N has window N: programs build the surface from the scene anew.
struct CaseFile {
    std::string scene;
    std::vector<std::string> overrides;
    double gap = 0.0;  // m
};
void write_case_file(const CaseFile& file, const std::string& folder);
SurfaceCase read_surface_case(const std::string& folder);  // throws Error naming the file
void write_window(const FeatureWindow& window, const std::string& folder);
FeatureWindow read_window(const std::string& folder);

}  // namespace plica::bench
