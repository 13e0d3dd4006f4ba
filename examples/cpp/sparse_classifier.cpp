// Learn a sparse linear classifier and see the proof that it is optimal.
#include <iostream>
#include <pdbfw/pdbfw.hpp>

int main() {
  // Text-like data with a planted sparse model. Your own: read_dataset("file"), borrow_csr(...) or pdbfw/eigen.hpp.
  const pdbfw::Dataset data = pdbfw::generate({.rows = 2'000, .features = 5'000}).data;

  const pdbfw::Problem problem =
      pdbfw::make_problem(data.A, data.target, {.loss = "smooth_hinge", .set = "l1", .radius = 50});
  const pdbfw::Result result = pdbfw::solve(problem, {.tol = 1e-6});

  std::cout << result.message << "\nrelative duality gap " << result.certificate.relative_gap << ", "
            << pdbfw::to_sparse(result.x).at.size() << " of " << problem.d() << " weights are not zero\n";
  return result.status == pdbfw::Status::converged ? 0 : 1;
}
