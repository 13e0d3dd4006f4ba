// What cannot be improved in floating point ends a solve at once.                                            [M2c]
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/solve.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace rounding_test {

// Zeros and ones, and labels of a noisy sparse model, seven of ten positive. Many samples are alike, and so is the
// rounding of their terms, which adds up.
struct Ones {
  MatrixPtr A;
  std::vector<double> b;
};

Ones zeros_and_ones(Index n, Index d) {
  Random random(7);
  std::vector<Index> offsets{0};
  std::vector<std::int32_t> at;
  Ones data;
  for (Index i = 0; i < n; ++i) {
    double score = 0.8 + 0.5 * random.normal();
    for (Index j = 0; j < d; ++j) {
      if (random.uniform() >= 0.1) continue;
      at.push_back(static_cast<std::int32_t>(j));
      if (j < 4) score += j % 2 == 0 ? 1 : -1;
    }
    offsets.push_back(static_cast<Index>(at.size()));
    data.b.push_back(score > 0.4 ? 1 : -1);
  }
  data.A = own_csr(n, d, offsets, at, std::vector<double>(at.size(), 1.0));
  return data;
}

TEST(Rounding, OfManyEqualTermsNeverHidesASolution) {
  const Ones data = zeros_and_ones(20'000, 30);
  for (const std::string_view loss : loss_names())
    for (const double radius : {0.01, 0.1})
      for (const double ridge : {0.0, 1.0})
        for (const bool intercept : {false, true}) {
          const Formulation formulation{
              .loss = std::string(loss), .radius = radius, .ridge = {ridge, true}, .intercept = intercept};
          const Problem problem = make_problem(data.A, data.b, formulation);
          const std::string name =
              fmt::format("{}, radius {}, ridge {}/n, intercept {}", loss, radius, ridge, intercept);
          const Result result = solve(problem, {.tol = 1e-6, .max_passes = 2'000});
          EXPECT_EQ(to_string(result.status), "converged") << name << ": " << result.message;
          EXPECT_TRUE(std::isfinite(certify(problem, result.x, result.y).relative_gap)) << name;
          // No tolerance is too small to come to an end of its own.
          const Result last = solve(problem, {.tol = 1e-300, .max_passes = 20'000});
          EXPECT_TRUE(last.status == Status::converged || last.status == Status::stalled)
              << name << ": " << last.message;
          EXPECT_LE(last.certificate.relative_gap, 1e-11) << name << ": " << last.message;
        }
}

// The solution is found in a few iterations, and no more digits of the gap can be proven: the run ends soon, whatever
// the tolerance.
TEST(Rounding, EndsALowRankSolveThatCannotBeImproved) {
  Random random(3);
  const auto normal = [&](Index rows, Index columns) {
    Matrix M(rows, columns);
    for (double& entry : M.reshaped()) entry = random.normal();
    return M;
  };
  const Matrix A = normal(150, 25), truth = normal(25, 3) * normal(3, 10);
  const Matrix B = A * truth + 0.1 * normal(150, 10);
  const MatrixPtr stored = own_dense_rows<double>(A.rows(), A.cols(), {A.data(), A.data() + A.size()});
  for (const std::string loss : {"squared", "huber"}) {
    const low_rank::Problem problem = low_rank::make_problem(
        rows_map(stored, B.cols()), B, {.loss = loss, .set = "trace", .radius = 200, .ridge = {1, true}});
    const low_rank::Result result = low_rank::solve(problem, {.tol = 1e-14, .max_iterations = 500});
    EXPECT_TRUE(result.status == Status::converged || result.status == Status::stalled)
        << loss << ": " << result.message;
    EXPECT_LE(result.certificate.relative_gap, 1e-10) << loss << ": " << result.message;
  }
}

}  // namespace rounding_test
}  // namespace pdbfw
