#include "linalg/dense_product.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "linalg/dense_kernel.hpp"
#include "linalg/processor.hpp"
#include "support/matrices.hpp"

namespace pdbfw {
namespace dense_product_test {

using test::random_matrix;

// By the definition.
Matrix plain_product(const Matrix& A, const Matrix& B) {
  Matrix C = Matrix::Zero(A.rows(), B.cols());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index k = 0; k < A.cols(); ++k)
      for (Index j = 0; j < B.cols(); ++j) C(i, j) += A(i, k) * B(k, j);
  return C;
}

void expect_near(const Matrix& got, const Matrix& wanted, Index terms) {
  ASSERT_EQ(got.rows(), wanted.rows());
  ASSERT_EQ(got.cols(), wanted.cols());
  if (got.size() == 0) return;
  EXPECT_LE((got - wanted).cwiseAbs().maxCoeff(), 1e-14 * static_cast<double>(terms + 1));
}

struct Shape {
  Index rows, depth, columns;
};
const std::vector<Shape> kShapes{{1, 1, 1},    {0, 3, 2},     {3, 0, 2},     {2, 3, 0},     {7, 161, 23},
                                 {97, 5, 25},  {200, 33, 1},  {13, 40, 15},  {95, 320, 8},  {193, 50, 49},
                                 {3, 9000, 5}, {31, 4097, 1}, {8, 24, 1100}, {400, 4200, 3}};

TEST(DenseProduct, AllThreeAgreeWithTheDefinition) {
  for (const auto& [rows, depth, columns] : kShapes) {
    SCOPED_TRACE(testing::Message() << rows << " x " << depth << " x " << columns);
    const Matrix A = random_matrix(rows, depth, 1), B = random_matrix(depth, columns, 2);
    const Matrix At = A.transpose(), Bt = B.transpose();
    const Matrix wanted = plain_product(A, B);
    expect_near(times(A, B), wanted, depth);
    expect_near(transposed_times(At, B), wanted, depth);
    expect_near(times_transposed(A, Bt), wanted, depth);
    Matrix C = Matrix::Constant(rows, columns, 1);
    add_times(-2, A, B, C);
    expect_near(C, Matrix::Constant(rows, columns, 1) - 2 * wanted, 3 * depth);
  }
}

TEST(DenseProduct, GramMatricesAreWholeAndSymmetric) {
  for (const auto& [rows, depth, unused] : kShapes) {
    SCOPED_TRACE(testing::Message() << rows << " x " << depth);
    const Matrix A = random_matrix(rows, std::min<Index>(depth, 350), 3);
    const Matrix At = A.transpose();
    expect_near(row_gram(A), plain_product(A, At), 2 * A.cols());
    expect_near(column_gram(A), plain_product(At, A), 2 * A.rows());
    EXPECT_EQ(row_gram(A), Matrix(row_gram(A).transpose()));
  }
}

TEST(DenseProduct, TakesPartsOfMatrices) {
  const Matrix A = random_matrix(120, 90, 4), B = random_matrix(70, 80, 5);
  Matrix C = Matrix::Zero(130, 60);
  add_times(1, A.block(3, 7, 100, 50), B.block(9, 5, 50, 40), C.block(11, 13, 100, 40));
  Matrix wanted = Matrix::Zero(130, 60);
  wanted.block(11, 13, 100, 40) = plain_product(A.block(3, 7, 100, 50), B.block(9, 5, 50, 40));
  expect_near(C, wanted, 50);
}

TEST(DenseProduct, SameBitsForAnyNumberOfThreads) {
  for (const auto& [rows, depth, columns] : kShapes) {
    const Matrix A = random_matrix(rows, depth, 6), B = random_matrix(depth, columns, 7);
    const Matrix At = A.transpose(), Bt = B.transpose();
    for (const int threads : {2, 3}) {
      EXPECT_EQ(times(A, B, 1), times(A, B, threads));
      EXPECT_EQ(transposed_times(At, B, 1), transposed_times(At, B, threads));
      EXPECT_EQ(times_transposed(A, Bt, 1), times_transposed(A, Bt, threads));
      EXPECT_EQ(row_gram(A, 1), row_gram(A, threads));
      EXPECT_EQ(column_gram(At, 1), column_gram(At, threads));
    }
  }
}

std::vector<const DenseKernel*> kernels_of_this_processor() {
  std::vector<const DenseKernel*> all{&kDenseBaseline};
#ifdef PDBFW_AVX2
  if (processor_has_avx2()) all.push_back(&kDenseAvx2);
  if (processor_has_avx512()) all.push_back(&kDenseAvx512);
#endif
  return all;
}

TEST(DenseKernel, EveryKernelAgreesWithTheDefinition) {
  for (const DenseKernel* kernel : kernels_of_this_processor())
    for (const int vectors : {1, 2, 3})
      for (const bool is_transposed : {false, true})
        for (const auto& [rows, depth, columns] : {Shape{96, 330, 50}, Shape{5, 7, 3}, Shape{61, 20, 24}}) {
          const Index width = static_cast<Index>(vectors) * kernel->lanes;
          const Matrix A = random_matrix(rows, depth, 8), B = random_matrix(depth, columns, 9);
          const Matrix At = A.transpose();
          const Index panels = (columns + width - 1) / width;
          std::vector<double> packed(static_cast<std::size_t>(panels * width * depth), 0.0);
          for (Index k = 0; k < depth; ++k)
            for (Index j = 0; j < columns; ++j)
              packed[static_cast<std::size_t>(j / width * width * depth + k * width + j % width)] = B(k, j);
          Matrix C = Matrix::Zero(rows, columns);
          std::vector<double> room(kDenseRoom);
          kernel->add({rows, columns, depth, 1.0, is_transposed ? At.data() : A.data(), is_transposed ? 1 : depth,
                       is_transposed ? rows : 1, packed.data(), vectors, C.data(), columns, room.data()});
          SCOPED_TRACE(testing::Message() << kernel->lanes << " lanes, " << vectors << " vectors");
          expect_near(C, plain_product(A, B), depth);
        }
}

}  // namespace dense_product_test
}  // namespace pdbfw
