// A range of rows is those rows, however the matrix is stored.
#include <gtest/gtest.h>

#include "linalg/chosen_rows.hpp"
#include "support/tables.hpp"

namespace pdbfw::test {
namespace row_range_test {

TEST(RowRange, IsTheseRows) {
  const Table table = rounded(random_table(9, 4, 1));
  std::vector<MatrixPtr> matrices = other_storages(table);
  matrices.push_back(dense<double>(table));
  for (const MatrixPtr& A : matrices)
    for (Index first = 0; first <= 9; ++first)
      for (Index last = first; last <= 9; ++last) {
        const MatrixPtr range = row_range(*A, first, last);
        EXPECT_EQ(range->columns(), 4);
        EXPECT_EQ(range->is_dense(), A->is_dense());
        EXPECT_EQ(table_of(*range), Table(table.begin() + first, table.begin() + last));
      }
}

}  // namespace row_range_test
}  // namespace pdbfw::test
