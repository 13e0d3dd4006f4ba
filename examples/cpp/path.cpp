// The same problem for many radii: how the objective and the number of weights grow with the radius. Every point comes
// with its own proof, and together they cost less than one by one.
#include <algorithm>
#include <iostream>
#include <pdbfw/pdbfw.hpp>

int main() {
  const pdbfw::Dataset data = pdbfw::generate({.rows = 2'000, .features = 5'000}).data;
  const pdbfw::Problem problem = pdbfw::make_problem(data.A, data.target, {.loss = "logistic"});

  for (const pdbfw::PathPoint& point : pdbfw::solve_path(problem, {1, 3, 10, 30, 100}, {.tol = 1e-5})) {
    const pdbfw::Result& result = point.result;
    const auto zeros = std::count(result.x.begin(), result.x.end(), 0.0);
    std::cout << "radius " << point.radius << ": " << problem.d() - zeros << " weights, objective "
              << result.certificate.primal << ", multiplier of the radius " << result.multiplier << ", "
              << result.work.data_passes << " passes\n";
    if (result.status != pdbfw::Status::converged) return 1;
  }
}
