// The two inner loops of a sweep. Where the processor has AVX2 (asked at run time) the first one uses it; the bits may
// differ between kinds of processors, never between numbers of threads.
#pragma once

#include <algorithm>

#include "linalg/processor.hpp"
#include "pdbfw/set.hpp"

namespace pdbfw {

// sum_k value_k outside(u[at_k]) scale(at_k). Four partial sums hide the latency of the additions.
template <class Line, class Scale>
[[nodiscard]] double dot_outside(const Line& line, const double* u, const DeadZone& zone, const Scale& scale) {
  const auto term = [&](Index k) {
    const Index j = line.index(k);
    return static_cast<double>(line.value[k]) * (u[j] - std::min(std::max(u[j], zone.lower), zone.upper)) * scale(j);
  };
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  Index k = 0;
  for (; k + 4 <= line.size; k += 4) {
    s0 += term(k);
    s1 += term(k + 1);
    s2 += term(k + 2);
    s3 += term(k + 3);
  }
  for (; k < line.size; ++k) s0 += term(k);
  return (s0 + s1) + (s2 + s3);
}

#ifdef PDBFW_AVX2
// Four loads and a vector of the rest: gather instructions are slower than that on many processors.
template <class Line>
[[nodiscard]] PDBFW_AVX2 double dot_outside_avx2(const Line& line, const double* u, const DeadZone& zone) {
  const __m256d lower = _mm256_set1_pd(zone.lower), upper = _mm256_set1_pd(zone.upper);
  __m256d s0 = _mm256_setzero_pd(), s1 = _mm256_setzero_pd();
  Index k = 0;
#define PDBFW_FOUR_TERMS(sum, at)                                                                                    \
  {                                                                                                                  \
    __m256d value;                                                                                                   \
    if constexpr (sizeof(line.value[0]) == sizeof(float))                                                            \
      value = _mm256_cvtps_pd(_mm_loadu_ps(reinterpret_cast<const float*>(line.value + (at))));                      \
    else                                                                                                             \
      value = _mm256_loadu_pd(reinterpret_cast<const double*>(line.value + (at)));                                   \
    const __m256d inner =                                                                                            \
        _mm256_set_pd(u[line.index((at) + 3)], u[line.index((at) + 2)], u[line.index((at) + 1)], u[line.index(at)]); \
    const __m256d clamped = _mm256_min_pd(_mm256_max_pd(inner, lower), upper);                                       \
    sum = _mm256_fmadd_pd(value, _mm256_sub_pd(inner, clamped), sum);                                                \
  }
  for (; k + 8 <= line.size; k += 8) {
    PDBFW_FOUR_TERMS(s0, k)
    PDBFW_FOUR_TERMS(s1, k + 4)
  }
  if (k + 4 <= line.size) {
    PDBFW_FOUR_TERMS(s0, k)
    k += 4;
  }
#undef PDBFW_FOUR_TERMS
  alignas(32) double part[4];
  _mm256_store_pd(part, _mm256_add_pd(s0, s1));
  double sum = (part[0] + part[1]) + (part[2] + part[3]);
  for (; k < line.size; ++k) {
    const double inner = u[line.index(k)];
    sum += static_cast<double>(line.value[k]) * (inner - std::min(std::max(inner, zone.lower), zone.upper));
  }
  return sum;
}
#endif

}  // namespace pdbfw
