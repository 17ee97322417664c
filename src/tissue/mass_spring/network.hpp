#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/cache_line.hpp"
#include "core/isa.hpp"
#include "geometry/vec3.hpp"
#include "tissue/mass_spring/graded_kernel.hpp"

// Masses and springs (Raghupathi 2004, sec. 3.2). The springs of an organ form a sheet of columns along its length, and
// all of them are one exact linear solve a substep. Sweeping spring by spring instead leaves a hanging chain a third
// too long, and a mesentery the softer, the stiffer it is asked to be.
namespace plica::mass_spring {

struct Spring {
    std::int32_t a, b;   // nodes
    double rest;         // m
    double stiffness;    // N/m
    double compression;  // share of the stiffness left when shorter than rest: 1 for a tube; a membrane wrinkles
    std::int32_t body;   // whose stretch and energy this is
    std::int16_t slot_a, slot_b;  // place of the node in its column of the sheet, -1: held
    std::int32_t column;          // of a; b is in the same column or the next
    bool to_next;                 // b is in the next column
    double slack = 0.0;           // m, by which it may be shorter before it resists: folds that the nodes do not show
};

// What a spring resists of being c longer than at rest, m.
inline double resisted_part(const Spring& s, double c) {
    return c < 0.0 ? std::min(c + s.slack, 0.0) : c;
}

// Stiffness of a spring that is c longer than at rest, N/m.
inline double effective_stiffness(const Spring& s, double c) {
    return c < 0.0 ? s.compression * s.stiffness : s.stiffness;
}

// A grid of nodes, `slots` in each of `columns`, whose springs reach no further than the next column. A rope has one
// slot, a gut with its mesentery one for each row that is not held. The first slot's nodes are consecutive and resist
// bending, straight at rest: energy 1/2 sum k |x[i-1] - 2 x[i] + x[i+1]|^2, k = EI / h^3.
struct Sheet {
    std::int32_t first, count;  // into Network::springs, sorted by column
    std::int32_t columns, slots;
    std::vector<std::int32_t> node;  // columns x slots; -1: no free node there
    double viscosity;                // s; Kelvin-Voigt relaxation time, force = k (l - rest + viscosity dl/dt)
    std::int32_t first_node = 0;     // world index of the first slot's first node
    double bending = 0.0;            // N/m
    std::int32_t bending_body = 0;   // whose energy that is
    // Columns after which the nodes repeat themselves. More than 1: a graded sheet, in which a spring may reach any
    // column up to the next multiple of the period.
    std::int32_t period = 1;
    // Of the first slot's nodes contact sees every `carrier`-th and the last. Those between are carried along: what
    // contact does to their carriers moves them too, in proportion. A tube is as thick as several short segments are
    // long; pushed one by one, their nodes would be pushed out of line.
    std::int32_t carrier = 1;
};

// A tube cannot fold closer than its own width: |x[a] - x[b]| >= distance. Takes the place of the contacts that are
// left out between neighbours along the chain.
struct BendLimit {
    std::int32_t a, b;
    double distance;  // m
};

struct Network {
    std::vector<Spring> springs;
    std::vector<Sheet> sheets;
    std::vector<BendLimit> limits;
};

// `count` nodes from `first_node` on.
struct Rope {
    std::int32_t first_node, count;
    double stiffness;  // N/m, of each spring
    int body;
    double viscosity;  // s, of Kelvin-Voigt damping
};
// Appends a rope at rest in these positions; w: inverse masses.
void add_rope(Network& network, const Rope& rope, std::span<const Vec3> positions, std::span<const double> w);

// One sheet as the kernel wants it (see sheet_kernel.hpp): cut into eight chunks that lie side by side.
struct SpringTable {
    std::int32_t length = 0;  // columns of a chunk
    std::vector<std::int32_t> node, reached_by, first_batch, row_a, row_b, a, b;
    std::vector<double> there, rest, stiffness, compression, bending;
};

// A graded sheet and the plan of its elimination, as the kernel wants it (see graded_kernel.hpp).
struct GradedTable {
    std::int32_t pivots = 0, row_blocks = 0;
    std::vector<std::int32_t> node, own, load, own_of, row_a, row_b, between, a, b, bent, terms, columns;
    std::vector<double> there, rest, slack, stiffness, compression, bending;
    std::vector<GradedTarget> targets;
    std::vector<GradedRow> rows;
};

// Reused from substep to substep; filled by prepare().
struct Workspace {
    Isa isa = Isa::base;
    std::vector<SpringTable> tables;                     // per sheet; of graded ones empty
    std::vector<GradedTable> graded;                     // per sheet; of others empty
    std::vector<CacheLine> front, upper, between, q, x;  // of the largest sheet
    std::vector<CacheLine> blocks, known;                // of the largest graded sheet
};

void prepare(const Network& network, Workspace& work, Isa isa = best_isa());

// A substep. Springs are linearised at q, which should be where the nodes end up, nearly: not p, when a light node
// carries a load that only its springs can bear.
struct NetworkStep {
    std::span<const Vec3> x, q;  // m: at the start; linearised at
    std::span<const double> w;   // 1/kg, 0: held
    double h;                    // s
};
// One substep's internal forces, implicitly: p holds where inertia and all other forces would take the nodes, and is
// corrected.
void step_network(const Network& network, const NetworkStep& step, Workspace& work, std::span<Vec3> p);

// What contact has to move at each node, 1/kg: of carriers with their share of those that they carry, of carried ones,
// which a tool may hold, with the share of those beside them that come along. Empty where none is carried.
std::vector<double> lump_carried(const Network& network, std::span<const double> w);

// Nodes between carriers follow what these did between `from` and p, and those beside a carried node what it did
// itself. moved: work.
void follow_carriers(const Network& network, std::span<const Vec3> from, std::vector<Vec3>& moved, std::span<Vec3> p);

// Elastic energy of one body's springs and bending, J.
double compute_energy(const Network& network, std::span<const Vec3> x, int body);

// Largest l / rest - 1 over one body's springs.
double compute_max_stretch(const Network& network, std::span<const Vec3> x, int body);

// Is any of one body's springs longer than this many times its rest length?
bool is_longer_than(const Network& network, std::span<const Vec3> x, int body, double times);

// Adds the elastic forces (N) of springs and bending at x; the reference that tests and energy checks compare with.
void add_forces(const Network& network, std::span<const Vec3> x, std::span<Vec3> force);

}  // namespace plica::mass_spring
