#include "linalg/largest_eigenvalue.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "linalg/decompositions.hpp"

namespace pdbfw {
namespace {

// The Ritz value theta has an eigenvalue within its residual, but this need not be the largest one: a start that
// happens to be nearly orthogonal to the top vector finds the second first. The residual must be so small that only a
// start within about this angle of being orthogonal goes unnoticed.
constexpr double kResidual = 1e-8;
constexpr double kConvergedMargin = 1e-6;
// Where eigenvalues lie close together, Lanczos' method ends after the number of steps k at which
//   P( theta (1 + margin) < lambda_1 )  <=  1.648 sqrt(size) exp( -sqrt(epsilon) (2 k - 1) )  =  kFailure,
// epsilon = margin / (1 + margin) (Kuczynski, Wozniakowski 1992, for a random start).
constexpr double kMargin = 0.0195;
constexpr double kFailure = 1e-9;
constexpr Index kAskEvery = 4;
// The space is invariant but for rounding.
constexpr double kExhausted = 1e-12;

struct Ritz {
  double value;
  double residual;
};

// The largest eigenvalue of the tridiagonal matrix of Lanczos' coefficients, and |K q - value q| of its Ritz vector q.
Ritz largest_ritz(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const auto size = static_cast<Index>(diagonal.size());
  const Eigenpairs pairs = tridiagonal_eigenpairs(Eigen::Map<const Vector>(diagonal.data(), size),
                                                  Eigen::Map<const Vector>(beside.data(), size - 1));
  return {pairs.values(size - 1), beside.back() * std::abs(pairs.vectors(size - 1, size - 1))};
}

Index enough_steps(Index size) {
  const double epsilon = kMargin / (1 + kMargin);
  const double exponent = std::log(1.648 * std::sqrt(static_cast<double>(size)) / kFailure);
  return std::min(size, static_cast<Index>(std::ceil((exponent / std::sqrt(epsilon) + 1) / 2)));
}

}  // namespace

double largest_eigenvalue_bound(Index size, double trace, const SymmetricProduct& product) {
  if (size == 0 || trace == 0) return 0;
  const Index most = enough_steps(size);
  std::vector<Vector> basis;
  std::vector<double> diagonal, beside;
  Random random(1950);
  Vector v(size), next(size);
  for (double& value : v) value = random.normal();
  v.normalize();
  Ritz top{0, 0};
  bool has_converged = false;
  double scale = 0;
  for (Index step = 1; step <= most; ++step) {
    basis.push_back(v);
    product(v, next);
    diagonal.push_back(v.dot(next));
    scale = std::max(scale, diagonal.back());
    // Against all that came before, twice: else copies of the largest eigenvalue come back as false ones.
    for (int round = 0; round < 2; ++round)
      for (const Vector& q : basis) next -= q.dot(next) * q;
    beside.push_back(next.norm());
    const bool is_exhausted = beside.back() <= kExhausted * scale;
    if (is_exhausted || step == most || step % kAskEvery == 0) {
      top = largest_ritz(diagonal, beside);
      has_converged = is_exhausted || step == size || top.residual <= kResidual * top.value;
      if (has_converged) break;
    }
    v = next / beside.back();
  }
  return std::min(top.value * (1 + (has_converged ? kConvergedMargin : kMargin)), trace);
}

// Collatz and Wielandt: v'Kv / v'v <= lambda_1 <= max_i (Kv)_i / v_i for v > 0.
std::optional<double> nonnegative_eigenvalue_bound(Vector v, const SymmetricProduct& product) {
  constexpr int kProducts = 4;
  constexpr double kTight = 1.015;
  constexpr double kRounding = 1e-10;
  if (v.isZero(0)) return 0.0;
  Vector next;
  for (int round = 0; round < kProducts; ++round) {
    v /= v.norm();
    product(v, next);
    double above = 0;
    for (Index i = 0; i < v.size(); ++i)
      if (v(i) > 0) above = std::max(above, next(i) / v(i));
    if (above <= kTight * v.dot(next)) return above * (1 + kRounding);
    v = next.cwiseMax(0.0);
  }
  return std::nullopt;
}

}  // namespace pdbfw
