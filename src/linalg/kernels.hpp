// The inner loops over one line (a row or a column) of A. Values may be float; every sum is double.
#pragma once

#include <span>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// <line, v>. Four partial sums hide the latency of the additions; their order is fixed, so the bits are too.
template <class Line>
[[nodiscard]] inline double dot(const Line& line, const double* v) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  Index k = 0;
  for (; k + 4 <= line.size; k += 4) {
    s0 += static_cast<double>(line.value[k]) * v[line.index(k)];
    s1 += static_cast<double>(line.value[k + 1]) * v[line.index(k + 1)];
    s2 += static_cast<double>(line.value[k + 2]) * v[line.index(k + 2)];
    s3 += static_cast<double>(line.value[k + 3]) * v[line.index(k + 3)];
  }
  for (; k < line.size; ++k) s0 += static_cast<double>(line.value[k]) * v[line.index(k)];
  return (s0 + s1) + (s2 + s3);
}

// v += scale * line.
template <class Line>
inline void add_scaled(const Line& line, double scale, double* v) {
  for (Index k = 0; k < line.size; ++k) v[line.index(k)] += scale * static_cast<double>(line.value[k]);
}

// sum_k value_k^2
template <class Line>
[[nodiscard]] inline double squared_norm(const Line& line) {
  double sum = 0;
  for (Index k = 0; k < line.size; ++k) {
    const auto value = static_cast<double>(line.value[k]);
    sum += value * value;
  }
  return sum;
}

}  // namespace pdbfw
