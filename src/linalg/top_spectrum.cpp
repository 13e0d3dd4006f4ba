#include "linalg/top_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/operators.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
// Up to this smaller side a dense decomposition is as quick as anything.
constexpr Index kDenseSide = 64;
constexpr int kMostRounds = 300;
// What decompositions cost, in multiply-adds of products that take as long: of a whole r x c matrix, in units of r c^2,
// and of the matrix of Ritz values, in units of its side cubed.
constexpr double kFullSpectrum = 16, kSmallSpectrum = 12;

// No residual can be told from rounding below this share of the largest value.
double smallest_residual(const CountedOperator& M) {
  return kEpsilon * (64 + 4 * std::sqrt(static_cast<double>(std::max(M.rows(), M.columns()))));
}

Matrix beside(const Matrix& A, const Matrix& B) {
  Matrix both(A.rows(), A.cols() + B.cols());
  both << A, B;
  return both;
}

// What a subspace K knows of the spectrum: values, the vectors in the coordinates of K, and the residuals.
struct Ritz {
  Vector values;    // descending
  Matrix rotation;  // K rotation: the vectors
  Matrix U, V;
  Matrix residual;  // M'U - V diag(values): what is missing in K
  double size = 0;  // an estimate of |M|
};

// The largest `width` of M K = U diag(values) rotation'.
Ritz singular_ritz(const CountedOperator& M, const Matrix& K, const Matrix& MK, Index width) {
  Factors svd = largest_singular(MK, width, M.threads());
  Ritz ritz{std::move(svd.s), std::move(svd.V), std::move(svd.U), {}, {}, 0};
  if (ritz.values.size() > 0) ritz.size = ritz.values[0];
  ritz.V = times(K, ritz.rotation, M.threads());
  ritz.residual = M.transposed_times(ritz.U) - ritz.V * ritz.values.asDiagonal();
  return ritz;
}

// The largest `width` of K'M K.
Ritz symmetric_ritz(const CountedOperator& M, const Matrix& K, const Matrix& MK, Index width) {
  const Matrix H = transposed_times(K, MK, M.threads());
  const Factors all = full_spectrum(H, Spectrum::eigenvalues);
  width = std::min(width, K.cols());
  Ritz ritz{all.s.head(width), all.V.leftCols(width), {}, {}, {}, all.s.cwiseAbs().maxCoeff()};
  ritz.V = times(K, ritz.rotation, M.threads());
  ritz.U = ritz.V;
  ritz.residual = times(MK, ritz.rotation, M.threads()) - ritz.V * ritz.values.asDiagonal();
  return ritz;
}

// Which of the Ritz pairs must become better: of the s largest, those whose residual is above the target; of the
// guards behind them, those that may hide a value well above the last one.
std::vector<Index> open_pairs(const Ritz& ritz, Index s, double target) {
  constexpr double kWellAbove = 1.1;
  std::vector<Index> open;
  const Vector residual = ritz.residual.colwise().norm();
  const double last = residual.size() >= s ? std::max(0.0, ritz.values[s - 1]) : 0.0;
  for (Index j = 0; j < residual.size(); ++j)
    if (!(residual[j] <= target || (j >= s && ritz.values[j] + residual[j] <= kWellAbove * last))) open.push_back(j);
  return open;
}

}  // namespace

// K grows by the residuals of the s largest Ritz pairs, which in exact arithmetic makes it the block Krylov space of
// its start; when it has grown too wide, only its best part is kept. Everything is computed from K and its products, so
// that rounding does not add up.                                                                          [M24]
Factors TopSpectrum::largest(const Operator& operand, Index s, double accuracy) {
  const bool is_singular = spectrum_ == Spectrum::singular_values;
  const bool is_wide = is_singular && operand.columns() > operand.rows();
  const CountedOperator M(operand, is_wide, threads_, multiply_adds_);
  const Index side = M.columns();
  s = std::clamp<Index>(s, 0, side);
  if (s == 0) return Factors::zero(operand.rows(), operand.columns());
  if (side <= kDenseSide || 3 * s >= side) {
    Factors all = full_spectrum(M.formed(), spectrum_);
    decomposing_ += kFullSpectrum * static_cast<double>(M.rows()) * static_cast<double>(side * side);
    subspace_ = all.V.leftCols(s);
    Factors top = all.head(s);
    if (is_wide) std::swap(top.U, top.V);
    return top;
  }

  // Fresh random directions: the last subspace may be exactly invariant and miss what is new.
  const Index width = std::min(side, s + std::max<Index>(4, s / 4));
  const Index kept = subspace_.rows() == side ? std::min(subspace_.cols(), width - 3) : 0;
  Random random(seed_ + 0x9E3779B97F4A7C15ULL * ++calls_);
  Matrix fresh(side, width - kept);
  for (double& value : fresh.reshaped()) value = random.normal();
  Matrix K = kept > 0 ? Matrix(subspace_.leftCols(kept)) : Matrix(side, 0);
  K = beside(K, orthonormal_columns(fresh, K, threads_));
  Matrix MK = M.times(K);

  const Index widest = std::min(side, 4 * width + 40);
  Ritz ritz;
  for (int round = 0; round < kMostRounds; ++round) {
    ritz = is_singular ? singular_ritz(M, K, MK, width) : symmetric_ritz(M, K, MK, width);
    decomposing_ += static_cast<double>(K.cols() * K.cols()) *
                    (static_cast<double>(M.rows()) + kSmallSpectrum * static_cast<double>(K.cols()));
    if (ritz.values.size() == 0 || !std::isfinite(ritz.size)) break;
    const double target = std::max(accuracy * ritz.values[0], smallest_residual(M) * ritz.size);
    const std::vector<Index> open = open_pairs(ritz, s, target);
    if (open.empty()) break;
    if (K.cols() + static_cast<Index>(open.size()) > widest) {
      K = ritz.V;
      MK = times(MK, ritz.rotation, threads_);
    }
    const Matrix grown = orthonormal_columns(ritz.residual(Eigen::all, open), K, threads_);
    if (grown.cols() == 0) break;
    K = beside(K, grown);
    MK = beside(MK, M.times(grown));
  }
  subspace_ = ritz.V;
  if (!subspace_.allFinite()) restart();
  Factors top = Factors{ritz.U, ritz.values, ritz.V}.head(std::min(s, ritz.values.size()));
  if (is_wide) std::swap(top.U, top.V);
  return top;
}

Factors TopSpectrum::above(const Operator& M, double border, double accuracy) {
  const Index side = std::min(M.rows(), M.columns());
  for (Index s = std::max<Index>(8, subspace_.cols() * 4 / 5);; s *= 2) {
    const Factors top = largest(M, s, accuracy);
    const bool has_all = top.rank() < s || s >= side || !(top.s[top.rank() - 1] > border);
    if (!has_all) continue;
    Index rank = 0;
    while (rank < top.rank() && top.s[rank] > border) ++rank;
    return top.head(rank);
  }
}

}  // namespace pdbfw
