#include "maps/map_checks.hpp"

#include <fmt/format.h>

#include <limits>

#include "linalg/largest_eigenvalue.hpp"
#include "linalg/products.hpp"

namespace pdbfw {

void check_matrix(std::string_view name, const MatrixPtr& A) {
  if (!A) throw InputError(name, "none", "a matrix");
  if (A->rows() < 1 || A->columns() < 1)
    throw InputError(name, fmt::format("{} x {}", A->rows(), A->columns()), "at least one row and one column");
}

void check_cells(Index rows, Index columns) {
  if (rows > std::numeric_limits<Index>::max() / columns)
    throw InputError("X", fmt::format("{} x {}", rows, columns), "fewer than 2^63 entries");
}

void check_samples(std::span<const Index> samples, Index count) {
  if (samples.empty()) throw InputError("samples", "none", "at least one");
  for (const Index i : samples)
    if (i < 0 || i >= count) throw InputError("samples", fmt::format("{}", i), fmt::format("0 .. {}", count - 1));
}

Vector squared_row_norms(const DataMatrix& A) {
  Vector norms(A.rows());
  squared_norms(A.by_row(), {}, {norms.data(), static_cast<std::size_t>(norms.size())});
  return norms;
}

// On the smaller of A'A and A A'.
double largest_squared_singular_value(const DataMatrix& A) {
  const bool is_wide = A.columns() > A.rows();
  Matrix from, between, to;
  const auto product = [&](const Vector& v, Vector& out) {
    from = v;
    if (is_wide) {
      multiply_transposed(A, from, between);
      multiply(A, between, to);
    } else {
      multiply(A, from, between);
      multiply_transposed(A, between, to);
    }
    out = to.col(0);
  };
  return largest_eigenvalue_bound(is_wide ? A.rows() : A.columns(), squared_row_norms(A).sum(), product);
}

}  // namespace pdbfw
