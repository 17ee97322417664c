#include "contact/near.hpp"
#include "core/wide.hpp"
#include "geometry/vec3.hpp"

namespace plica::PLICA_ISA {

void compute_node_travel(const double* x, const double* p, const double (&mean)[3], int nodes, double* travel) {
    for (int n = 0; n < nodes; n += lanes) {
        std::int32_t index[lanes];
        for (int k = 0; k < lanes; ++k) index[k] = n + k < nodes ? n + k : nodes - 1;
        const WideTriple from = gather_triples(x, index);
        const WideTriple to = gather_triples(p, index);
        const Wide dx = to.x - from.x - Wide(mean[0]);
        const Wide dy = to.y - from.y - Wide(mean[1]);
        const Wide dz = to.z - from.z - Wide(mean[2]);
        store(sqrt(dx * dx + dy * dy + dz * dz), travel + n);
    }
}

double compute_paths(const PathArrays& arrays, double* travel, double* now) {
    const std::int32_t* const(&node)[3] = arrays.node;
    const double* node_travel = arrays.node_travel;
    Wide grown(0.0);
    for (int i = 0; i < arrays.owners; i += lanes) {
        const Wide most = max(max(gather(node_travel, node[0] + i, 1, 0), gather(node_travel, node[1] + i, 1, 0)),
                              gather(node_travel, node[2] + i, 1, 0));
        const Wide sum = most + load(arrays.path + i);
        grown = max(grown, sum - load(arrays.listed + i));
        store(most, travel + i);
        store(sum, now + i);
    }
    Lanes each;
    store(grown, each.at);
    double largest = 0.0;
    for (const double growth : each.at) largest = growth > largest ? growth : largest;
    return largest;
}

int find_due(const DueArrays& arrays, double more, std::int32_t* found) {
    int count = 0;
    for (int i = 0; i < arrays.pairs; i += lanes) {
        const Wide sum = gather(arrays.path, arrays.a + i, 1, 0) + gather(arrays.path, arrays.b + i, 1, 0) + Wide(more);
        for (unsigned bits = to_bits(load(arrays.due + i) <= sum); bits != 0; bits &= bits - 1) {
            found[count++] = i + __builtin_ctz(bits);
        }
    }
    return count;
}

void compute_clearance(const double* x, const FacingArrays& pairs, const std::int32_t* which, int count,
                       double* clearance) {
    for (int i = 0; i < count; i += lanes) {
        const Wide nx = gather(pairs.normal[0], which + i, 1, 0), ny = gather(pairs.normal[1], which + i, 1, 0),
                   nz = gather(pairs.normal[2], which + i, 1, 0);
        const auto height = [&](int k) {
            std::int32_t node[lanes];
            for (int lane = 0; lane < lanes; ++lane) node[lane] = pairs.node[k][which[i + lane]];
            const WideTriple at = gather_triples(x, node);
            return at.x * nx + at.y * ny + at.z * nz;
        };
        store(min(height(0), height(1)) - max(max(height(2), height(3)), height(4)), clearance + i);
    }
}

}  // namespace plica::PLICA_ISA
