// Every linear map in every way of applying it, against its matrix written out.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "linalg/operators.hpp"
#include "reference/spectrum.hpp"
#include "support/maps.hpp"

namespace pdbfw {
namespace laws_test {

using test::all_maps;
using test::MapCase;
using test::random_factors;
using test::random_matrix;

Matrix as_column(const Matrix& M) { return Eigen::Map<const Matrix>(M.data(), M.size(), 1); }

Matrix expected(const MapCase& one, const Matrix& X) {
  const Matrix w = one.full * as_column(X);
  return Eigen::Map<const Matrix>(w.data(), one.map->samples(), one.map->outputs());
}
Matrix expected_adjoint(const MapCase& one, const Matrix& Y) {
  const Matrix z = one.full.transpose() * as_column(Y);
  return Eigen::Map<const Matrix>(z.data(), one.map->rows(), one.map->columns());
}

void expect_near(const Matrix& a, const Matrix& b, const std::string& name) {
  ASSERT_EQ(a.rows(), b.rows()) << name;
  ASSERT_EQ(a.cols(), b.cols()) << name;
  EXPECT_LE((a - b).norm(), 1e-12 * (1 + b.norm())) << name;
}

std::uint64_t any_seed() { return *rc::gen::inRange<std::uint64_t>(0, 1'000'000); }

constexpr Index kLargest = 7;

RC_GTEST_PROP(Maps, ApplyIsTheMatrixOfTheMap, ()) {
  const std::uint64_t seed = any_seed();
  for (const MapCase& one : all_maps(seed, kLargest)) {
    const LinearMap& map = *one.map;
    ASSERT_EQ(one.full.rows(), map.samples() * map.outputs()) << one.name;
    for (const Index rank : {0, 1, 3}) {
      const Factors X = random_factors(seed, map.rows(), map.columns(), rank);
      Matrix W;
      map.apply(X, W);
      expect_near(W, expected(one, X.dense()), one.name + " on factors");
      map.apply(X.dense(), W);
      expect_near(W, expected(one, X.dense()), one.name + " on entries");
    }
  }
}

RC_GTEST_PROP(Maps, AdjointIsTheTransposedMatrixOfTheMap, ()) {
  const std::uint64_t seed = any_seed();
  for (const MapCase& one : all_maps(seed, kLargest)) {
    const LinearMap& map = *one.map;
    const Matrix Y = random_matrix(map.samples(), map.outputs(), seed);
    const Matrix Z = expected_adjoint(one, Y);
    const Matrix before = random_matrix(map.rows(), map.columns(), seed + 1);
    Matrix sum = before;
    map.add_adjoint(Y, -0.5, sum);
    expect_near(sum, before - 0.5 * Z, one.name + " formed");

    const auto adjoint = map.adjoint(Y);
    ASSERT_EQ(adjoint->rows(), map.rows());
    ASSERT_EQ(adjoint->columns(), map.columns());
    for (const Index s : {0, 1, 3}) {
      const Matrix V = random_matrix(map.columns(), s, seed + 2), U = random_matrix(map.rows(), s, seed + 3);
      Matrix out;
      adjoint->times(V, out);
      expect_near(out, Z * V, one.name + " times");
      adjoint->transposed_times(U, out);
      expect_near(out, Z.transpose() * U, one.name + " transposed");
    }
    if (adjoint->entries() != nullptr) expect_near(*adjoint->entries(), Z, one.name + " entries");
  }
}

// <A(X), Y> = <X, A*(Y)>, by the maps' own products alone.
RC_GTEST_PROP(Maps, AdjointOfEachOther, ()) {
  const std::uint64_t seed = any_seed();
  for (const MapCase& one : all_maps(seed, kLargest)) {
    const Factors X = random_factors(seed, one.map->rows(), one.map->columns(), 2);
    const Matrix Y = random_matrix(one.map->samples(), one.map->outputs(), seed + 5);
    Matrix W, Z = Matrix::Zero(one.map->rows(), one.map->columns());
    one.map->apply(X, W);
    one.map->add_adjoint(Y, 1, Z);
    EXPECT_NEAR(W.cwiseProduct(Y).sum(), Z.cwiseProduct(X.dense()).sum(), 1e-11 * (1 + W.norm() * Y.norm()))
        << one.name;
  }
}

RC_GTEST_PROP(Maps, SubsetIsTheRowsOfTheWhole, ()) {
  const std::uint64_t seed = any_seed();
  Random random(seed);
  for (const MapCase& one : all_maps(seed, kLargest)) {
    const LinearMap& map = *one.map;
    const Index k = map.outputs();
    std::vector<Index> samples(1 + random.below(5));
    for (Index& i : samples) i = static_cast<Index>(random.below(static_cast<std::uint64_t>(map.samples())));
    MapCase part{one.name + ", subset", map.subset(samples),
                 Matrix(static_cast<Index>(samples.size()) * k, one.full.cols())};
    for (std::size_t i = 0; i < samples.size(); ++i)
      part.full.middleRows(static_cast<Index>(i) * k, k) = one.full.middleRows(samples[i] * k, k);
    ASSERT_EQ(part.map->samples(), static_cast<Index>(samples.size()));
    ASSERT_EQ(part.map->name(), map.name());

    const Factors X = random_factors(seed, map.rows(), map.columns(), 2);
    Matrix W;
    part.map->apply(X, W);
    expect_near(W, expected(part, X.dense()), part.name);
    const Matrix Y = random_matrix(part.map->samples(), k, seed + 5), V = random_matrix(map.columns(), 2, seed + 6);
    part.map->adjoint(Y)->times(V, W);
    expect_near(W, expected_adjoint(part, Y) * V, part.name + " adjoint");
  }
}

// From above, and no more than 2 % above.
RC_GTEST_PROP(Maps, NormsAreThoseOfTheMatrixOfTheMap, ()) {
  for (const MapCase& one : all_maps(any_seed(), kLargest)) {
    const double largest = reference::singular_values(one.full)(0);
    const double exact = largest * largest;
    EXPECT_GE(one.map->squared_norm(), exact * (1 - 1e-12)) << one.name;
    EXPECT_LE(one.map->squared_norm(), exact * 1.02) << one.name;
    double sample = 0;
    const Index k = one.map->outputs();
    for (Index i = 0; i < one.map->samples(); ++i) {
      const Eigen::MatrixXd part = one.full.middleRows(i * k, k);
      const double norm = reference::singular_values(part)(0);
      sample = std::max(sample, norm * norm);
    }
    EXPECT_NEAR(one.map->largest_squared_sample_norm(), sample, 1e-12 * (1 + sample)) << one.name;
  }
}

}  // namespace laws_test
}  // namespace pdbfw
