#include <gtest/gtest.h>

#include "data/labels.hpp"
#include "io/message.hpp"
#include "io/rows.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw::test {
namespace classes_test {

using Rows = std::vector<reference::Row>;

TEST(KeepClasses, KeepsTheRowsOfTwoInTheirOrder) {
  const MatrixPtr sparse = own_csr<float, std::int32_t>(4, 3, {0, 2, 2, 3, 4}, {0, 2, 1, 0}, {1, 2, 3, 4});
  const Dataset kept = keep_classes({sparse, {9, 0, 5, 0}}, {0, 9});
  EXPECT_EQ(rows_of(kept), (Rows{{1, {{0, 1}, {2, 2}}}, {-1, {}}, {-1, {{0, 4}}}}));
  EXPECT_EQ(kept.A->columns(), 3);
  EXPECT_TRUE((std::holds_alternative<SparseLines<float, std::int32_t>>(kept.A->by_row()))) << "stored as before";
  const MatrixPtr dense = own_dense_rows<double>(3, 2, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(rows_of(keep_classes({dense, {1, 2, 3}}, {3, 2})), (Rows{{1, {{0, 3}, {1, 4}}}, {-1, {{0, 5}, {1, 6}}}}));
}

TEST(KeepClasses, Mistakes) {
  const MatrixPtr dense = own_dense_rows<double>(2, 1, {1, 2});
  const auto refusal = [&](double a, double b) {
    return message_of([&] { static_cast<void>(keep_classes({dense, {1, 2}}, {a, b})); });
  };
  EXPECT_EQ(refusal(1, 1), "classes: 1,1 breaks the rule: two different finite numbers");
  EXPECT_EQ(refusal(1, 7), "classes: 1,7 breaks the rule: targets that occur; no row has 7");
  EXPECT_EQ(refusal(8, 2), "classes: 8,2 breaks the rule: targets that occur; no row has 8");
}

}  // namespace classes_test
}  // namespace pdbfw::test
