// Sizes at which threads are used: the same bits for any number of them, and right.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "linalg/operators.hpp"
#include "support/maps.hpp"

namespace pdbfw {
namespace threads_test {

using test::random_factors;
using test::random_matrix;

// About a tenth of the entries, as multiples of 1/8.
Matrix thinned(std::uint64_t seed, Index rows, Index columns) {
  Random random(seed);
  Matrix M(rows, columns);
  for (Index i = 0; i < M.size(); ++i)
    M.data()[i] = random.uniform() < 0.9 ? 0.0 : (static_cast<double>(random.below(16)) + 1) / 8;
  return M;
}

std::vector<std::pair<std::string, MapPtr>> large_maps() {
  std::vector<std::pair<std::string, MapPtr>> maps;
  Random random(3);
  const Matrix A = thinned(1, 3000, 500);
  for (const auto& [name, matrix] : test::stored(A)) maps.emplace_back("rows " + name, rows_map(matrix, 11));
  std::vector<Index> row(100'000), column(row.size());
  for (Index& i : row) i = static_cast<Index>(random.below(300));
  for (Index& j : column) j = static_cast<Index>(random.below(200));
  maps.emplace_back("entries", entries_map(300, 200, row, column));
  for (const auto& [name, matrix] : test::stored(thinned(2, 400, 50 * 60)))
    maps.emplace_back("products " + name, products_map(matrix, 50, 60));
  for (const auto& [name, matrix] : test::stored(thinned(3, 3000, 150)))
    maps.emplace_back("quadratic " + name, quadratic_map(matrix, 2));
  return maps;
}

constexpr Index kRank = 12;

TEST(LargeMaps, SameBitsForAnyNumberOfThreads) {
  for (const auto& [name, map] : large_maps()) {
    const Factors X = random_factors(5, map->rows(), map->columns(), kRank);
    const Matrix Y = random_matrix(map->samples(), map->outputs(), 6);
    const auto adjoint = map->adjoint(Y);
    const auto all = [&, &map = map](int threads) {
      std::vector<Matrix> out(5);
      map->apply(X, out[0], threads);
      map->apply(X.dense(), out[1], threads);
      out[2].setZero(map->rows(), map->columns());
      map->add_adjoint(Y, 0.5, out[2], threads);
      adjoint->times(X.V, out[3], threads);
      adjoint->transposed_times(X.U, out[4], threads);
      return out;
    };
    const std::vector<Matrix> one = all(1);
    for (const int threads : {2, 3, 8}) EXPECT_EQ(one, all(threads)) << name << ", " << threads << " threads";
  }
}

TEST(LargeMaps, AllWaysAgree) {
  for (const auto& [name, map] : large_maps()) {
    const Factors X = random_factors(5, map->rows(), map->columns(), kRank);
    const Matrix Y = random_matrix(map->samples(), map->outputs(), 6);
    Matrix W, of_entries, Z = Matrix::Zero(map->rows(), map->columns()), ZV, ZtU;
    map->apply(X, W, 2);
    map->apply(X.dense(), of_entries, 2);
    EXPECT_LE((W - of_entries).norm(), 1e-12 * W.norm()) << name;
    map->add_adjoint(Y, 1, Z, 2);
    EXPECT_NEAR(W.cwiseProduct(Y).sum(), Z.cwiseProduct(X.dense()).sum(), 1e-12 * W.norm() * Y.norm()) << name;
    map->adjoint(Y)->times(X.V, ZV, 2);
    EXPECT_LE((ZV - Z * X.V).norm(), 1e-12 * ZV.norm()) << name;
    map->adjoint(Y)->transposed_times(X.U, ZtU, 2);
    EXPECT_LE((ZtU - Z.transpose() * X.U).norm(), 1e-12 * ZtU.norm()) << name;
  }
}

TEST(LargeMaps, SparseAndDenseAgree) {
  // The six kinds of storage of one matrix follow one another.
  const auto maps = large_maps();
  for (std::size_t k = 0; k + 1 < maps.size(); ++k) {
    const auto& [name, map] = maps[k];
    const auto& [other_name, other] = maps[k + 1];
    if (map->name() != other->name()) continue;
    const Factors X = random_factors(5, map->rows(), map->columns(), kRank);
    Matrix W, V;
    map->apply(X, W);
    other->apply(X, V);
    EXPECT_LE((W - V).norm(), 1e-13 * W.norm()) << name << " and " << other_name;
    EXPECT_NEAR(map->squared_norm(), other->squared_norm(), 0.02 * map->squared_norm());
    EXPECT_EQ(map->name(), other->name());
  }
}

}  // namespace threads_test
}  // namespace pdbfw
