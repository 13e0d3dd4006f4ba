// Generated data looks like text, holds a planted model, and is the same for the same seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "io/message.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {
namespace generate_test {

using Rows = SparseLines<double, std::int32_t>;

const Synthetic kSmall{.rows = 400, .features = 1'000, .row_nonzeros = 30, .support = 20, .seed = 5};

TEST(Generate, TheSameSeedGivesTheSameBits) {
  const SyntheticDataset a = generate(kSmall), b = generate(kSmall);
  const Rows& rows = std::get<Rows>(a.data.A->by_row());
  const Rows& again = std::get<Rows>(b.data.A->by_row());
  EXPECT_TRUE(std::ranges::equal(rows.offsets, again.offsets));
  EXPECT_TRUE(std::ranges::equal(rows.at, again.at));
  EXPECT_TRUE(std::ranges::equal(rows.value, again.value));
  EXPECT_EQ(a.data.target, b.data.target);
  EXPECT_EQ(a.planted, b.planted);
  Synthetic other = kSmall;
  other.seed = 6;
  EXPECT_NE(generate(other).data.target, a.data.target);
}

TEST(Generate, HasTheWantedShape) {
  const Dataset data = generate(kSmall).data;
  EXPECT_EQ(data.A->rows(), 400);
  EXPECT_EQ(data.A->columns(), 1'000);
  EXPECT_EQ(data.target.size(), 400U);
  // Words drawn twice become one entry, so the average is a little below what was asked for.
  const double average = static_cast<double>(data.A->nonzeros()) / 400;
  EXPECT_GT(average, 0.7 * kSmall.row_nonzeros);
  EXPECT_LE(average, 1.1 * kSmall.row_nonzeros);
}

TEST(Generate, RowsHaveUnitLengthAndPositiveEntries) {
  const SyntheticDataset made = generate(kSmall);
  const Rows& rows = std::get<Rows>(made.data.A->by_row());
  for (Index i = 0; i < rows.count; ++i) {
    double norm = 0;
    for (Index k = 0; k < rows[i].size; ++k) {
      EXPECT_GT(rows[i].value[k], 0);
      norm += rows[i].value[k] * rows[i].value[k];
    }
    EXPECT_NEAR(norm, 1, 1e-12);
  }
}

TEST(Generate, BothLabelsAreCommon) {
  const std::vector<double> target = generate(kSmall).data.target;
  const auto positive = std::count(target.begin(), target.end(), 1.0);
  EXPECT_EQ(positive + std::count(target.begin(), target.end(), -1.0), 400);
  EXPECT_GT(positive, 40);
  EXPECT_LT(positive, 360);
}

TEST(Generate, PlantsAModelOfTheWantedSupport) {
  for (const Index support : {0, 1, 20, 300, 1'000}) {
    Synthetic recipe = kSmall;
    recipe.support = support;
    const std::vector<double> planted = generate(recipe).planted;
    EXPECT_EQ(planted.size(), 1'000U);
    EXPECT_EQ(1'000 - std::count(planted.begin(), planted.end(), 0.0), support);
  }
}

std::vector<double> scores(const SyntheticDataset& made) {
  std::vector<double> score(made.data.target.size());
  multiply(*made.data.A, made.planted, score);
  return score;
}

TEST(Generate, LabelsAreThePlantedModelsUpToTheNoise) {
  for (const double noise : {0.0, 0.1}) {
    Synthetic recipe = kSmall;
    recipe.rows = 4'000;
    recipe.noise = noise;
    const SyntheticDataset made = generate(recipe);
    const std::vector<double> score = scores(made);
    int seen = 0, flipped = 0;
    for (std::size_t i = 0; i < score.size(); ++i) {
      if (score[i] == 0) continue;
      ++seen;
      flipped += score[i] * made.data.target[i] < 0 ? 1 : 0;
    }
    EXPECT_GT(seen, 2'000);
    EXPECT_NEAR(static_cast<double>(flipped) / seen, noise, noise == 0 ? 0.0 : 0.03);
  }
}

TEST(Generate, RegressionTargetsAreScoresWithNoise) {
  Synthetic recipe = kSmall;
  recipe.is_regression = true;
  recipe.noise = 0;
  const SyntheticDataset exact = generate(recipe);
  const std::vector<double> score = scores(exact);
  for (std::size_t i = 0; i < score.size(); ++i) EXPECT_NEAR(exact.data.target[i], score[i], 1e-12);
  recipe.noise = 2;
  const SyntheticDataset noisy = generate(recipe);
  const std::vector<double> clean = scores(noisy);
  double squares = 0;
  for (std::size_t i = 0; i < clean.size(); ++i) squares += std::pow(noisy.data.target[i] - clean[i], 2);
  EXPECT_NEAR(std::sqrt(squares / 400), 2, 0.3);
}

TEST(Generate, FrequenciesFallAsAPowerLaw) {
  const Dataset data = generate({.rows = 2'000, .features = 1'000, .row_nonzeros = 30}).data;
  std::vector<Index> count;
  const Rows& columns = std::get<Rows>(data.A->by_column());
  for (Index j = 0; j < columns.count; ++j) count.push_back(columns[j].size);
  std::sort(count.begin(), count.end(), std::greater<>());
  EXPECT_GT(count[0], 20 * count[500]);
  EXPECT_GT(count[500], 0);
  // Frequent words do not come first: a feature's number says nothing.
  const auto half = static_cast<std::size_t>(columns.offsets[500]);
  EXPECT_NEAR(static_cast<double>(half) / static_cast<double>(data.A->nonzeros()), 0.5, 0.2);
}

TEST(Generate, WorksAtTheSmallestSizes) {
  const SyntheticDataset one = generate({.rows = 1, .features = 1, .row_nonzeros = 1, .support = 1});
  EXPECT_EQ(one.data.A->nonzeros(), 1);
  EXPECT_EQ(std::abs(one.data.target[0]), 1);
}

std::string refusal(const std::function<void(Synthetic&)>& spoil) {
  Synthetic recipe = kSmall;
  spoil(recipe);
  return test::message_of([&] { (void)generate(recipe); });
}

TEST(Generate, RefusesImpossibleRecipes) {
  EXPECT_EQ(refusal([](Synthetic& s) { s.rows = 0; }), "rows: 0 breaks the rule: an integer >= 1");
  EXPECT_EQ(refusal([](Synthetic& s) { s.features = 0; }), "features: 0 breaks the rule: an integer, 1 .. 2^31 - 1");
  EXPECT_EQ(refusal([](Synthetic& s) { s.features = Index{1} << 31; }),
            "features: 2147483648 breaks the rule: an integer, 1 .. 2^31 - 1");
  EXPECT_EQ(refusal([](Synthetic& s) { s.row_nonzeros = 0.5; }),
            "row_nonzeros: 0.5 breaks the rule: a number, 1 .. features");
  EXPECT_EQ(refusal([](Synthetic& s) { s.row_nonzeros = 1'001; }),
            "row_nonzeros: 1001 breaks the rule: a number, 1 .. features");
  EXPECT_EQ(refusal([](Synthetic& s) { s.support = -1; }), "support: -1 breaks the rule: an integer, 0 .. features");
  EXPECT_EQ(refusal([](Synthetic& s) { s.support = 1'001; }),
            "support: 1001 breaks the rule: an integer, 0 .. features");
  EXPECT_EQ(refusal([](Synthetic& s) { s.noise = 0.6; }),
            "noise: 0.6 breaks the rule: a share of flipped labels, 0 .. 0.5");
  EXPECT_EQ(refusal([](Synthetic& s) {
              s.is_regression = true;
              s.noise = -1;
            }),
            "noise: -1 breaks the rule: a finite number >= 0");
  EXPECT_EQ(refusal([](Synthetic& s) { s.noise = std::numeric_limits<double>::quiet_NaN(); }),
            "noise: nan breaks the rule: a share of flipped labels, 0 .. 0.5");
}

}  // namespace generate_test
}  // namespace pdbfw
