// The steps before a model: rows to train and rows to test, columns of one scale, new features. A disc and what is
// around it, in units that differ a thousandfold, become data that a linear model can tell apart.
#include <iostream>
#include <pdbfw/pdbfw.hpp>

struct Part {
  std::vector<double> points, labels;
  [[nodiscard]] pdbfw::MatrixPtr matrix() const {
    return pdbfw::borrow_dense_rows<double>(static_cast<pdbfw::Index>(labels.size()), 2, points);
  }
};

int main() {
  Part all, train, test;
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 40; ++k) {
      const double x = i / 10.0 - 2, y = k / 10.0 - 2;
      all.points.insert(all.points.end(), {x, 1000 * y});
      all.labels.push_back(x * x + y * y < 1.6 ? 1 : -1);
    }
  }

  pdbfw::Splitter splitter({.test_fraction = 0.25, .seed = 1});
  for (const double label : all.labels) splitter.count(label);
  for (std::size_t i = 0; i < all.labels.size(); ++i) {
    Part& part = splitter.is_test(all.labels[i]) ? test : train;
    part.points.insert(part.points.end(), {all.points[2 * i], all.points[2 * i + 1]});
    part.labels.push_back(all.labels[i]);
  }

  const auto scaled =
      pdbfw::Normalisation::learn(*train.matrix(), {.columns = pdbfw::Normalisation::Columns::deviation});
  const pdbfw::MatrixPtr A = scaled.apply(*train.matrix()), A_test = scaled.apply(*test.matrix());

  const pdbfw::RandomFourier waves = pdbfw::RandomFourier::learn(*A, {.features = 400});
  const pdbfw::Polynomial products{.degree = 2};
  bool is_good = true;
  const auto judge = [&](const char* name, const pdbfw::MatrixPtr& B, const pdbfw::MatrixPtr& B_test) {
    const pdbfw::Result result = pdbfw::solve(pdbfw::make_problem(B, train.labels, {.radius = 300}));
    std::vector<double> score(test.labels.size());
    pdbfw::multiply(*B_test, result.x, score);
    int correct = 0;
    for (std::size_t i = 0; i < score.size(); ++i) correct += score[i] * test.labels[i] > 0 ? 1 : 0;
    std::cout << name << ": " << correct << " of " << score.size() << " points that were not trained on\n";
    is_good = is_good && correct > 380;
  };
  judge("random Fourier features", waves.apply(*A), waves.apply(*A_test));
  judge("polynomial features", products.apply(*A), products.apply(*A_test));
  return is_good ? 0 : 1;
}
