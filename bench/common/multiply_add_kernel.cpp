#include "bench/common/multiply_add_kernel.hpp"

#include "core/pack.hpp"

namespace plica::bench::PLICA_ISA {

using plica::PLICA_ISA::Pack;

// Twelve chains cover the time that an addition after a multiplication takes on two units each; with the two constants
// they fit into sixteen registers.
float multiply_and_add(std::int64_t rounds) {
    Pack<float> chain[12];
    for (int i = 0; i < 12; ++i) chain[i] = Pack<float>(1.0F + 0.01F * static_cast<float>(i));
    const Pack<float> factor(0.999F), added(0.001F);
    for (std::int64_t k = 0; k < rounds; ++k) {
#pragma GCC unroll 12
        for (Pack<float>& c : chain) c = c * factor + added;
    }
    Pack<float> sum(0.0F);
    for (const Pack<float>& c : chain) sum += c;
    return sum.v[0];
}

int float_lanes() {
    return Pack<float>::lanes;
}

}  // namespace plica::bench::PLICA_ISA
