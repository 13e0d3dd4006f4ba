// Features that are standardised, count more or less, are held back by nothing, or have weights of one sign.
#include <cstdio>
#include <pdbfw/pdbfw.hpp>

int main() {
  const pdbfw::Dataset data = pdbfw::generate({.rows = 500, .features = 200}).data;

  // Feature 0 counts twice as much as the others, features 3 and 7 are free: a treatment, an age, what must be there.
  std::vector<double> penalty_weight(200, 1.0);
  penalty_weight[0] = 2;
  const pdbfw::Problem problem = pdbfw::make_problem(data.A, data.target,
                                                     {.loss = "logistic",
                                                      .radius = 5,
                                                      .standardise = true,
                                                      .penalty_weight = penalty_weight,
                                                      .free_features = {3, 7},
                                                      .intercept = true});
  const pdbfw::Result result = pdbfw::solve(problem, {.tol = 1e-6});
  const std::vector<double> weights = pdbfw::feature_weights(problem, result);  // for the features as they are
  std::printf("%s\nfeature 3: %.4f, feature 7: %.4f, intercept %.4f\n", result.message.c_str(), weights[3], weights[7],
              result.intercept);

  const pdbfw::Problem one_sign =
      pdbfw::make_problem(data.A, data.target, {.loss = "logistic", .set = "nonnegative", .radius = 5});
  std::printf("no weight below zero: primal %.6f\n", pdbfw::solve(one_sign).certificate.primal);
}
