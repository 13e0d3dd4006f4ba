// Generated low-rank problems: what they promise, and the same for the same seed.
#include "support/low_rank_data.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "io/message.hpp"
#include "pdbfw/linear_map.hpp"
#include "reference/spectrum.hpp"

namespace pdbfw::test {
namespace low_rank_data_test {

using test::expect_error;

void expect_orthonormal(const Factors& X) {
  const Matrix identity = Matrix::Identity(X.rank(), X.rank());
  EXPECT_LE((X.U.transpose() * X.U - identity).norm(), 1e-13);
  EXPECT_LE((X.V.transpose() * X.V - identity).norm(), 1e-13);
  for (Index k = 0; k + 1 < X.rank(); ++k) EXPECT_GE(X.s(k), X.s(k + 1));
  EXPECT_GT(X.s(X.rank() - 1), 0);
}

Matrix applied(const MapPtr& map, const Factors& X) {
  Matrix W;
  map->apply(X, W);
  return W;
}

double condition_number(const DataMatrix& A) {
  const auto& lines = std::get<DenseLines<double>>(A.by_row());
  const Eigen::MatrixXd M = Eigen::Map<const Matrix>(lines.value.data(), lines.count, lines.length);
  const Vector s = reference::singular_values(M);
  return s(0) / s(s.size() - 1);
}

TEST(LowRankData, RegressionIsTheMapOfItsTruth) {
  for (const Design design : {Design::gaussian, Design::uniform}) {
    const auto made = generate_regression({.rows = 40, .features = 12, .outputs = 9, .rank = 3, .design = design});
    expect_orthonormal(made.truth);
    EXPECT_EQ(made.truth.rank(), 3);
    EXPECT_LE((applied(rows_map(made.A, 9), made.truth) - made.B).norm(), 1e-12 * made.B.norm());
  }
}

TEST(LowRankData, UniformDesignIsIllConditioned) {
  const RegressionRecipe recipe{.rows = 60, .features = 20, .outputs = 3, .rank = 1};
  const auto gaussian = generate_regression(recipe);
  RegressionRecipe other = recipe;
  other.design = Design::uniform;
  const auto uniform = generate_regression(other);
  EXPECT_LT(condition_number(*gaussian.A), 6);
  EXPECT_GT(condition_number(*uniform.A), 10);
  const auto& lines = std::get<DenseLines<double>>(uniform.A->by_row());
  for (Index i = 0; i < 60; ++i) EXPECT_EQ(lines[i].value[0], 1);
}

TEST(LowRankData, CompletionHasDifferentPlaces) {
  for (const Index entries : {1, 10, 55, 110, 120}) {
    const auto made = generate_completion({.rows = 12, .columns = 10, .entries = entries, .rank = 2});
    std::set<std::pair<Index, Index>> places;
    for (std::size_t i = 0; i < made.row.size(); ++i) places.emplace(made.row[i], made.column[i]);
    EXPECT_EQ(static_cast<Index>(places.size()), entries);
    const Matrix W = applied(entries_map(12, 10, made.row, made.column), made.truth);
    EXPECT_LE((W - made.value).norm(), 1e-13 * (1 + W.norm()));
  }
  EXPECT_EQ(generate_completion({.rows = 1, .columns = 1, .entries = 1, .rank = 1}).row.size(), 1U);
}

TEST(LowRankData, ProductsAreTheMapOfTheirTruth) {
  const auto made = generate_products({.rows = 5, .columns = 4, .measurements = 30, .rank = 2});
  expect_orthonormal(made.truth);
  const Matrix W = applied(products_map(made.A, 5, 4), made.truth);
  EXPECT_LE((W - made.value).norm(), 1e-12 * W.norm());
}

TEST(LowRankData, PhaseKindsAreKept) {
  const auto real = generate_phase({.size = 4, .measurements = 6});
  EXPECT_TRUE(real.truth.imag().isZero(0) && real.a.imag().isZero(0));
  const auto both =
      generate_phase({.size = 4, .measurements = 6, .signal = SignalKind::complex, .is_measured_complex = true});
  EXPECT_FALSE(both.truth.imag().isZero(0) || both.a.imag().isZero(0));
}

TEST(LowRankData, NoiseHasItsSize) {
  const CompletionRecipe clean{.rows = 100, .columns = 100, .entries = 5000, .rank = 2};
  CompletionRecipe noisy = clean;
  noisy.noise = 0.5;
  const auto a = generate_completion(clean), b = generate_completion(noisy);
  ASSERT_EQ(a.column, b.column);
  EXPECT_NEAR((a.value - b.value).norm() / std::sqrt(5000.0), 0.5, 0.02);
}

TEST(LowRankData, SameSeedSameNumbers) {
  const auto a = generate_products({.seed = 5}), b = generate_products({.seed = 5}), c = generate_products({.seed = 6});
  EXPECT_EQ(a.value, b.value);
  EXPECT_NE(a.value, c.value);
}

TEST(LowRankData, Errors) {
  expect_error([] { (void)generate_regression({.rows = 0}); }, "rows: 0 breaks the rule: an integer >= 1");
  expect_error([] { (void)generate_regression({.rank = 601}); }, "rank: 601 breaks the rule: an integer, 1 .. 600");
  expect_error([] { (void)generate_regression({.noise = -1}); }, "noise: -1 breaks the rule: a finite number >= 0");
  expect_error([] { (void)generate_completion({.rows = 3, .columns = 2, .entries = 7, .rank = 1}); },
               "entries: 7 breaks the rule: an integer, 1 .. 6");
  const Index huge = Index{1} << 40;
  expect_error([&] { (void)generate_completion({.rows = huge, .columns = huge}); },
               "columns: 1099511627776 breaks the rule: fewer than 2^63 entries in all");
  expect_error([&] { (void)generate_products({.rows = huge, .columns = huge}); },
               "columns: 1099511627776 breaks the rule: fewer than 2^63 entries in all");
  expect_error([] { (void)generate_products({.measurements = -2}); },
               "measurements: -2 breaks the rule: an integer >= 1");
  expect_error([] { (void)generate_phase({.size = 0}); }, "size: 0 breaks the rule: an integer >= 1");
}

}  // namespace low_rank_data_test
}  // namespace pdbfw::test
