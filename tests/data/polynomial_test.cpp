// Inner products of polynomial features are the polynomial kernel: exactly, or on average when they are hashed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io/message.hpp"
#include "pdbfw/features.hpp"
#include "support/tables.hpp"

namespace pdbfw::test {
namespace polynomial_test {

// Every product of `degree` entries of z in the documented order, by counting up all of them.
std::vector<double> slow_products(const Polynomial& options, const std::vector<double>& row) {
  std::vector<double> z;
  if (options.coef0 > 0) z.push_back(std::sqrt(options.coef0));
  for (const double value : row) z.push_back(std::sqrt(options.gamma) * value);
  std::vector<double> products;
  for (std::size_t k = 0; k < z.size(); ++k)
    for (std::size_t j = 0; j <= k; ++j) {
      if (options.degree == 2) {
        products.push_back(z[j] * z[k] * std::sqrt(j == k ? 1 : 2));
        continue;
      }
      for (std::size_t i = 0; i <= j; ++i) {
        const int orders = i == k ? 1 : (i == j || j == k) ? 3 : 6;
        products.push_back(z[i] * z[j] * z[k] * std::sqrt(orders));
      }
    }
  return products;
}

TEST(Polynomial, IsTheSlowObviousVersion) {
  const Table table = random_table(12, 5, 1);
  for (const int degree : {2, 3})
    for (const double coef0 : {0.0, 1.0, 2.5}) {
      const Polynomial options{.degree = degree, .gamma = 0.7, .coef0 = coef0};
      const Table made = table_of(*options.apply(*dense<double>(table)));
      for (std::size_t i = 0; i < table.size(); ++i) {
        const std::vector<double> slow = slow_products(options, table[i]);
        ASSERT_EQ(made[i].size(), slow.size());
        for (std::size_t k = 0; k < slow.size(); ++k) EXPECT_NEAR(made[i][k], slow[k], 1e-14);
      }
    }
}

TEST(Polynomial, ProductsAreTheKernel) {
  const Table table = random_table(15, 6, 2);
  for (const int degree : {2, 3})
    for (const double gamma : {0.5, 2.0})
      for (const double coef0 : {0.0, 1.0, 3.0}) {
        const Table made = table_of(*Polynomial{degree, gamma, coef0}.apply(*dense<double>(table)));
        for (std::size_t i = 0; i < table.size(); ++i)
          for (std::size_t k = 0; k <= i; ++k) {
            const double kernel = std::pow(gamma * dot(table[i], table[k]) + coef0, degree);
            EXPECT_NEAR(dot(made[i], made[k]), kernel, 1e-12 * (1 + std::abs(kernel)));
          }
      }
}

// By hand: z = (1, 2, 0, 3), so 1; sqrt2 2, 4; -; sqrt2 3, sqrt2 6, -, 9.
TEST(Polynomial, SmallRowByHand) {
  const double r = std::sqrt(2.0);
  EXPECT_EQ(table_of(*Polynomial{}.apply(*dense<double>({{2, 0, 3}}))),
            (Table{{1, r * 1 * 2, 4, 0, 0, 0, r * 1 * 3, r * 2 * 3, 0, 9}}));
  EXPECT_EQ(Polynomial{}.apply(*dense<double>({{2, 0, 3}}))->nonzeros(), 6);
}

// The number of a feature does not depend on the width, so blocks of rows may differ in it.
TEST(Polynomial, FurtherColumnsComeBehind) {
  for (const int degree : {2, 3}) {
    const Polynomial options{.degree = degree};
    std::vector<double> narrow = table_of(*options.apply(*dense<double>({{2, -1}})))[0];
    const std::vector<double> wide = table_of(*options.apply(*dense<double>({{2, -1, 0, 0}})))[0];
    EXPECT_EQ(static_cast<Index>(narrow.size()), options.features(2));
    EXPECT_EQ(static_cast<Index>(wide.size()), options.features(4));
    narrow.resize(wide.size());
    EXPECT_EQ(narrow, wide);
  }
}

// The mean over seeds of the product is the kernel; that of 400 seeds is within some standard errors.
TEST(Polynomial, HashedProductsAreTheKernelOnAverage) {
  const Table table = random_table(2, 8, 3, 0.0);
  const MatrixPtr A = dense<double>(table);
  for (const int degree : {2, 3}) {
    const double kernel = std::pow(dot(table[0], table[1]) + 1, degree);
    double sum = 0, squares = 0;
    constexpr int kSeeds = 400;
    for (int seed = 0; seed < kSeeds; ++seed) {
      const Polynomial options{.degree = degree, .hash_bits = 4, .seed = static_cast<std::uint64_t>(seed)};
      const Table made = table_of(*options.apply(*A));
      ASSERT_EQ(made[0].size(), 16U);
      const double product = dot(made[0], made[1]);
      sum += product;
      squares += (product - kernel) * (product - kernel);
    }
    const double deviation = std::sqrt(squares / kSeeds);
    EXPECT_GT(deviation, 0.01);
    EXPECT_NEAR(sum / kSeeds, kernel, 4 * deviation / std::sqrt(kSeeds));
  }
}

// So wide that nothing collides: the same numbers up to place and sign.
TEST(Polynomial, WideHashesOnlyMoveProducts) {
  const Table table = {{0.5, -2, 3}};
  const auto sizes = [](const DataMatrix& A) {
    std::vector<double> found;
    const Table table_of_A = table_of(A);
    for (const double value : table_of_A[0])
      if (value != 0) found.push_back(std::abs(value));
    std::sort(found.begin(), found.end());
    return found;
  };
  EXPECT_EQ(sizes(*Polynomial{.hash_bits = 20}.apply(*dense<double>(table))),
            sizes(*Polynomial{}.apply(*dense<double>(table))));
}

TEST(Polynomial, ThreadsAndStorageChangeNoBit) {
  const Table table = rounded(random_table(50, 6, 1));
  for (const std::optional<int> bits : {std::optional<int>{}, {5}}) {
    const Polynomial options{.degree = 3, .hash_bits = bits};
    const Table made = table_of(*options.apply(*dense<double>(table)));
    EXPECT_EQ(table_of(*options.apply(*dense<double>(table), 3)), made);
    for (const MatrixPtr& other : other_storages(table)) EXPECT_EQ(table_of(*options.apply(*other)), made);
  }
}

TEST(Polynomial, CountsItsFeatures) {
  EXPECT_EQ((Polynomial{.degree = 2, .coef0 = 0}.features(4)), 10);
  EXPECT_EQ((Polynomial{.degree = 2}.features(4)), 15);
  EXPECT_EQ((Polynomial{.degree = 3, .coef0 = 0}.features(4)), 20);
  EXPECT_EQ((Polynomial{.degree = 3}.features(2'000'000)), 1'333'337'333'337'000'001);
  EXPECT_EQ((Polynomial{.hash_bits = 10}.features(1'000'000'000'000)), 1024);
}

TEST(Polynomial, RefusesWhatCannotBe) {
  const auto refusal = [](const Polynomial& options, const Table& table) {
    return message_of([&] { (void)options.apply(*dense<double>(table)); });
  };
  const Table small = {{1, 2}};
  EXPECT_EQ(refusal({.degree = 1}, small), "degree: 1 breaks the rule: 2 or 3");
  EXPECT_EQ(refusal({.degree = 4}, small), "degree: 4 breaks the rule: 2 or 3");
  EXPECT_EQ(refusal({.gamma = 0}, small), "gamma: 0 breaks the rule: a finite number > 0");
  EXPECT_EQ(refusal({.coef0 = -1}, small), "coef0: -1 breaks the rule: a finite number >= 0");
  EXPECT_EQ(refusal({.coef0 = std::nan("")}, small), "coef0: nan breaks the rule: a finite number >= 0");
  EXPECT_EQ(refusal({.hash_bits = 0}, small), "hash: 0 breaks the rule: a number of bits, 1 .. 30");
  EXPECT_EQ(refusal({.hash_bits = 31}, small), "hash: 31 breaks the rule: a number of bits, 1 .. 30");
  const std::string overflow =
      "data: a row with a product beyond the largest double breaks the rule: values of ordinary size; scale the "
      "columns "
      "first";
  EXPECT_EQ(refusal({}, {{1e200, 2}}), overflow);
  EXPECT_EQ(refusal({.hash_bits = 1}, {{1e200, -1e200}}), overflow);
  EXPECT_EQ(refusal({.degree = 3}, {std::vector<double>(600, 1.0)}),
            "degree: 3 for a row of 600 non-zeros breaks the rule: at most 33554432 products a row");
  EXPECT_EQ(message_of([] { (void)Polynomial{}.features(Index{1} << 40U); }),
            "degree: 2 for 1099511627776 columns breaks the rule: at most 2^62 features; hash them into fewer");
}

}  // namespace polynomial_test
}  // namespace pdbfw::test
