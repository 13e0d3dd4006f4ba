// Loops over numbers that lie side by side, with AVX2 where the processor has it, which is asked when the program
// starts, so one build runs everywhere. Nothing is fused, so the bits are the same with and without.
#pragma once

namespace pdbfw {

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
