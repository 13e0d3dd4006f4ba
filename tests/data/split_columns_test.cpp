// Columns taken out of a matrix: the rest is the matrix without them, whatever the storage.
#include "data/split_columns.hpp"

#include <gtest/gtest.h>

#include "reference/dense.hpp"
#include "support/problems.hpp"

namespace pdbfw {
namespace split_columns_test {

using reference::DenseMatrix;

// Owns what it borrows.
struct Stored {
  DenseMatrix entries, transposed;
  reference::Compressed<float, std::int64_t, Index> rows;
  reference::Compressed<double, std::int32_t, Index> columns;

  explicit Stored(const DenseMatrix& A)
      : entries(A),
        transposed(reference::transposed(A)),
        rows(reference::compress_rows<float, std::int64_t, Index>(A)),
        columns(reference::compress_columns<double, std::int32_t, Index>(A)) {}

  [[nodiscard]] std::vector<MatrixPtr> all() const {
    const Index n = entries.rows, d = entries.columns;
    return {borrow_csr<float, std::int64_t, Index>(n, d, rows.offsets, rows.at, rows.value),
            borrow_csc<double, std::int32_t, Index>(n, d, columns.offsets, columns.at, columns.value),
            borrow_dense_rows<double>(n, d, entries.entry), borrow_dense_columns<double>(n, d, transposed.entry)};
  }
};

DenseMatrix rounded_to_float(DenseMatrix A) {
  for (double& value : A.entry) value = static_cast<double>(static_cast<float>(value));
  return A;
}

TEST(SplitColumns, OfEveryStorageAreTheSame) {
  Random random(5);
  const DenseMatrix A = rounded_to_float(test::random_matrix({.n = 9, .d = 6, .density = 0.6}, random));
  const Stored stored(A);
  for (const std::vector<Index>& columns : {std::vector<Index>{0}, {5}, {1, 2, 4}, {0, 1, 2, 3, 4, 5}, {}})
    for (const MatrixPtr& storage : stored.all()) {
      const SplitColumns split = split_columns(*storage, columns);
      EXPECT_EQ(split.rest->orientation(), storage->orientation());
      EXPECT_EQ(split.rest->is_dense(), storage->is_dense());
      ASSERT_EQ(split.rest->rows(), 9);
      ASSERT_EQ(split.rest->columns(), 6 - static_cast<Index>(columns.size()));
      ASSERT_EQ(split.taken.size(), 9 * columns.size());
      const DenseMatrix rest = reference::expand(*split.rest);
      for (Index i = 0; i < 9; ++i) {
        std::vector<double> row, left, taken;
        for (Index j = 0; j < 6; ++j) row.push_back(A(i, j));
        for (Index j = 0; j < rest.columns; ++j) left.push_back(rest(i, j));
        for (std::size_t c = 0; c < columns.size(); ++c)
          taken.push_back(split.taken[c * 9 + static_cast<std::size_t>(i)]);
        EXPECT_EQ(without_entries(row, columns), left);
        EXPECT_EQ(with_entries(left, columns, taken), row);
      }
    }
}

}  // namespace split_columns_test
}  // namespace pdbfw
