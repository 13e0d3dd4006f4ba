// The matrix of inner products against Eigen's own product.
#include "linalg/gram.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace pdbfw {
namespace gram_test {

RowMatrix random_rows(Index rows, Index columns, Random& random) {
  RowMatrix B(rows, columns);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) B(i, j) = random.normal();
  return B;
}

// Rows are taken by fours and columns by fours within pieces of 512: every rest, one piece and several.
TEST(LowerGram, IsTheLowerTriangleOfTheProduct) {
  Random random(1);
  for (const Index rows : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17})
    for (const Index columns : {0, 1, 2, 3, 4, 5, 7, 8, 31, 511, 512, 513, 1'030}) {
      const RowMatrix B = random_rows(rows, columns, random);
      const Eigen::MatrixXd gram = lower_gram(B);
      Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(rows, rows);
      for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j <= i; ++j) expected(i, j) = B.row(i).dot(B.row(j));
      ASSERT_EQ(gram.rows(), rows);
      ASSERT_EQ(gram.cols(), rows);
      EXPECT_LE((gram - expected).cwiseAbs().sum(), 1e-12 * static_cast<double>(rows * rows * (columns + 1)))
          << rows << " x " << columns;
      for (Index j = 0; j < rows; ++j)
        for (Index i = 0; i < j; ++i) ASSERT_EQ(gram(i, j), 0) << rows << " x " << columns;
    }
}

TEST(LowerGram, ByHand) {
  RowMatrix B(2, 3);
  B << 1, 2, 3, 4, 5, 6;
  Eigen::MatrixXd expected(2, 2);
  expected << 14, 0, 32, 77;
  EXPECT_EQ(lower_gram(B), expected);
}

}  // namespace gram_test
}  // namespace pdbfw
