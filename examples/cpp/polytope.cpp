// Weights that fall: 1 >= x_1 >= x_2 >= ... >= 0. That is a polytope with the atoms 0, e_1, e_1 + e_2, e_1 + e_2 + e_3,
// ..., given here as a list, and by an oracle that needs no list.
#include <cmath>
#include <iostream>
#include <pdbfw/pdbfw.hpp>

namespace {

// sum_{j < k} gradient_j for every k; the atom with the smallest one.
pdbfw::SparseAtom best_staircase(std::span<const double> gradient) {
  double sum = 0, best = 0;
  std::size_t length = 0;
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    sum += gradient[k];
    if (sum < best) {
      best = sum;
      length = k + 1;
    }
  }
  pdbfw::SparseAtom atom;
  for (std::size_t j = 0; j < length; ++j) {
    atom.at.push_back(static_cast<pdbfw::Index>(j));
    atom.value.push_back(1);
  }
  return atom;
}

}  // namespace

int main() {
  const pdbfw::Dataset data = pdbfw::generate({.rows = 300, .features = 20, .row_nonzeros = 10, .support = 5}).data;
  pdbfw::Problem problem = pdbfw::make_problem(data.A, data.target, {.loss = "logistic", .ridge = {0.01, false}});

  // One atom a row.
  std::vector<double> rows;
  for (int k = 0; k <= 20; ++k)
    for (int j = 0; j < 20; ++j) rows.push_back(j < k ? 1 : 0);
  problem.set = pdbfw::make_polytope(pdbfw::own_dense_rows<double>(21, 20, rows));
  const pdbfw::Result by_list = pdbfw::solve(problem, {.tol = 1e-8});

  problem.set = pdbfw::make_polytope(best_staircase);
  const pdbfw::Result by_oracle = pdbfw::solve(problem, {.tol = 1e-8});

  std::cout << by_list.message << '\n' << by_oracle.message << '\n';
  for (std::size_t j = 1; j < by_oracle.x.size(); ++j)
    if (by_oracle.x[j] > by_oracle.x[j - 1] + 1e-9) return 1;
  return std::abs(by_list.certificate.primal - by_oracle.certificate.primal) < 1e-7 ? 0 : 1;
}
