#include "linalg/dense_product.hpp"

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "linalg/dense_kernel.hpp"
#include "linalg/processor.hpp"

namespace pdbfw {
namespace {

const DenseKernel& kernel() {
#ifdef PDBFW_AVX2
  static const DenseKernel& best = processor_has_avx512() ? kDenseAvx512
                                   : processor_has_avx2() ? kDenseAvx2
                                                          : kDenseBaseline;
  return best;
#else
  return kDenseBaseline;
#endif
}

// A matrix or its transpose: entry (i, j) is data[i row_step + j column_step].
struct Strided {
  const double* data;
  Index rows, columns, row_step, column_step;
};
Strided plain(const ConstView& A) { return {A.data(), A.rows(), A.cols(), A.outerStride(), 1}; }
Strided transposed(const ConstView& A) { return {A.data(), A.cols(), A.rows(), 1, A.outerStride()}; }

// The registers in a row of the tile that waste the least on columns that are not there.
int choose_vectors(Index columns, int lanes) {
  int best = 3;
  double least = 0;
  for (const int vectors : {3, 2, 1}) {
    const Index width = static_cast<Index>(vectors) * lanes;
    const Index tiles = (columns + width - 1) / width;
    const double cost = static_cast<double>(tiles) * (vectors + 0.5);
    if (vectors == 3 || cost < least) {
      best = vectors;
      least = cost;
    }
  }
  return best;
}

// B in panels of `width` columns, line after line, with zeros beyond the last column.
void pack_panels(const Strided& B, Index width, std::vector<double>& out) {
  const Index panels = (B.columns + width - 1) / width;
  out.resize(static_cast<std::size_t>(panels * width * B.rows));
  for (Index panel = 0; panel < panels; ++panel) {
    const Index size = std::min(width, B.columns - panel * width);
    const double* const from = B.data + panel * width * B.column_step;
    double* const to = out.data() + panel * width * B.rows;
    if (size < width) std::fill(to, to + width * B.rows, 0.0);
    if (B.column_step == 1)
      for (Index k = 0; k < B.rows; ++k) std::copy_n(from + k * B.row_step, size, to + k * width);
    else
      for (Index j = 0; j < size; ++j)
        for (Index k = 0; k < B.rows; ++k) to[k * width + j] = from[j * B.column_step + k * B.row_step];
  }
}

enum class Part { all, lower };

// Packed at once, at most: 32 MB.
constexpr Index kColumns = 1008;
constexpr Index kDepth = 4096;

// C += alpha A B, in blocks that do not depend on the threads. Of a square C only the blocks that touch the lower
// triangle, if so asked.
void add_in_row_blocks(double alpha, const Strided& A, const Strided& B, double* C, Index row_length, int threads,
                       Part part) {
  std::vector<double> panels;
  for (Index first = 0; first < B.columns; first += kColumns) {
    const Index columns = std::min(kColumns, B.columns - first);
    const int vectors = choose_vectors(columns, kernel().lanes);
    for (Index line = 0; line < B.rows; line += kDepth) {
      const Index depth = std::min(kDepth, B.rows - line);
      pack_panels({B.data + line * B.row_step + first * B.column_step, depth, columns, B.row_step, B.column_step},
                  static_cast<Index>(vectors) * kernel().lanes, panels);
      parallel_for(threads, (A.rows + kDenseRows - 1) / kDenseRows, [&](Index block) {
        const Index row = block * kDenseRows, rows = std::min(kDenseRows, A.rows - row);
        const Index wanted = part == Part::all ? columns : std::min(columns, row + rows - first);
        if (wanted <= 0) return;
        std::vector<double> room(kDenseRoom);
        kernel().add({rows, wanted, depth, alpha, A.data + row * A.row_step + line * A.column_step, A.row_step,
                      A.column_step, panels.data(), vectors, C + row * row_length + first, row_length, room.data()});
      });
    }
  }
}

// One column is a matter of memory, not of registers: Eigen's product is as good.
void add_column(double alpha, const Strided& A, const Strided& B, View C, int threads) {
  using Steps = Eigen::InnerStride<>;
  const Vector b = Eigen::Map<const Vector, 0, Steps>(B.data, B.rows, Steps(B.row_step));
  parallel_for(threads, (A.rows + kDenseRows - 1) / kDenseRows, [&](Index block) {
    const Index row = block * kDenseRows, rows = std::min(kDenseRows, A.rows - row);
    const double* const data = A.data + row * A.row_step;
    Vector sum;
    if (A.column_step == 1)
      sum.noalias() = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(data, rows, A.columns, A.row_step) * b;
    else
      sum.noalias() =
          Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(data, A.columns, rows, A.column_step).transpose() * b;
    C.middleRows(row, rows) += alpha * sum;
  });
}

// Few rows and columns, but a long sum, as in a Gram matrix: every piece of the sum on its own, added in order.
constexpr Index kPiece = 4096;
constexpr Index kMostPieces = 64;

void add_product(double alpha, const Strided& A, const Strided& B, View C, int threads, Part part = Part::all) {
  if (C.size() == 0 || A.columns == 0) return;
  if (C.cols() == 1) return add_column(alpha, A, B, C, threads);
  const Index piece = std::max(kPiece, (A.columns + kMostPieces - 1) / kMostPieces);
  const Index pieces = (A.columns + piece - 1) / piece;
  if (pieces == 1 || C.rows() > 4 * kDenseRows) {
    add_in_row_blocks(alpha, A, B, C.data(), C.outerStride(), threads, part);
    return;
  }
  std::vector<Matrix> sums(static_cast<std::size_t>(pieces));
  parallel_for(threads, pieces, [&](Index p) {
    const Index first = p * piece, depth = std::min(piece, A.columns - first);
    Matrix& sum = sums[static_cast<std::size_t>(p)];
    sum.setZero(C.rows(), C.cols());
    add_in_row_blocks(alpha, {A.data + first * A.column_step, A.rows, depth, A.row_step, A.column_step},
                      {B.data + first * B.row_step, depth, B.columns, B.row_step, B.column_step}, sum.data(),
                      sum.outerStride(), 1, part);
  });
  for (const Matrix& sum : sums) C += sum;
}

Matrix gram(const Strided& A, const Strided& B, int threads) {
  Matrix C = Matrix::Zero(A.rows, A.rows);
  add_product(1, A, B, C, threads, Part::lower);
  C.triangularView<Eigen::StrictlyUpper>() = C.transpose();
  return C;
}

}  // namespace

void add_times(double alpha, const ConstView& A, const ConstView& B, const View& C, int threads) {
  add_product(alpha, plain(A), plain(B), C, threads);
}

void add_transposed_times(double alpha, const ConstView& A, const ConstView& B, const View& C, int threads) {
  add_product(alpha, transposed(A), plain(B), C, threads);
}

void add_times_transposed(double alpha, const ConstView& A, const ConstView& B, const View& C, int threads) {
  add_product(alpha, plain(A), transposed(B), C, threads);
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

Matrix column_gram(const ConstView& A, int threads) { return gram(transposed(A), plain(A), threads); }
Matrix row_gram(const ConstView& A, int threads) { return gram(plain(A), transposed(A), threads); }

}  // namespace pdbfw
