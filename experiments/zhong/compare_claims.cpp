#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/common/numbers.hpp"
#include "experiments/common/registry.hpp"

// What follows from zhong-compare for Zhong 2005, sec. I and V, and for heat tissue.
namespace plica::experiments {
namespace {

using Series = std::vector<double>;

Series series(const Measurements& m, const char* model, const char* what) {
    return m.at(model).at(what).get<Series>();
}
// Depth over that of the coarsest body, from the second on.
Series finer(const Measurements& m, const char* model) {
    const Series depth = series(m, model, "depth");
    Series over;
    for (std::size_t s = 1; s < depth.size(); ++s) over.push_back(depth[s] / depth[0]);
    return over;
}
// Three times the push.
double deeper(const Measurements& m, const char* model) {
    const Series depth = series(m, model, "further");
    return depth.back() / depth.front();
}
double turned(const Measurements& m, const char* model) {
    return m.at(model).at("turned");
}
bool less_everywhere(const Series& a, const Series& b) {
    return std::equal(a.begin(), a.end(), b.begin(), std::less<>());
}

Claim claim_springs(const Measurements& m) {
    const Series surface = finer(m, "surface_springs"), solid = finer(m, "solid_springs");
    return with_plot(
        judge(
            {"Increasing the number of springs leads to a stiffer system.", "Zhong 2005, sec. I",
             "However, these methods do not allow accurate modelling of material properties and increasing the number "
             "of springs leads to a stiffer system.",
             "stiffer"},
            fmt::format("depth over that of the coarsest mesh: surface {}, solid {}; with rest springs by area {}",
                        joined(surface, 3), joined(solid, 3), joined(finer(m, "area_springs"), 3)),
            "less than 0.9 on the finest mesh, on the surface and in the solid, all springs of one stiffness",
            surface.back() < 0.9 && solid.back() < 0.9,
            "One stiffness for all springs does it, not springs: a surface whose springs to the rest places go with "
            "the area stays as it is."),
        "depth.png");
}

Claim claim_spring_time(const Measurements& m) {
    const Series surface = series(m, "surface_springs", "ms"), solid = series(m, "solid_springs", "ms"),
                 linear = series(m, "linear", "ms"), tled = series(m, "tled", "ms");
    return with_plot(
        judge({"Springs take less time than finite elements.", "Zhong 2005, sec. I",
               "The advantage of this model is that the computation is less time consuming and the algorithm is "
               "easier to be implemented.",
               "less"},
              fmt::format("CPU ms for 10 ms of motion: springs {} (surface) and {} (solid), linear finite "
                          "elements {}; TLED, of 2007, {}",
                          joined(surface, 3), joined(solid, 3), joined(linear, 2), joined(tled, 3)),
              "less on every mesh than the finite elements that the paper means, linear and solved as a whole, "
              "on the surface and in the same solid",
              less_everywhere(surface, linear) && less_everywhere(solid, linear),
              "Explicit finite elements, which came two years later, take about as long as springs in the same "
              "solid."),
        "time.png");
}

Claim claim_linear(const Measurements& m) {
    const double error = turned(m, "linear"), volume = m.at("linear").at("turned_volume");
    return with_plot(
        judge({"Linear elastic models cannot accommodate large deformations.", "Zhong 2005, sec. I",
               "However, linear elastic models cannot accommodate the large-range geometric deformation.", "cannot"},
              fmt::format("turned by 60 degrees: {:.2g} of the depth wrong, V/V0 {:.3f}; pushed three times as "
                          "much: {:.3f} times as deep, TLED {:.3f}",
                          error, volume, deeper(m, "linear"), deeper(m, "tled")),
              "turned with its load a body is off by more than a tenth of the depth", error > 0.1,
              "Turns are what it cannot follow; the depth of this dimple it gets nearly right."),
        "dimples.png");
}

Claim claim_nonlinear_time(const Measurements& m) {
    return with_plot(
        compare_not({"Non-linear finite elements are very expensive for real time.", "Zhong 2005, sec. I",
                     "Although the few methods built on the nonlinear elastic model can handle the large-range "
                     "deformation [13], the use of quadric strains generally causes a very expensive "
                     "computation for real-time simulation.",
                     "very expensive"},
                    fmt::format("CPU ms for 10 ms of motion: TLED {}, with a half size of 0.1 m {}; heat {}",
                                joined(series(m, "tled", "ms"), 2), joined(series(m, "tled", "small_ms"), 2),
                                joined(series(m, "heat", "ms"), 2)),
                    "Real time is a matter of the computer. Today explicit elements keep up on one core on all "
                    "but the finest of these meshes; heat's step does not get shorter with the mesh, theirs "
                    "does."),
        "time.png");
}

Claim claim_surface(const Measurements& m) {
    const double surface = m.at("surface_nodes"), solid = m.at("solid_nodes");
    return judge(
        {"Only points on the surface take part, while finite elements need the inside.", "Zhong 2005, sec. V",
         "only surface mass points are involved in computation and rendering without any inside points while the "
         "interior has to be meshed and calculated in FEM.",
         "surface alone"},
        fmt::format("{:.0f} nodes against {:.0f}", surface, solid), "fewer nodes for the same surface", surface < solid,
        "The inside is what makes a solid of it; a surface does not know one.");
}

Claim claim_large(const Measurements& m, bool completed) {
    const double collapse = m.at("paper_collapse");
    const Said said{
        fmt::format("Heat conduction follows large displacements by a non-linear law of load and deformation: "
                    "eq. 18 to 22 {}.",
                    completed ? "completed" : "with the sign repaired"),
        "Zhong 2005, sec. V",
        "Compared with most of the existing deformation methods such as mass-spring, BEM and linear FEM, the "
        "methodology can perform large-range displacements through its non-linear load-deformation "
        "relationship.",
        "by eye (fig. 3 and 5)"};
    const std::string criterion =
        "under a load that stays the net keeps its edges; three times the push goes less than "
        "2.9 times as deep, and turned the body is the same to 1e-6";
    if (!completed) {
        return judge(said,
                     collapse > 0.0 ? fmt::format("under 10 N an edge is below a tenth after {:.2f} s", collapse)
                                    : "no edge below a tenth in 1.2 s",
                     criterion, collapse == 0.0, "No term knows the rest shape (zhong-errata).");
    }
    return judge(
        said,
        fmt::format("three times the push goes {:.2f} times as deep (TLED {:.2f}, linear {:.2f}); turned: {:.0e}",
                    deeper(m, "heat"), deeper(m, "tled"), deeper(m, "linear"), turned(m, "heat")),
        criterion, deeper(m, "heat") < 2.9 && turned(m, "heat") < 1e-6,
        "With our rest shape, not the paper's. It stiffens; a neo-Hookean solid under the same push does the "
        "opposite.");
}

std::vector<Claim> own_claims(const Measurements& m) {
    double spread = 0.0;
    for (const double over : finer(m, "heat")) spread = std::max(spread, std::abs(over - 1.0));
    const double heat = turned(m, "heat"), tled = turned(m, "tled"), springs = turned(m, "surface_springs");
    const double small = m.at("small_difference");
    bool rest = true;
    for (const auto& model : m) {
        if (!model.is_object()) continue;
        for (const bool rests : model.at("rests")) rest = rest && rests;
    }
    return {
        promise("Heat tissue is as deep on every mesh, to 3 %.", "", fmt::format("{:.2f} %", 100.0 * spread),
                spread < 0.03),
        promise("Turned by 60 degrees, heat tissue and TLED give the same to rounding; a rest shape that stays does "
                "not.",
                "1e-8 of the depth; springs to rest places more than 0.1",
                fmt::format("{:.0e} and {:.0e} of the depth; springs to rest places {:.2g}", heat, tled, springs),
                heat < 1e-8 && tled < 1e-8 && springs > 0.1),
        promise("Under a hundredth of the push, linear elements and TLED are the same to 0.5 %.", "",
                fmt::format("{:.2f} %", 100.0 * small), small < 0.005, "What is left is what TLED calls rest."),
        promise("Every model came to rest on every mesh.", "", rest ? "all" : "not all, see the tables", rest)};
}

}  // namespace

std::vector<Claim> judge_zhong_compare(const Measurements& m) {
    std::vector<Claim> claims{claim_springs(m), claim_spring_time(m),  claim_linear(m),     claim_nonlinear_time(m),
                              claim_surface(m), claim_large(m, false), claim_large(m, true)};
    for (Claim& claim : own_claims(m)) claims.push_back(std::move(claim));
    return unless_quick(m, std::move(claims));
}

}  // namespace plica::experiments
