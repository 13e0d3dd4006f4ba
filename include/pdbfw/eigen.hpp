// Problems from Eigen's matrices, without copying their entries. Needs Eigen 3.4 on the caller's side; nothing else of
// pdbfw does.
//
//   Eigen::SparseMatrix<double, Eigen::RowMajor> X = ...;
//   auto A = pdbfw::borrow(X);      // X must outlive A
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

template <class Value, int Options, class StorageIndex>
[[nodiscard]] MatrixPtr borrow(const Eigen::SparseMatrix<Value, Options, StorageIndex>& X) {
  if (!X.isCompressed()) throw InputError("Eigen matrix", "not compressed", "call makeCompressed() first");
  const auto entries = static_cast<std::size_t>(X.nonZeros());
  const std::span<const StorageIndex> offsets(X.outerIndexPtr(), static_cast<std::size_t>(X.outerSize()) + 1);
  const std::span<const StorageIndex> at(X.innerIndexPtr(), entries);
  const std::span<const Value> value(X.valuePtr(), entries);
  if constexpr ((Options & Eigen::RowMajorBit) != 0)
    return borrow_csr<Value, StorageIndex, StorageIndex>(X.rows(), X.cols(), offsets, at, value);
  else
    return borrow_csc<Value, StorageIndex, StorageIndex>(X.rows(), X.cols(), offsets, at, value);
}

template <class Value, int Rows, int Columns, int Options>
[[nodiscard]] MatrixPtr borrow(const Eigen::Matrix<Value, Rows, Columns, Options>& X) {
  const std::span<const Value> value(X.data(), static_cast<std::size_t>(X.size()));
  if constexpr ((Options & Eigen::RowMajorBit) != 0)
    return borrow_dense_rows<Value>(X.rows(), X.cols(), value);
  else
    return borrow_dense_columns<Value>(X.rows(), X.cols(), value);
}

}  // namespace pdbfw
