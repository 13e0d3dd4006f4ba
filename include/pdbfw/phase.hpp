// Phase retrieval: a signal x from the intensities b_i = |a_i* x|^2 of its products with known vectors, by the positive
// semidefinite X = x x* that they determine linearly.                                                         [M23c]
//
//   const auto m = pdbfw::phase_measurements(a, pdbfw::SignalKind::complex);   // a: n x d, complex
//   const auto map = pdbfw::quadratic_map(m.G, m.group);                       // W_i = b_i at the true X
//   ...                                                                        // solve over the set psd_trace
//   const pdbfw::ComplexVector x = pdbfw::signal_of(result.X, m.signal);
//
// Needs Eigen 3.4 on the caller's side.
#pragma once

#include <complex>

#include "pdbfw/factors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

using ComplexMatrix = Eigen::Matrix<std::complex<double>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ComplexVector = Eigen::VectorXcd;

// What is known about x. A complex x of length d is handled as the 2d real numbers (Re x, Im x).
enum class SignalKind { real, complex };

// Measurement vectors as `quadratic_map` wants them: |a_i* x|^2 is the sum of (g'x)^2 over the `group` rows g of
// sample i. X has as many rows and columns as G has columns: d or, for complex signals, 2d.
struct Measurements {
  MatrixPtr G;
  Index group = 1;
  SignalKind signal = SignalKind::real;
};

// The rows of `a` are the measurement vectors. Throws InputError for an empty matrix and for numbers that are not
// finite.
[[nodiscard]] Measurements phase_measurements(const Matrix& a, SignalKind signal);
[[nodiscard]] Measurements phase_measurements(const ComplexMatrix& a, SignalKind signal);

// x x* as X: d x d, or 2d x 2d for complex signals. For real signals the imaginary part is left out.
[[nodiscard]] Factors lifted(const ComplexVector& x, SignalKind signal);

// The x for which x x* is nearest to X = U diag(s) U', s >= 0. No intensity tells x from x times a number of modulus 1;
// the one given back has its largest entry (the first of them) real and positive. Throws InputError where U and V
// differ, a value is negative, or the rows of X are odd for a complex signal.
[[nodiscard]] ComplexVector signal_of(const Factors& X, SignalKind signal);

// x times the number of modulus 1 (for real signals: the sign) that brings it nearest to the truth, and the distance
// that is left, relative to the truth's length. Throws InputError when lengths differ or the truth is zero.
[[nodiscard]] ComplexVector aligned(const ComplexVector& x, const ComplexVector& truth);
[[nodiscard]] double relative_error(const ComplexVector& x, const ComplexVector& truth);

}  // namespace pdbfw
