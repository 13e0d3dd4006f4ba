// The inner loop of dense products. One source is compiled for several processors: src/linalg/dense_kernel_*.cpp, each
// with its own compiler flags, which CMakeLists.txt gives. Such a file may include nothing else, so that no function
// that other sources share is ever taken from it.
#pragma once

#include <cstdint>

namespace pdbfw {

// C += alpha A B for a block of rows of C, with B in panels as pack_panels() leaves it.
struct DenseTask {
  std::int64_t rows, columns, depth;
  double alpha;
  const double* A;  // A(i, k) = A[i row_step + k depth_step]
  std::int64_t row_step, depth_step;
  const double* panels;  // of B: `vectors` x lanes columns wide, zeros beyond the last; `depth` lines each
  int vectors;           // 1, 2 or 3
  double* C;
  std::int64_t row_length;  // C(i, j) = C[i row_length + j]
  double* room;             // kDenseRoom numbers
};

// A tile of C stays in registers: `rows[vectors]` x (vectors lanes) numbers.
struct DenseKernel {
  int lanes;
  int rows[4];
  void (*add)(const DenseTask&);
};

// Numbers that the kernel needs to pack a part of A in.
constexpr std::int64_t kDenseDepth = 160;
constexpr std::int64_t kDenseRows = 96;                     // rows of C in one task, at most
constexpr std::int64_t kDenseEdge = std::int64_t{16} * 24;  // the largest tile
constexpr std::int64_t kDenseRoom = (kDenseRows + 16) * kDenseDepth + kDenseEdge;

extern const DenseKernel kDenseBaseline;
extern const DenseKernel kDenseAvx2;
extern const DenseKernel kDenseAvx512;

}  // namespace pdbfw
