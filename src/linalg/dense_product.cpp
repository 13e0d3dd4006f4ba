#include "linalg/dense_product.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace pdbfw {
namespace {

// Rows of C that are computed together. Fixed, so that what is added to what does not depend on the threads.
constexpr Index kBlock = 128;

template <class Work>
void for_row_blocks(Index rows, int threads, const Work& work) {
  parallel_for(threads, (rows + kBlock - 1) / kBlock,
               [&](Index block) { work(block * kBlock, std::min(kBlock, rows - block * kBlock)); });
}

}  // namespace

void add_times(double alpha, const ConstView& A, const ConstView& B, View C, int threads) {
  for_row_blocks(C.rows(), threads, [&](Index first, Index size) {
    C.middleRows(first, size).noalias() += alpha * A.middleRows(first, size) * B;
  });
}

void add_transposed_times(double alpha, const ConstView& A, const ConstView& B, View C, int threads) {
  for_row_blocks(C.rows(), threads, [&](Index first, Index size) {
    C.middleRows(first, size).noalias() += alpha * A.middleCols(first, size).transpose() * B;
  });
}

void add_times_transposed(double alpha, const ConstView& A, const ConstView& B, View C, int threads) {
  for_row_blocks(C.rows(), threads, [&](Index first, Index size) {
    C.middleRows(first, size).noalias() += alpha * A.middleRows(first, size) * B.transpose();
  });
}

Matrix times(const ConstView& A, const ConstView& B, int threads) {
  Matrix C = Matrix::Zero(A.rows(), B.cols());
  add_times(1, A, B, C, threads);
  return C;
}

Matrix transposed_times(const ConstView& A, const ConstView& B, int threads) {
  Matrix C = Matrix::Zero(A.cols(), B.cols());
  add_transposed_times(1, A, B, C, threads);
  return C;
}

Matrix times_transposed(const ConstView& A, const ConstView& B, int threads) {
  Matrix C = Matrix::Zero(A.rows(), B.rows());
  add_times_transposed(1, A, B, C, threads);
  return C;
}

}  // namespace pdbfw
