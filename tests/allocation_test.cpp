#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "geometry/mesh/shapes.hpp"
#include "geometry/smooth_normals.hpp"
#include "worlds.hpp"

// A warm step allocates nothing: every operator new of this program is counted.
namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size > 0 ? size : 1)) return p;
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
    return counted(size);
}
void* operator new[](std::size_t size) {
    return counted(size);
}
void operator delete(void* p) noexcept {
    std::free(p);
}
void operator delete[](void* p) noexcept {
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
    std::free(p);
}
void operator delete[](void* p, std::size_t) noexcept {
    std::free(p);
}

namespace plica::testing {
namespace {

// Allocations in `measured` steps after `warm` steps.
long count(const char* name, int threads, int warm, int measured, const std::vector<std::string>& overrides = {}) {
    const SceneDescription scene = read_scene(find_scene(name, overrides));
    World world = make_world(scene, 1, threads);
    Script script(scene);
    for (int i = 0; i < warm; ++i) world.step(script.next(world));
    const long before = allocations;
    for (int i = 0; i < measured; ++i) world.step(script.next(world));
    return allocations - before;
}

TEST(Allocation, AWarmStepAllocatesNothing) {
    EXPECT_EQ(count("intestine-pile", 1, 60, 180), 0);
    EXPECT_EQ(count("intestine-pile", 2, 60, 180), 0);
    EXPECT_EQ(count("intestine", 1, 60, 60), 0);
    EXPECT_EQ(count("intestine", 1, 30, 60, {"gut.mesentery_self_contact=true"}), 0);
    EXPECT_EQ(count("chain", 1, 5, 100), 0);
    EXPECT_EQ(count("intestine-pile", 1, 30, 90, {"solver.detector=tracked", "solver.tracked_pairs=1000"}), 0);
    EXPECT_EQ(count("intestine-plane", 1, 10, 30,
                    {"solver.detector=tracked", "solver.tracked_pairs=1000", "gut.mesentery_contact=edges"}),
              0);
}

TEST(Allocation, TheCounterCounts) {
    const long before = allocations;
    const std::vector<int> something(10);
    EXPECT_EQ(something.size(), 10U);
    EXPECT_GE(allocations - before, 1);
    EXPECT_GT(count("intestine-pile", 1, 0, 1), 0);  // a cold step does allocate
}

TEST(Allocation, NormalsOfAMovingSurfaceAllocateNothing) {
    SurfaceMesh liver = make_liver_surface(2);
    SmoothNormals normals(liver.triangles, liver.nodes);
    const long before = allocations;
    for (Vec3& x : liver.nodes) x *= 1.1;
    normals.update(liver.nodes);
    normals.update(liver.nodes, NormalWeight::angle_and_area);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(allocations, 0);  // they are counted
}

}  // namespace
}  // namespace plica::testing
