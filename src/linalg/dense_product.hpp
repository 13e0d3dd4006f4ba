// Products of dense matrices: where the low-rank family spends its time. The same bits for any number of threads.
#pragma once

#include "pdbfw/factors.hpp"

namespace pdbfw {

// Any part of a matrix whose rows lie side by side.
using ConstView = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using View = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;

// C += alpha A B,  C += alpha A'B,  C += alpha A B'.
void add_times(double alpha, const ConstView& A, const ConstView& B, const View& C, int threads = 1);
void add_transposed_times(double alpha, const ConstView& A, const ConstView& B, const View& C, int threads = 1);
void add_times_transposed(double alpha, const ConstView& A, const ConstView& B, const View& C, int threads = 1);

// A B,  A'B,  A B'.
[[nodiscard]] Matrix times(const ConstView& A, const ConstView& B, int threads = 1);
[[nodiscard]] Matrix transposed_times(const ConstView& A, const ConstView& B, int threads = 1);
[[nodiscard]] Matrix times_transposed(const ConstView& A, const ConstView& B, int threads = 1);

// A'A and A A', at half the work.
[[nodiscard]] Matrix column_gram(const ConstView& A, int threads = 1);
[[nodiscard]] Matrix row_gram(const ConstView& A, int threads = 1);

}  // namespace pdbfw
