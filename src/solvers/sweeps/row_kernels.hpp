// The inner loop of a sweep. Where the processor has AVX2 (asked at run time) it is used; the bits may differ between
// kinds of processors, never between numbers of threads.
#pragma once

#include <algorithm>
#include <type_traits>

#include "linalg/kernels.hpp"
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
// Four values of a line, and the four u they meet. Gather instructions are slower than four loads on many processors.
template <class Line>
PDBFW_AVX2 inline __m256d four_values(const Line& line, Index k) {
  if constexpr (sizeof(line.value[0]) == sizeof(float))
    return _mm256_cvtps_pd(_mm_loadu_ps(line.value + k));
  else
    return _mm256_loadu_pd(line.value + k);
}

template <class Line>
PDBFW_AVX2 inline __m256d four_inner(const Line& line, Index k, const double* u) {
  if constexpr (requires { line.at; })
    return _mm256_set_pd(u[line.index(k + 3)], u[line.index(k + 2)], u[line.index(k + 1)], u[line.index(k)]);
  else
    return _mm256_loadu_pd(u + k);
}

PDBFW_AVX2 inline __m256d four_outside(__m256d inner, __m256d lower, __m256d upper) {
  return _mm256_sub_pd(inner, _mm256_min_pd(_mm256_max_pd(inner, lower), upper));
}

template <class Line>
[[nodiscard]] PDBFW_AVX2 double dot_outside_avx2(const Line& line, const double* u, const DeadZone& zone) {
  const __m256d lower = _mm256_set1_pd(zone.lower), upper = _mm256_set1_pd(zone.upper);
  __m256d s0 = _mm256_setzero_pd(), s1 = s0;
  Index k = 0;
  for (; k + 8 <= line.size; k += 8) {
    s0 = _mm256_fmadd_pd(four_values(line, k), four_outside(four_inner(line, k, u), lower, upper), s0);
    s1 = _mm256_fmadd_pd(four_values(line, k + 4), four_outside(four_inner(line, k + 4, u), lower, upper), s1);
  }
  if (k + 4 <= line.size) {
    s0 = _mm256_fmadd_pd(four_values(line, k), four_outside(four_inner(line, k, u), lower, upper), s0);
    k += 4;
  }
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

// 1 / q_j = factor inverse_q(j).
struct EqualCurvatures {
  double operator()(Index) const { return 1; }
};
struct OwnCurvatures {
  const double* each;
  double operator()(Index j) const { return each[j]; }
};

// x as a function of u: x_j = outside(u_j) / q_j.
template <class InverseQ>
struct XOfU {
  double factor;
  InverseQ inverse_q;
  bool has_avx2 = processor_has_avx2();

  // <line, x>
  template <class Line>
  [[nodiscard]] double dot(const Line& line, const double* u, const DeadZone& zone) const {
#ifdef PDBFW_AVX2
    if constexpr (std::is_same_v<InverseQ, EqualCurvatures>)
      if (has_avx2) return factor * dot_outside_avx2(line, u, zone);
#endif
    return factor * dot_outside(line, u, zone, inverse_q);
  }

  // sum_j a_j^2 / q_j
  template <class Line>
  [[nodiscard]] double norm(const Line& line) const {
    if constexpr (std::is_same_v<InverseQ, EqualCurvatures>) return factor * squared_norm(line);
    double sum = 0;
    for (Index k = 0; k < line.size; ++k) {
      const auto value = static_cast<double>(line.value[k]);
      sum += value * value * inverse_q(line.index(k));
    }
    return factor * sum;
  }
};

}  // namespace pdbfw
