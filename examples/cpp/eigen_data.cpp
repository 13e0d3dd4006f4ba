// An Eigen matrix as the data, without a copy.
#include <Eigen/SparseCore>
#include <iostream>
#include <pdbfw/eigen.hpp>
#include <pdbfw/pdbfw.hpp>
#include <vector>

int main() {
  Eigen::SparseMatrix<double, Eigen::RowMajor> X(3, 4);
  X.insert(0, 0) = 1.0;
  X.insert(1, 1) = -2.0;
  X.insert(2, 3) = 0.5;
  X.makeCompressed();

  // A least-squares fit over the simplex: weights >= 0 that sum to 1.
  const pdbfw::Problem problem = pdbfw::make_problem(
      pdbfw::borrow(X), {0.5, -1.0, 0.0}, {.loss = "squared", .set = "simplex", .radius = 1, .ridge = {0, false}});
  const pdbfw::Result result = pdbfw::solve(problem, {.tol = 1e-8});

  const Eigen::Map<const Eigen::VectorXd> x(result.x.data(), X.cols());
  std::cout << x.transpose() << '\n' << result.message << '\n';
  return result.status == pdbfw::Status::converged ? 0 : 1;
}
