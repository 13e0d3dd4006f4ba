// The inner loops over one line (a row or a column) of A. Values may be float; every sum is double.
#pragma once

#include "linalg/lanes.hpp"
#include "pdbfw/errors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// <a, v>
[[nodiscard]] double dense_dot(const float* a, const double* v, Index size);
[[nodiscard]] double dense_dot(const double* a, const double* v, Index size);

// v += scale * a
void dense_add_scaled(const float* a, double scale, double* v, Index size);
void dense_add_scaled(const double* a, double scale, double* v, Index size);

// |a|^2
[[nodiscard]] double dense_squared_norm(const float* a, Index size);
[[nodiscard]] double dense_squared_norm(const double* a, Index size);

// <line, v>. Gathering four or eight numbers by one instruction does not pay (docs/performance.md).
template <class Line>
[[nodiscard]] inline double dot(const Line& line, const double* v) {
  return sum_in_lanes(line.size, [&](Index k) { return static_cast<double>(line.value[k]) * v[line.index(k)]; });
}
[[nodiscard]] inline double dot(const DenseLines<float>::Line& line, const double* v) {
  return dense_dot(line.value, v, line.size);
}
[[nodiscard]] inline double dot(const DenseLines<double>::Line& line, const double* v) {
  return dense_dot(line.value, v, line.size);
}

// v += scale * line.
template <class Line>
inline void add_scaled(const Line& line, double scale, double* v) {
  for (Index k = 0; k < line.size; ++k) v[line.index(k)] += scale * static_cast<double>(line.value[k]);
}

inline void add_scaled(const DenseLines<float>::Line& line, double scale, double* v) {
  dense_add_scaled(line.value, scale, v, line.size);
}
inline void add_scaled(const DenseLines<double>::Line& line, double scale, double* v) {
  dense_add_scaled(line.value, scale, v, line.size);
}

// sum_k value_k^2; the values of a sparse line lie side by side too.
template <class Line>
[[nodiscard]] inline double squared_norm(const Line& line) {
  return dense_squared_norm(line.value, line.size);
}

}  // namespace pdbfw
