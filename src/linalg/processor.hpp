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

}  // namespace pdbfw
