// Many classes, one matrix of weights of low rank (docs/labels-and-classes.md).
#include <iostream>
#include <pdbfw/low_rank.hpp>
#include <pdbfw/pdbfw.hpp>
#include <vector>

int main() {
  // Twelve rows of three features; the class is the largest of them.
  const std::vector<double> values{1, .2, .1, .9, .1, .3, .8, 0,  .2, .1, 1,  .2, .3, .9, 0,  .2, .8, .1,
                                   0, .1, 1,  .2, .3, .9, .1, .2, .8, 1,  .1, .3, .2, 1,  .3, .3, .2, 1};
  const std::vector<double> target{10, 10, 10, 20, 20, 20, 30, 30, 30, 10, 20, 30};
  const pdbfw::MatrixPtr A = pdbfw::own_dense_rows<double>(12, 3, values);
  const pdbfw::Classes classes = pdbfw::encode_classes(target);  // 10, 20, 30 become 0, 1, 2
  pdbfw::Matrix B(12, 1);
  for (int i = 0; i < 12; ++i) B(i, 0) = static_cast<double>(classes.index[static_cast<std::size_t>(i)]);

  const pdbfw::low_rank::Problem problem =
      pdbfw::low_rank::make_problem(pdbfw::rows_map(A, 3), B, {.loss = "softmax", .set = "trace", .radius = 20});
  const pdbfw::low_rank::Result result = pdbfw::low_rank::solve(problem, {.tol = 1e-6});

  pdbfw::Matrix scores;
  problem.map->apply(result.X, scores);
  const pdbfw::ScoreTable table{{scores.data(), 36}, 3};
  std::cout << result.message << "\nrank " << result.X.rank() << ", accuracy " << pdbfw::accuracy(table, classes.index)
            << '\n';
  return pdbfw::accuracy(table, classes.index) == 1 ? 0 : 1;
}
