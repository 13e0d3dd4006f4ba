// Eigen's matrices are borrowed: the library reads the caller's own arrays.
#include "pdbfw/eigen.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "io/message.hpp"
#include "reference/dense.hpp"

namespace pdbfw {
namespace eigen_test {

//     ( 1 0 2 )
//     ( 0 3 0 )
template <class Value, int Options, class StorageIndex>
Eigen::SparseMatrix<Value, Options, StorageIndex> example() {
  Eigen::SparseMatrix<Value, Options, StorageIndex> X(2, 3);
  X.insert(0, 0) = 1;
  X.insert(0, 2) = 2;
  X.insert(1, 1) = 3;
  X.makeCompressed();
  return X;
}

const std::vector<double> kExample{1, 0, 2, 0, 3, 0};

template <class Value, int Options, class StorageIndex>
void expect_sparse_is_borrowed() {
  const auto X = example<Value, Options, StorageIndex>();
  const MatrixPtr A = borrow(X);
  EXPECT_EQ(reference::expand(*A).entry, kExample);
  const auto& lines =
      std::get<SparseLines<Value, StorageIndex>>(Options == Eigen::RowMajor ? A->by_row() : A->by_column());
  EXPECT_EQ(lines.value.data(), X.valuePtr());
  EXPECT_EQ(lines.at.data(), X.innerIndexPtr());
}

TEST(Eigen, SparseMatricesAreBorrowed) {
  expect_sparse_is_borrowed<double, Eigen::RowMajor, std::int32_t>();
  expect_sparse_is_borrowed<double, Eigen::ColMajor, std::int32_t>();
  expect_sparse_is_borrowed<float, Eigen::RowMajor, std::int64_t>();
  expect_sparse_is_borrowed<float, Eigen::ColMajor, std::int64_t>();
}

TEST(Eigen, DenseMatricesAreBorrowed) {
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(2, 3);
  rows << 1, 0, 2, 0, 3, 0;
  const MatrixPtr A = borrow(rows);
  EXPECT_EQ(reference::expand(*A).entry, kExample);
  EXPECT_EQ(std::get<DenseLines<double>>(A->by_row()).value.data(), rows.data());
  const Eigen::MatrixXf columns = rows.cast<float>();
  const MatrixPtr B = borrow(columns);
  EXPECT_EQ(reference::expand(*B).entry, kExample);
  EXPECT_EQ(std::get<DenseLines<float>>(B->by_column()).value.data(), columns.data());
}

TEST(Eigen, FixedSizesAreTaken) {
  const Eigen::Matrix<double, 2, 3> X{{1, 0, 2}, {0, 3, 0}};
  EXPECT_EQ(reference::expand(*borrow(X)).entry, kExample);
}

TEST(Eigen, UncompressedMatricesAreRefused) {
  Eigen::SparseMatrix<double, Eigen::RowMajor> X(2, 3);
  X.reserve(Eigen::VectorXi::Constant(2, 3));
  X.insert(0, 1) = 1;
  EXPECT_EQ(test::message_of([&] { (void)borrow(X); }),
            "Eigen matrix: not compressed breaks the rule: call makeCompressed() first");
}

}  // namespace eigen_test
}  // namespace pdbfw
