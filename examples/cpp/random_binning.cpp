// A disc and what is around it: no linear model on the two coordinates, but one on their random binning features.
#include <iostream>
#include <pdbfw/pdbfw.hpp>

int main() {
  std::vector<double> points, labels;
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 40; ++k) {
      const double x = i / 10.0 - 2, y = k / 10.0 - 2;
      points.insert(points.end(), {x, y});
      labels.push_back(x * x + y * y < 1.6 ? 1 : -1);
    }
  }
  const pdbfw::MatrixPtr A = pdbfw::borrow_dense_rows<double>(1'600, 2, points);

  const pdbfw::RandomBinning map = pdbfw::RandomBinning::learn(*A, {.grids = 300});
  const pdbfw::MatrixPtr B = map.apply(*A);
  const pdbfw::Result result = pdbfw::solve(pdbfw::make_problem(B, labels, {.radius = 300}));

  std::vector<double> score(labels.size());
  pdbfw::multiply(*B, result.x, score);
  int correct = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) correct += score[i] * labels[i] > 0 ? 1 : 0;
  std::cout << result.message << '\n' << correct << " of 1600 points, " << map.features() << " features\n";
  return correct > 1'570 ? 0 : 1;
}
