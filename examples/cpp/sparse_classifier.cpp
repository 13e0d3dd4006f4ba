// Learn a sparse linear classifier and see the proof that it is optimal. README.md shows this program.
#include <iostream>
#include <pdbfw/pdbfw.hpp>

int main() {
  const pdbfw::Dataset data = pdbfw::generate({.rows = 2'000, .features = 5'000}).data;  // or read_dataset("file")

  const pdbfw::Problem problem =
      pdbfw::make_problem(data.A, data.target, {.loss = "smooth_hinge", .set = "l1", .radius = 50});
  const pdbfw::Result result = pdbfw::solve(problem, {.tol = 1e-6});

  std::cout << result.message << "\nrelative duality gap " << result.certificate.relative_gap << '\n';
}
