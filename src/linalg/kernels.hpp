// The inner loops over one line (a row or a column) of A. Values may be float; every sum is double.
#pragma once

#include <variant>

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
  if constexpr (requires { line.at; })
    return sum_in_lanes(line.size, [&](Index k) { return static_cast<double>(line.value[k]) * v[line.index(k)]; });
  else
    return dense_dot(line.value, v, line.size);
}

// v += scale * line.
template <class Line>
inline void add_scaled(const Line& line, double scale, double* v) {
  if constexpr (requires { line.at; })
    for (Index k = 0; k < line.size; ++k) v[line.index(k)] += scale * static_cast<double>(line.value[k]);
  else
    dense_add_scaled(line.value, scale, v, line.size);
}

// sum_k value_k^2; the values of a sparse line lie side by side too.
template <class Line>
[[nodiscard]] inline double squared_norm(const Line& line) {
  return dense_squared_norm(line.value, line.size);
}

// use(number of the line, index, value) for every entry that is stored, line after line.
template <class Use>
void for_each_entry(const Lines& lines, const Use& use) {
  std::visit(
      [&](const auto& own) {
        for (Index i = 0; i < own.count; ++i) {
          const auto line = own[i];
          for (Index k = 0; k < line.size; ++k) use(i, line.index(k), static_cast<double>(line.value[k]));
        }
      },
      lines);
}

}  // namespace pdbfw
