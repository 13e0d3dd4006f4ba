// Cholesky's factor, blocks of it by the products of dense_product.hpp: they take what the processor has, where Eigen
// takes what the library was compiled for.
#pragma once

#include "linalg/dense_product.hpp"

namespace pdbfw {

class Cholesky {
 public:
  // L L' = S; only the lower triangle of S is read. False where S is not positive definite: then there is no factor.
  bool factor(Matrix S);
  // S^-1 v; not numbers where there is no factor.
  [[nodiscard]] Vector solve(const Vector& v) const;

 private:
  Matrix L_;  // above the diagonal is anything
  bool is_good_ = false;
};

}  // namespace pdbfw
