// What this processor can do beyond what the library was built for, asked at run time. Kernels that use it are marked
// with a target attribute, and have a plain twin.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__)
#define PDBFW_AVX2 __attribute__((target("avx2,fma")))
#include <immintrin.h>
#endif

namespace pdbfw {

[[nodiscard]] inline bool processor_has_avx2() {
#ifdef PDBFW_AVX2
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
  return false;
#endif
}

[[nodiscard]] inline bool processor_has_avx512() {
#ifdef PDBFW_AVX2
  return processor_has_avx2() && __builtin_cpu_supports("avx512f") != 0;
#else
  return false;
#endif
}

// Loops over numbers that lie side by side, with AVX2 where the processor has it, which is asked when the program
// starts, so one build runs everywhere. Nothing is fused, so the bits are the same with and without.

#ifdef __x86_64__
// Without FMA, which would round differently.
template <class Kernel, class... Arguments>
[[gnu::target("avx2")]] auto run_with_avx2(Arguments... arguments) {
  return Kernel::run(arguments...);
}

inline const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
#endif

// Kernel::run(arguments...), which must be always inlined to be compiled anew for AVX2.
template <class Kernel, class... Arguments>
auto run_wide(Arguments... arguments) {
#ifdef __x86_64__
  if (has_avx2) return run_with_avx2<Kernel>(arguments...);
#endif
  return Kernel::run(arguments...);
}

}  // namespace pdbfw
