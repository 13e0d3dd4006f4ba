#include <gtest/gtest.h>

#include <cmath>

#include "linalg/decompositions.hpp"
#include "support/matrices.hpp"

namespace pdbfw {
namespace cholesky_test {

using test::random_matrix;

// Sizes below, at and beyond those of the blocks.
TEST(Cholesky, SolvesWhateverTheSize) {
  for (const Index size : {0, 1, 2, 5, 95, 96, 97, 191, 192, 193, 300}) {
    const Matrix B = random_matrix(size + 10, size, static_cast<std::uint64_t>(size));
    Matrix S = B.transpose() * B + Matrix::Identity(size, size);
    const Vector x = random_matrix(size, 1, 7).col(0);
    const Vector v = S * x;
    S.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));  // is not read
    Cholesky cholesky;
    ASSERT_TRUE(cholesky.factor(S)) << size;
    EXPECT_LE((cholesky.solve(v) - x).norm(), 1e-9) << size;
  }
}

TEST(Cholesky, ByHand) {
  Matrix S(2, 2);
  S << 4, 2, 2, 10;
  Vector v(2);
  v << 8, 22;
  Cholesky cholesky;
  ASSERT_TRUE(cholesky.factor(S));
  EXPECT_NEAR(cholesky.solve(v)[0], 1, 1e-15);
  EXPECT_NEAR(cholesky.solve(v)[1], 2, 1e-15);
}

// In the first block, in a later one, and where it is no number.
TEST(Cholesky, HasNoFactorOfWhatIsNotPositive) {
  for (const double odd : {-1.0, 0.0, std::nan("")})
    for (const Index at : {0, 100, 199}) {
      Matrix S = Matrix::Identity(200, 200);
      S(at, at) = odd;
      Cholesky cholesky;
      EXPECT_FALSE(cholesky.factor(S)) << at;
      EXPECT_TRUE(std::isnan(cholesky.solve(Vector::Ones(200))[0]));
    }
}

}  // namespace cholesky_test
}  // namespace pdbfw
