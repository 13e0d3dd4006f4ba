// Newton's direction on a face of C.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/problem.hpp"

namespace pdbfw {

// A face of the l1 ball or the simplex: a support, its signs, and whether the radius is met.
struct Face {
  std::vector<Index> support;  // features
  std::vector<double> sign;    // of x on the support
  bool is_tight = false;
};

// The minimiser of  <gradient, dx> + 1/2 dx'H dx  over the directions of the face (sum_j sign_j dx_j = 0 when it is
// tight),
//     H = (1/n) A_J' diag(f_i''(w_i)) A_J + diag(q_J).                                                           [M15]
// Dense Cholesky in the smaller of two forms, |J| x |J| or rows x rows (Woodbury); conjugate gradients when both are
// large. `multiply_adds` grows by the entries of A that took part.
[[nodiscard]] std::vector<double> newton_direction(const Problem& problem, const Face& face,
                                                   std::span<const double> gradient, std::span<const double> w,
                                                   double& multiply_adds);

}  // namespace pdbfw
