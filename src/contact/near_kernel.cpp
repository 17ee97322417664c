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

void compute_reach(const double* node_travel, const std::int32_t* const (&node)[3], const double* path, int primitives,
                   double* travel, double* reach) {
    for (int i = 0; i < primitives; i += lanes) {
        const Wide most = max(max(gather(node_travel, node[0] + i, 1, 0), gather(node_travel, node[1] + i, 1, 0)),
                              gather(node_travel, node[2] + i, 1, 0));
        store(most, travel + i);
        store(most + load(path + i), reach + i);
    }
}

int find_within_reach(const std::int32_t* a, const std::int32_t* b, const double* bound, const double* reach, int pairs,
                      std::int32_t* found) {
    int count = 0;
    for (int i = 0; i < pairs; i += lanes) {
        unsigned bits = to_bits(load(bound + i) <= gather(reach, a + i, 1, 0) + gather(reach, b + i, 1, 0));
        while (bits != 0) {
            found[count++] = i + __builtin_ctz(bits);
            bits &= bits - 1;
        }
    }
    return count;
}

}  // namespace plica::PLICA_ISA
