// The dense matrices of the low-rank family: Eigen's, row after row. Needs Eigen 3.4 on the caller's side.
#pragma once

#include <Eigen/Core>

#include "pdbfw/errors.hpp"

namespace pdbfw {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

}  // namespace pdbfw
