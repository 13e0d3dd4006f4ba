// Data of the low-rank family: measurements of phase retrieval, and problems made from a seed. Needs Eigen 3.4 on the
// caller's side.
#pragma once

#include <complex>
#include <vector>

#include "pdbfw/factors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Phase retrieval: a signal x from the intensities b_i = |a_i* x|^2 of its products with known vectors, by the positive
// semidefinite X = x x* that they determine linearly.                                                         [M23c]
//
//   const auto m = pdbfw::phase_measurements(a, pdbfw::SignalKind::complex);   // a: n x d, complex
//   const auto map = pdbfw::quadratic_map(m.G, m.group);                       // W_i = b_i at the true X
//   ...                                                                        // solve over the set psd_trace
//   const pdbfw::ComplexVector x = pdbfw::signal_of(result.X, m.signal);

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

// Low-rank problems made from a seed, with their truth: for tests, experiments and first steps. The same seed gives the
// same numbers everywhere. All functions throw InputError for sizes that cannot be.
//
//   const auto made = pdbfw::generate_completion({.rows = 200, .columns = 100, .entries = 4000, .rank = 3});
//   const auto map = pdbfw::entries_map(200, 100, made.row, made.column);

// How A is drawn. Gaussian matrices are well conditioned. With all entries from [0, 1] and a first column of ones, one
// singular value towers over the others.
enum class Design { gaussian, uniform };

// B = A X + noise, with A of rows x features and X of features x outputs. The defaults are the paper's.
struct RegressionRecipe {
  Index rows = 1000;
  Index features = 800;
  Index outputs = 600;
  Index rank = 10;
  Design design = Design::gaussian;
  double noise = 0;  // standard deviation of Gaussian noise
  std::uint64_t seed = 1;
};
struct GeneratedRegression {
  MatrixPtr A;
  Matrix B;
  Factors truth;  // orthonormal, from two Gaussian factors
};
[[nodiscard]] GeneratedRegression generate_regression(const RegressionRecipe& recipe);

// Entries of a matrix of low rank, at different places, each place as likely as any other.
struct CompletionRecipe {
  Index rows = 1000;
  Index columns = 500;
  Index entries = 50'000;
  Index rank = 5;
  double noise = 0;
  std::uint64_t seed = 1;
};
struct GeneratedCompletion {
  std::vector<Index> row, column;  // row after row
  Matrix value;                    // entries x 1
  Factors truth;
};
[[nodiscard]] GeneratedCompletion generate_completion(const CompletionRecipe& recipe);

// b_i = <A_i, X> + noise with Gaussian A_i, as rows of an n x (rows columns) matrix.
struct ProductsRecipe {
  Index rows = 30;
  Index columns = 20;
  Index measurements = 400;
  Index rank = 2;
  double noise = 0;
  std::uint64_t seed = 1;
};
struct GeneratedProducts {
  MatrixPtr A;
  Matrix value;  // measurements x 1
  Factors truth;
};
[[nodiscard]] GeneratedProducts generate_products(const ProductsRecipe& recipe);

// Intensities |a_i* x|^2 + noise of a Gaussian signal under Gaussian measurement vectors, all of one kind or the other.
struct PhaseRecipe {
  Index size = 128;
  Index measurements = 768;
  SignalKind signal = SignalKind::real;
  bool is_measured_complex = false;
  double noise = 0;
  std::uint64_t seed = 1;
};
struct GeneratedPhase {
  ComplexMatrix a;   // measurements x size
  Matrix intensity;  // measurements x 1
  ComplexVector truth;
};
[[nodiscard]] GeneratedPhase generate_phase(const PhaseRecipe& recipe);

}  // namespace pdbfw
