// The curvature of the loss on data of few features, kept from step to step.                                   [M15]
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "pdbfw/problem.hpp"

namespace pdbfw {

// (1/n) A' diag(max(f_i''(w_i), least)) A over all features, centred where there is an intercept. A step of the solver
// changes the curvature of few rows, and only those cost anything.
class KeptGram {
 public:
  // Few features, and few entries a row: all of the matrix costs some passes over the data.
  [[nodiscard]] static bool pays(const DataMatrix& A);

  explicit KeptGram(const Problem& problem);

  // At w, with no f_i'' below the least one. `multiply_adds` grows by those with entries of A.
  [[nodiscard]] const Eigen::MatrixXd& at(std::span<const double> w, double least_curvature, double& multiply_adds);

 private:
  void centre(double& multiply_adds);

  const Problem& p_;
  std::vector<double> curvature_;  // of every row, as it is in the matrix
  Eigen::MatrixXd lower_, full_;
};

}  // namespace pdbfw
