#include "linalg/gram.hpp"

#include <algorithm>

#include "linalg/processor.hpp"

namespace pdbfw {

#ifdef PDBFW_AVX2
namespace {

// Pieces of rows that stay in the first-level cache while all pairs of them meet.
constexpr Index kPiece = 512;

PDBFW_AVX2 double sum_of(__m256d v) {
  alignas(32) double part[4];
  _mm256_store_pd(part, v);
  return (part[0] + part[1]) + (part[2] + part[3]);
}

// <a, b_k> for four rows at once: the row they share is loaded once.
PDBFW_AVX2 void four_dots(const double* a, const double* b, Index stride, Index size, double* out) {
  __m256d s0 = _mm256_setzero_pd(), s1 = s0, s2 = s0, s3 = s0;
  const double *b0 = b, *b1 = b + stride, *b2 = b + 2 * stride, *b3 = b + 3 * stride;
  Index k = 0;
  for (; k + 4 <= size; k += 4) {
    const __m256d v = _mm256_loadu_pd(a + k);
    s0 = _mm256_fmadd_pd(v, _mm256_loadu_pd(b0 + k), s0);
    s1 = _mm256_fmadd_pd(v, _mm256_loadu_pd(b1 + k), s1);
    s2 = _mm256_fmadd_pd(v, _mm256_loadu_pd(b2 + k), s2);
    s3 = _mm256_fmadd_pd(v, _mm256_loadu_pd(b3 + k), s3);
  }
  double t0 = sum_of(s0), t1 = sum_of(s1), t2 = sum_of(s2), t3 = sum_of(s3);
  for (; k < size; ++k) {
    t0 += a[k] * b0[k];
    t1 += a[k] * b1[k];
    t2 += a[k] * b2[k];
    t3 += a[k] * b3[k];
  }
  out[0] += t0;
  out[1] += t1;
  out[2] += t2;
  out[3] += t3;
}

void add_gram_avx2(const RowMatrix& B, Eigen::MatrixXd& out) {
  const Index rows = B.rows(), columns = B.cols();
  for (Index first = 0; first < columns; first += kPiece) {
    const Index size = std::min(kPiece, columns - first);
    for (Index j = 0; j < rows; ++j) {
      const double* const a = B.data() + j * columns + first;
      Index i = j;
      for (; i + 4 <= rows; i += 4)
        four_dots(a, B.data() + i * columns + first, columns, size, out.data() + j * rows + i);
      for (; i < rows; ++i) out(i, j) += B.row(i).segment(first, size).dot(B.row(j).segment(first, size));
    }
  }
}

}  // namespace
#endif

Eigen::MatrixXd lower_gram(const RowMatrix& B) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(B.rows(), B.rows());
#ifdef PDBFW_AVX2
  if (processor_has_avx2()) {
    add_gram_avx2(B, out);
    return out;
  }
#endif
  out.selfadjointView<Eigen::Lower>().rankUpdate(B);
  return out;
}

}  // namespace pdbfw
