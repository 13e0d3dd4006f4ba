// The working set on data that are easy for coordinate descent, whatever the scale of the columns.
#include <gtest/gtest.h>

#include <cmath>

#include "pdbfw/solve.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace working_set_test {

// Dense columns whose standard deviations are log-normal, and targets that a tenth of them explains.
Problem any_scale(Index n, Index d, const Formulation& formulation, std::uint64_t seed) {
  Random random(seed);
  reference::DenseMatrix A(n, d);
  std::vector<double> b(static_cast<std::size_t>(n));
  for (Index j = 0; j < d; ++j) {
    const double scale = std::exp(2 * random.normal()), weight = random.uniform() < 0.1 ? random.normal() / scale : 0;
    for (Index i = 0; i < n; ++i) {
      A(i, j) = scale * random.normal();
      b[static_cast<std::size_t>(i)] += weight * A(i, j);
    }
  }
  for (double& b_i : b) b_i += random.normal();
  if (test::takes_labels(formulation))
    for (double& b_i : b) b_i = b_i > 0 ? 1 : -1;
  return make_problem(reference::dense(A), std::move(b), formulation);
}

TEST(WorkingSet, DoesNotMindTheScaleOfColumns) {
  for (const std::string_view loss : loss_names())
    for (const double ridge : {0.0, 1.0})
      for (const bool intercept : {false, true}) {
        Problem p =
            any_scale(300, 150, {.loss = std::string(loss), .ridge = {ridge, true}, .intercept = intercept}, 13);
        const double alpha = largest_alpha(p);
        for (const double share : {0.3, 0.03, 0.003})
          for (const std::string solver : {"working_set", "auto"}) {
            p.set = p.set->with_radius(solve_penalised(p, share * alpha, {.tol = 1e-4}).radius);
            const Result result = solve(p, {.tol = 1e-6, .solver = solver, .max_passes = 1'000});
            EXPECT_EQ(result.status, Status::converged)
                << loss << ' ' << ridge << ' ' << intercept << ' ' << share << ' ' << solver << ": " << result.message;
          }
      }
}

// Features that have a large mean in common: at first all of them want to enter, and few stay.
TEST(WorkingSet, DoesNotLetEverybodyIn) {
  for (const std::string_view loss : loss_names()) {
    Random random(5);
    reference::DenseMatrix A(60, 300);
    for (Index i = 0; i < 60; ++i)
      for (Index j = 0; j < 300; ++j) A(i, j) = 3 + random.normal();
    const Formulation formulation{.loss = std::string(loss), .ridge = {0, true}};
    const std::vector<double> b = test::random_targets(A, test::takes_labels(formulation), random);
    const Problem p = make_problem(reference::dense(A), b, formulation);
    const Penalised found = solve_penalised(p, 0.01 * largest_alpha(p), {.tol = 1e-6, .max_passes = 3'000});
    EXPECT_EQ(found.result.status, Status::converged) << loss << ": " << found.result.message;
  }
}

}  // namespace working_set_test
}  // namespace pdbfw
