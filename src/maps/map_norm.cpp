#include "maps/map_norm.hpp"

#include "linalg/block_products.hpp"
#include "linalg/largest_eigenvalue.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
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
