// Several classes with sparse weights: learnt jointly, one against the rest, and probabilities from a hinge.
#include <iostream>
#include <pdbfw/pdbfw.hpp>
#include <vector>

int main() {
  // Three classes: how many of two planted models say yes to a row.
  const pdbfw::SyntheticDataset made = pdbfw::generate({.rows = 2'000, .features = 500, .row_nonzeros = 30});
  const std::vector<double> second =
      pdbfw::generate({.rows = 2'000, .features = 500, .row_nonzeros = 30, .seed = 1}).planted;
  pdbfw::Samples samples{.A = made.data.A, .target = made.data.target};
  std::vector<double> score(samples.target.size());
  pdbfw::multiply(*samples.A, second, score);
  for (std::size_t i = 0; i < score.size(); ++i)
    samples.target[i] = (samples.target[i] > 0 ? 1 : 0) + (score[i] > 0 ? 1 : 0);

  // All classes at once, each with an l1 ball and an intercept of its own; one certificate.
  const pdbfw::Fitted joint =
      pdbfw::fit(samples, {.loss = "softmax", .set = "l1_per_class", .radius = 20, .intercept = true});
  std::cout << "jointly: " << joint.outcomes.front().message << "; " << joint.size.nonzeros << " weights, accuracy "
            << joint.measures.accuracy << '\n';

  // A loss of two classes: a model for each class against all others, with a certificate each; and what the scores say
  // about the probabilities, by sigmoids from scores of held-out rows.
  const pdbfw::Fitted rest =
      pdbfw::fit(samples, {.loss = "smooth_hinge", .radius = 20, .intercept = true}, {.wants_probabilities = true});
  for (const pdbfw::Outcome& one : rest.outcomes) std::cout << "one against the rest: " << one.message << '\n';
  const pdbfw::Matrix shares = pdbfw::probabilities(rest.model, pdbfw::predict_scores(*samples.A, rest.model).score);
  std::cout << "probabilities of the first row: " << shares.row(0) << '\n';
  return joint.has_converged && rest.has_converged && joint.measures.accuracy > 0.5 ? 0 : 1;
}
