// The matrix of inner products of dense rows.
#pragma once

#include <Eigen/Core>

#include "pdbfw/errors.hpp"

namespace pdbfw {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The lower triangle of B B'; the rest is zero.
[[nodiscard]] Eigen::MatrixXd lower_gram(const RowMatrix& B);

}  // namespace pdbfw
