// Which radius? Cross-validation over a path of radii, then the model of all rows, with an intercept and balanced
// classes.
#include <cstdio>

#include "pdbfw/pdbfw.hpp"

int main() {
  // Twenty rows of three features. The first decides, around 10 instead of 0; one class has a quarter of the rows.
  std::vector<double> entries, labels;
  for (int i = 0; i < 20; ++i) {
    const double a = 9 + 0.1 * i;
    entries.insert(entries.end(), {a, i % 3 * 0.5, i % 7 * 0.2});
    labels.push_back(a > 10.4 ? 1 : -1);
  }
  const pdbfw::MatrixPtr A = pdbfw::own_dense_rows<double>(20, 3, entries);
  pdbfw::Formulation formulation{.loss = "logistic", .radius = 20, .ridge = {0.01, false}, .intercept = true};
  formulation.class_weight = pdbfw::ClassWeight::parse("balanced");

  const pdbfw::CrossValidation cv = pdbfw::cross_validate(
      {.A = A, .target = labels}, {.formulation = formulation, .path = {.points = 5}, .score = "auc", .folds = 4});
  for (std::size_t r = 0; r < cv.radii.size(); ++r)
    std::printf("radius %8.4f   %s %.3f +- %.3f\n", cv.radii[r], cv.score.c_str(), cv.mean[r], cv.standard_error[r]);

  formulation.radius = cv.radii[cv.best];
  const pdbfw::Result result = pdbfw::solve(pdbfw::make_problem(A, labels, formulation));
  std::printf("radius %.4f: relative duality gap %.1e, intercept %.3f\n", formulation.radius,
              result.certificate.relative_gap, result.intercept);
  return result.status == pdbfw::Status::converged && cv.mean[cv.best] > 0.9 ? 0 : 1;
}
