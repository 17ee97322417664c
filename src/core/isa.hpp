#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace plica {

// Instruction sets that the vector kernels are built for. Each kernel works on eight lanes whatever the machine has, so
// that results do not depend on the choice.
enum class Isa : std::uint8_t { base, avx2, avx512 };

// The best one that this machine has.
Isa best_isa();

// Every one that this machine has, from `base` on, is at most best_isa().
inline bool is_available(Isa isa) {
    return isa <= best_isa();
}

const char* isa_name(Isa isa);
std::optional<Isa> find_isa(std::string_view name);

}  // namespace plica

// A kernel exists once per instruction set, in a namespace named after it: the first declares all of them, the second
// is the one for this machine.
#ifdef PLICA_X86_KERNELS
#define PLICA_KERNEL_VARIANTS(...) \
    namespace base {               \
    __VA_ARGS__;                   \
    }                              \
    namespace avx2 {               \
    __VA_ARGS__;                   \
    }                              \
    namespace avx512 {             \
    __VA_ARGS__;                   \
    }
#define PLICA_PICK_KERNEL(isa, name) \
    ((isa) == Isa::avx512 ? &avx512::name : (isa) == Isa::avx2 ? &avx2::name : &base::name)
#else
#define PLICA_KERNEL_VARIANTS(...) \
    namespace base {               \
    __VA_ARGS__;                   \
    }
#define PLICA_PICK_KERNEL(isa, name) (static_cast<void>(isa), &base::name)
#endif
