#include "pdbfw/phase.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linalg/decompositions.hpp"

namespace pdbfw {
namespace {

MatrixPtr owned(const Matrix& M) {
  return own_dense_rows(M.rows(), M.cols(), std::vector<double>(M.data(), M.data() + M.size()));
}

void check_size(Index rows, Index columns) {
  if (rows < 1 || columns < 1)
    throw InputError("measurements", fmt::format("{} x {}", rows, columns),
                     "at least one vector of at least one entry");
}

// Re x and Im x, one below the other.
Vector stacked(const ComplexVector& x) {
  Vector both(2 * x.size());
  both << x.real(), x.imag();
  return both;
}

}  // namespace

// For a real x, |a'x|^2 = (a'x)^2. For x = u + iv, a'u and a'v are the real and the imaginary part.
Measurements phase_measurements(const Matrix& a, SignalKind signal) {
  check_size(a.rows(), a.cols());
  if (signal == SignalKind::real) return {owned(a), 1, signal};
  return phase_measurements(ComplexMatrix(a.cast<std::complex<double>>()), signal);
}

// With a = p + iq and x = u + iv:  a* x = (p'u + q'v) + i (p'v - q'u), so that the rows of a sample are
//   real x:     p, q
//   complex x:  (p, q), (-q, p)
Measurements phase_measurements(const ComplexMatrix& a, SignalKind signal) {
  check_size(a.rows(), a.cols());
  const Index d = a.cols();
  Matrix G(2 * a.rows(), signal == SignalKind::real ? d : 2 * d);
  for (Index i = 0; i < a.rows(); ++i) {
    if (signal == SignalKind::real) {
      G.row(2 * i) = a.row(i).real();
      G.row(2 * i + 1) = a.row(i).imag();
    } else {
      G.row(2 * i) << a.row(i).real(), a.row(i).imag();
      G.row(2 * i + 1) << -a.row(i).imag(), a.row(i).real();
    }
  }
  return {owned(G), 2, signal};
}

Factors lifted(const ComplexVector& x, SignalKind signal) {
  const Vector whole = signal == SignalKind::real ? Vector(x.real()) : stacked(x);
  const double length = whole.norm();
  if (length == 0) return Factors::zero(whole.size(), whole.size());
  const Matrix unit = whole / length;
  return {unit, Vector::Constant(1, length * length), unit};
}

// Complex: every column (u, v) of U stands for z = u + iv, and H = Z diag(s) Z* is what the intensities see of X. With
// M = Z diag(sqrt s) and t the top eigenvector of M*M, H's top eigenvector scaled by the root of its eigenvalue is M t.
ComplexVector signal_of(const Factors& X, SignalKind signal) {
  if (X.U.rows() != X.V.rows() || X.U != X.V) throw InputError("X", "U and V that differ", "X = U diag(s) U'");
  for (Index k = 0; k < X.rank(); ++k)
    if (!(X.s(k) >= 0)) throw InputError(fmt::format("s[{}]", k), fmt::format("{}", X.s(k)), "a number >= 0");
  if (signal == SignalKind::complex && X.rows() % 2 != 0)
    throw InputError("X", fmt::format("{} rows", X.rows()), "an even number: real and imaginary parts");

  const Index d = signal == SignalKind::real ? X.rows() : X.rows() / 2;
  if (X.rank() == 0) return ComplexVector::Zero(d);
  Eigen::MatrixXcd M = X.U.topRows(d).cast<std::complex<double>>();
  if (signal == SignalKind::complex) M.imag() = X.U.bottomRows(d);
  M *= X.s.cwiseSqrt().asDiagonal();
  // The largest eigenvector v of the Hermitian G = M*M is that of a symmetric matrix of twice its size:
  // G v = s v  <=>  (Re G, -Im G; Im G, Re G) (Re v; Im v) = s (Re v; Im v).
  const Eigen::MatrixXcd G = M.adjoint() * M;
  const Index rank = X.rank();
  Eigen::MatrixXd parts(2 * rank, 2 * rank);
  parts << G.real(), -G.imag(), G.imag(), G.real();
  const Vector v = eigenpairs(parts).vectors.col(2 * rank - 1);
  ComplexVector x = M * (v.head(rank) + std::complex<double>(0, 1) * v.tail(rank));

  Index largest = 0;
  const double most = x.cwiseAbs().maxCoeff(&largest);
  if (most > 0) x *= std::conj(x(largest)) / most;
  if (signal == SignalKind::real) x.imag().setZero();
  return x;
}

// min over |phase| = 1 of |phase x - truth|: the phase of x* truth.
ComplexVector aligned(const ComplexVector& x, const ComplexVector& truth) {
  if (x.size() != truth.size())
    throw InputError("truth", fmt::format("{} entries", truth.size()), fmt::format("{}, as the signal has", x.size()));
  const std::complex<double> product = x.dot(truth);  // conjugates x
  const double modulus = std::abs(product);
  return modulus > 0 ? ComplexVector(x * (product / modulus)) : x;
}

double relative_error(const ComplexVector& x, const ComplexVector& truth) {
  const double length = truth.norm();
  if (!(length > 0)) throw InputError("truth", fmt::format("{}", length), "a signal of positive length");
  return (aligned(x, truth) - truth).norm() / length;
}

}  // namespace pdbfw
