// Packed rows hold what the matrix holds on the features taken, entry by entry.
#include "solvers/sweeps/packed_rows.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "reference/dense.hpp"

namespace pdbfw {
namespace packed_rows_test {

using Row = std::vector<std::pair<Index, double>>;  // position and value

template <class Line>
Row entries_of(const Line& line) {
  Row row;
  for (Index k = 0; k < line.size; ++k) row.emplace_back(line.index(k), static_cast<double>(line.value[k]));
  return row;
}

// Row i of A on the given features, as it ought to be packed.
Row expected_row(const DataMatrix& A, Index i, std::span<const Index> features, bool as_float) {
  std::vector<Index> position(static_cast<std::size_t>(A.columns()), -1);
  for (std::size_t a = 0; a < features.size(); ++a)
    position[static_cast<std::size_t>(features[a])] = static_cast<Index>(a);
  const Row all = std::visit([i](const auto& rows) { return entries_of(rows[i]); }, A.by_row());
  Row row;
  for (const auto& [j, value] : all)
    if (const Index a = position[static_cast<std::size_t>(j)]; a >= 0)
      row.emplace_back(a, as_float ? static_cast<double>(static_cast<float>(value)) : value);
  return row;
}

template <class Value>
bool has_expected_kind(const PackedRows::Rows& rows, bool is_dense, std::size_t width) {
  if (is_dense) return std::holds_alternative<DensePack<Value>>(rows);
  if (width <= 65'536) return std::holds_alternative<SparsePack<Value, std::uint16_t>>(rows);
  return std::holds_alternative<SparsePack<Value, std::uint32_t>>(rows);
}

void expect_packed(const PackedRows& packed, const DataMatrix& A, const std::vector<Index>& features, bool as_float,
                   const std::string& what) {
  ASSERT_EQ(packed.features(), features) << what;
  EXPECT_EQ(packed.width(), static_cast<Index>(features.size())) << what;
  EXPECT_TRUE(as_float ? has_expected_kind<float>(packed.rows(), A.is_dense(), features.size())
                       : has_expected_kind<double>(packed.rows(), A.is_dense(), features.size()))
      << what << ": kind " << packed.rows().index();
  std::vector<Index> column_entries(features.size(), 0);
  for (Index i = 0; i < A.rows(); ++i) {
    const Row row = std::visit([i](const auto& rows) { return entries_of(rows[i]); }, packed.rows());
    ASSERT_EQ(row, expected_row(A, i, features, as_float)) << what << ", row " << i;
    for (const auto& [a, value] : row) ++column_entries[static_cast<std::size_t>(a)];
  }
  EXPECT_EQ(packed.column_entries(), column_entries) << what;
  EXPECT_EQ(packed.entries(), std::accumulate(column_entries.begin(), column_entries.end(), Index{0})) << what;
}

std::vector<Index> all_of(Index count) {
  std::vector<Index> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

std::vector<Index> some_of(Index count, double share, Random& random) {
  std::vector<Index> some;
  for (Index j = 0; j < count; ++j)
    if (random.uniform() < share) some.push_back(j);
  return some;
}

std::vector<Index> chosen(const std::vector<Index>& features, std::span<const Index> positions) {
  std::vector<Index> out;
  for (const Index a : positions) out.push_back(features[static_cast<std::size_t>(a)]);
  return out;
}

// Every third row is empty, and so are the first and the last.
template <class Value>
MatrixPtr sparse_with_empty_rows(Index n, Index d, double density, Random& random) {
  std::vector<Index> offsets{0};
  std::vector<std::int32_t> at;
  std::vector<Value> value;
  for (Index i = 0; i < n; ++i) {
    const bool is_empty = n > 1 && (i % 3 == 0 || i == n - 1);
    for (Index j = 0; j < d && !is_empty; ++j) {
      // The last column has entries, so that the largest position is used.
      if (random.uniform() >= density && j != d - 1) continue;
      at.push_back(static_cast<std::int32_t>(j));
      value.push_back(static_cast<Value>(random.normal()));
    }
    offsets.push_back(static_cast<Index>(at.size()));
  }
  return own_csr(n, d, std::move(offsets), std::move(at), std::move(value));
}

template <class Value>
MatrixPtr dense_of_normals(Index n, Index d, Random& random) {
  std::vector<Value> value(static_cast<std::size_t>(n * d));
  for (Value& v : value) v = static_cast<Value>(random.normal());
  return own_dense_rows(n, d, std::move(value));
}

// Packs, shrinks again and again down to nothing, and packs once more.
void expect_pack_and_shrink(const DataMatrix& A, const std::string& name, Random& random) {
  for (const bool as_float : {false, true})
    for (const int threads : {1, 2}) {
      const std::string what = name + (as_float ? " as float" : " as double");
      PackedRows packed(A, threads);
      for (const double share : {1.0, 0.6, 0.0}) {
        std::vector<Index> features = some_of(A.columns(), share, random);
        packed.pack(features, as_float);
        expect_packed(packed, A, features, as_float, what + ", packed");
        for (const double kept_share : {0.7, 1.0, 0.5, 0.2, 0.0, 0.5}) {
          const std::vector<Index> kept = some_of(packed.width(), kept_share, random);
          features = chosen(features, kept);
          packed.shrink(kept);
          expect_packed(packed, A, features, as_float, what + ", shrunk");
        }
      }
    }
}

// All of a dense matrix: the rows lie where they lay.
TEST(PackedRows, BorrowTheRowsOfADenseMatrix) {
  Random random(2);
  const MatrixPtr A = dense_of_normals<double>(4, 5, random);
  const double* const first = std::get<DenseLines<double>>(A->by_row()).value.data();
  PackedRows packed(*A, 1);
  packed.pack(all_of(5), false);
  EXPECT_EQ(std::get<DensePack<double>>(packed.rows()).value, first);
  packed.shrink(all_of(4));
  EXPECT_NE(std::get<DensePack<double>>(packed.rows()).value, first);
  packed.pack(all_of(4), false);
  EXPECT_NE(std::get<DensePack<double>>(packed.rows()).value, first);
  packed.pack(all_of(5), true);
  EXPECT_TRUE(std::holds_alternative<DensePack<float>>(packed.rows()));
}

TEST(PackedRows, HoldTheEntriesOfTheMatrix) {
  Random random(1);
  for (const Index n : {1, 2, 5, 8, 9, 23})  // fewer rows than shards, and more
    for (const double density : {0.05, 0.5, 1.0}) {
      const std::string what = std::to_string(n) + " rows of density " + std::to_string(density);
      expect_pack_and_shrink(*sparse_with_empty_rows<double>(n, 13, density, random), "sparse double, " + what, random);
      expect_pack_and_shrink(*sparse_with_empty_rows<float>(n, 13, density, random), "sparse float, " + what, random);
    }
  for (const Index n : {1, 5, 9, 23}) {
    expect_pack_and_shrink(*dense_of_normals<double>(n, 7, random), "dense double", random);
    expect_pack_and_shrink(*dense_of_normals<float>(n, 7, random), "dense float", random);
  }
}

// Shards of rows are shrunk side by side where they lie: no thread may write what another has still to read,
// which the thread sanitizer sees best.
TEST(PackedRows, ShrinkOnManyThreads) {
  Random random(5);
  const MatrixPtr A = sparse_with_empty_rows<double>(6'000, 40, 0.5, random);
  for (const int threads : {2, 8}) {
    PackedRows packed(*A, threads);
    std::vector<Index> features = all_of(40);
    packed.pack(features, false);
    for (const double share : {0.5, 0.9, 0.9, 0.5}) {
      const std::vector<Index> kept = some_of(packed.width(), share, random);
      features = chosen(features, kept);
      packed.shrink(kept);
      expect_packed(packed, *A, features, false, std::to_string(threads) + " threads");
    }
  }
}

TEST(PackedRows, OfAMatrixWithoutEntries) {
  Random random(2);
  expect_pack_and_shrink(*reference::sparse(reference::DenseMatrix(9, 4)), "no entries", random);
}

// 16 bits hold 65,536 positions.
TEST(PackedRows, OfManyFeaturesNeedWiderPositions) {
  Random random(3);
  for (const Index d : {65'535, 65'536, 65'537, 80'000}) {
    const MatrixPtr A = sparse_with_empty_rows<double>(11, d, 0.02, random);
    for (const bool as_float : {false, true}) {
      PackedRows packed(*A, 2);
      packed.pack(all_of(d), as_float);
      expect_packed(packed, *A, all_of(d), as_float, std::to_string(d));
    }
  }
}

TEST(PackedRows, ShrinkFromWiderPositionsToNarrow) {
  Random random(4);
  const Index d = 80'000;
  const MatrixPtr A = sparse_with_empty_rows<double>(11, d, 0.02, random);
  for (const bool as_float : {false, true})
    for (const int threads : {1, 2}) {
      PackedRows packed(*A, threads);
      std::vector<Index> features = all_of(d);
      packed.pack(features, as_float);
      for (const Index width : {70'000, 65'537, 65'536, 40'000, 10, 0}) {
        std::vector<Index> kept = all_of(packed.width());
        kept.erase(kept.begin(), kept.end() - width);  // the last ones: their positions change most
        features = chosen(features, kept);
        packed.shrink(kept);
        expect_packed(packed, *A, features, as_float, "shrunk to " + std::to_string(width));
      }
      packed.pack(all_of(d), as_float);
      packed.shrink(std::vector<Index>{});
      expect_packed(packed, *A, {}, as_float, "from wide to nothing");
    }
}

}  // namespace packed_rows_test
}  // namespace pdbfw
