#include "reproduce/registry.hpp"

namespace plica::app {

const std::vector<Experiment>& experiments() {
    static const std::vector<Experiment> list{
        {"raghupathi2003-table1", "time of the tracked detector and of brute force (2003, table 1), and on to 10,000",
         run_raghupathi2003_table1},
        {"raghupathi2003-fig8", "which pairs the tracked detector holds, gut on a plane (2003, fig. 8)",
         run_raghupathi2003_fig8},
        {"raghupathi2004-fig14", "which pairs the tracked detector holds, gut in a bowl (2004, fig. 14)",
         run_raghupathi2004_fig14},
        {"raghupathi-recall", "what the tracked detector misses: against draws, speed and size (2003, 2004, sec. 4)",
         run_raghupathi_recall},
        {"raghupathi-response", "penalty, the papers' response as printed and corrected, and ours, on one pile",
         run_raghupathi_response},
        {"raghupathi-stability", "substeps against sweeps, and damping: the surgeons' spasm (2004, sec. 7)",
         run_raghupathi_stability},
        {"raghupathi-baselines", "spheres in voxels and trees of boxes, with and without mesentery (2004, sec. 2)",
         run_raghupathi_baselines},
        {"raghupathi2004-fig3",
         "a sharp fold: sweep, the paper's skin and ours, self-intersections counted (2004, fig. 3)",
         run_raghupathi2004_fig3},
        {"raghupathi2003-fig9", "snapshots: as built, at rest, a loop around the mesentery (2003, fig. 9)",
         run_raghupathi2003_fig9},
        {"raghupathi2004-fig13",
         "snapshots: pulled on a plane, at rest, in the cavity, mesentery by its edges (2004, fig. 13)",
         run_raghupathi2004_fig13},
        {"raghupathi2004-fig10",
         "colour by curvature, and the indicator of curvature as printed and corrected (2004, fig. 10)",
         run_raghupathi2004_fig10},
        {"raghupathi2004-fig12",
         "the coarsest and the finest picture, and two laws that hold a frame rate (2004, fig. 12)",
         run_raghupathi2004_fig12},
        {"tled-verification", "solid organs against theory: forces, bars, energy, free fall, viscosity, stable steps",
         run_tled_verification},
        {"johnsen-table1", "volumes of the tree updated per step, three builders and five updates (2012, table 1)",
         run_johnsen_table1},
        {"johnsen-table2", "normals of coarse livers, continuous and constant, against a fine one (2012, table 2)",
         run_johnsen_table2},
        {"johnsen-fig5", "normals along a line over a liver, continuous and constant (2012, fig. 5)", run_johnsen_fig5},
        {"johnsen-fig6", "full simulations: pictures, and an exact count of intersections (2012, fig. 4 and 6)",
         run_johnsen_fig6},
        {"johnsen-errata", "what equations of the paper do as printed and as corrected (2012, eq. 5, 10, edge test)",
         run_johnsen_errata},
        {"zhong-solver", "heat by elimination, network sweeps, gradients and sparse factor, to 200,000 nodes (2005, V)",
         run_zhong_solver},
        {"zhong-fig3", "a superquadric of heat, pushed and pulled (2005, fig. 3)", run_zhong_fig3},
        {"zhong-fig4", "parts that hardly conduct stay, on a plane and a superquadric (2005, fig. 4)", run_zhong_fig4},
        {"zhong-fig5", "force against deformation for eight dampings, fast and slowly (2005, fig. 5)", run_zhong_fig5},
        {"zhong-errata", "what equations 4 and 18 to 22 do as printed, repaired and completed (2005)",
         run_zhong_errata},
        {"defaults", "which substeps and sweeps the built-in scenes need: the table behind docs/defaults.md",
         run_defaults},
    };
    return list;
}

}  // namespace plica::app
