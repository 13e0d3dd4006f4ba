// Several classes with sparse weights: learnt jointly, one against the rest, and probabilities from a hinge.
#include <iostream>
#include <pdbfw/joint.hpp>
#include <pdbfw/pdbfw.hpp>
#include <vector>

int main() {
  // Three classes: how many of two planted models say yes to a row.
  const pdbfw::SyntheticDataset made = pdbfw::generate({.rows = 2'000, .features = 500, .row_nonzeros = 30});
  const std::vector<double> second =
      pdbfw::generate({.rows = 2'000, .features = 500, .row_nonzeros = 30, .seed = 1}).planted;
  std::vector<double> target = made.data.target, score(target.size());
  pdbfw::multiply(*made.data.A, second, score);
  for (std::size_t i = 0; i < target.size(); ++i) target[i] = (target[i] > 0 ? 1 : 0) + (score[i] > 0 ? 1 : 0);
  const pdbfw::Classes classes = pdbfw::encode_classes(target);

  // All classes at once, each with an l1 ball and an intercept of its own; one certificate.
  const pdbfw::joint::Problem problem = pdbfw::joint::make_problem(
      made.data.A, classes, {.loss = "softmax", .set = "l1_per_class", .radius = 20, .intercept = true});
  const pdbfw::joint::Result joint = pdbfw::joint::solve(problem, {.tol = 1e-4});
  std::cout << "jointly: " << joint.message << "; " << joint.X.nonzeros() << " weights on " << joint.X.at.size()
            << " features, intercepts " << joint.intercepts.transpose() << '\n';

  // A model for each class against all others; a certificate each.
  const pdbfw::Formulation hinge{.loss = "smooth_hinge", .radius = 20, .intercept = true};
  for (const pdbfw::Result& one : pdbfw::solve_one_vs_rest(made.data.A, classes, hinge))
    std::cout << "one against the rest: " << one.message << '\n';

  // What a hinge's score says about the probability of the first class: a sigmoid, from scores of held-out rows.
  const std::vector<double> signs = pdbfw::signs_of(classes, 0);
  const std::vector<double> held_out = pdbfw::out_of_fold_scores(made.data.A, signs, hinge);
  const pdbfw::Sigmoid sigmoid = pdbfw::fit_sigmoid(held_out, signs);
  std::cout << "probability of class 0 at a score of 1: " << sigmoid(1) << '\n';
  return joint.status == pdbfw::Status::converged && sigmoid(1) > sigmoid(-1) ? 0 : 1;
}
