#include "core/isa.hpp"

namespace plica {

Isa best_isa() {
#ifdef PLICA_X86_KERNELS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        return Isa::avx512;
    }
    if (__builtin_cpu_supports("avx2")) return Isa::avx2;
#endif
    return Isa::base;
}

const char* isa_name(Isa isa) {
    switch (isa) {
        case Isa::avx512:
            return "avx512";
        case Isa::avx2:
            return "avx2";
        case Isa::base:
            break;
    }
#ifdef PLICA_X86_KERNELS
    return "sse2";
#else
    return "base";
#endif
}

std::optional<Isa> find_isa(std::string_view name) {
    for (const Isa isa : {Isa::base, Isa::avx2, Isa::avx512}) {
        if (name == isa_name(isa)) return isa;
    }
    return std::nullopt;
}

}  // namespace plica
