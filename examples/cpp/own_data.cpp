// Arrays of one's own, without a copy, and a callback that watches and stops.
#include <cstdint>
#include <iostream>
#include <pdbfw/pdbfw.hpp>
#include <vector>

int main() {
  // Three samples of four features, by row (CSR): row i holds the entries offsets[i] .. offsets[i + 1] - 1.
  const std::vector<std::int32_t> offsets{0, 2, 4, 5}, at{0, 2, 1, 3, 2};
  const std::vector<float> value{1.0F, 0.5F, 2.0F, 1.0F, 1.5F};
  const auto A = pdbfw::borrow_csr<float, std::int32_t, std::int32_t>(3, 4, offsets, at, value);

  const pdbfw::Problem problem = pdbfw::make_problem(A, {1.0, -1.0, 1.0}, {.loss = "logistic", .radius = 2});
  const auto watch = [](const pdbfw::Progress& progress) {
    std::cout << "iteration " << progress.now.iteration << ", relative gap " << progress.now.relative_gap << '\n';
    return progress.now.iteration < 100;  // false stops the run: status interrupted, best point so far
  };
  const pdbfw::Result result = pdbfw::solve(problem, {.tol = 1e-8}, watch);

  for (const double weight : result.x) std::cout << weight << ' ';
  std::cout << '\n' << pdbfw::to_string(result.status) << ": " << result.message << '\n';
  return result.status == pdbfw::Status::converged ? 0 : 1;
}
