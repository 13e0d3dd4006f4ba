// What a truncated spectrum may have missed, bounded.                                                     [M25]
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/operators.hpp"
#include "linalg/top_spectrum.hpp"

namespace pdbfw {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Entries are formed for an exact bound if there are at most this many.
constexpr double kLargestFormed = 5e7;

// The ends of the spectrum of a symmetric operator, by Lanczos' method with full orthogonalisation.
class Lanczos {
 public:
  Lanczos(Index size, std::uint64_t seed) : basis_(size, 0) {
    Random random(seed);
    next_ = Vector(size);
    for (double& value : next_) value = random.normal();
    next_.normalize();
  }

  // `apply` gives the product with a column.
  template <class Apply>
  void step(const Apply& apply) {
    basis_.conservativeResize(Eigen::NoChange, basis_.cols() + 1);
    basis_.col(basis_.cols() - 1) = next_;
    Vector w = apply(next_);
    diagonal_.push_back(next_.dot(w));
    for (int round = 0; round < 2; ++round) w -= basis_ * (basis_.transpose() * w).eval();
    beside_.push_back(w.norm());
    size_ = std::max({size_, std::abs(diagonal_.back()), beside_.back()});
    next_ = w / std::max(beside_.back(), std::numeric_limits<double>::min());
  }

  [[nodiscard]] Vector ritz_values() const {
    const auto steps = static_cast<Index>(diagonal_.size());
    return Tridiagonal{Eigen::Map<const Vector>(diagonal_.data(), steps),
                       Eigen::Map<const Vector>(beside_.data(), steps - 1)}
        .eigenvalues();
  }
  [[nodiscard]] Index steps() const { return static_cast<Index>(diagonal_.size()); }
  // The basis spans an invariant subspace, up to rounding: there is nothing more to find, and no further step.
  [[nodiscard]] bool is_over() const { return steps() == basis_.rows() || beside_.back() <= kInvariant * size_; }

 private:
  static constexpr double kInvariant = 1e-13;
  Eigen::MatrixXd basis_;
  Vector next_;
  std::vector<double> diagonal_, beside_;
  double size_ = 0;  // of the operator
};

// An upper bound on the largest eigenvalue of a symmetric matrix, proven by a Cholesky factorisation of tau I - G:
// where it runs to its end in floating point, the largest eigenvalue is at most tau + (n + 2) eps tr(tau I - G) (Higham
// 2002, theorem 10.7). The bound is at most `border` if that can be proven, else at most (1 + slack) times the true
// value or, where that is lost in rounding, all eigenvalues are computed.
double largest_eigenvalue_bound(const Matrix& G, double border, double slack, std::uint64_t seed) {
  const Index n = G.rows();
  const double share = static_cast<double>(n + 2) * kEpsilon;
  const auto is_proven = [&](double tau) {
    Eigen::MatrixXd rest = -G;
    rest.diagonal().array() += tau;
    return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(rest).info() == Eigen::Success;
  };
  const auto with_rounding = [&](double tau) { return tau + share * (static_cast<double>(n) * tau - G.trace()); };
  // tau whose bound is `border`
  const double for_border = (border + share * G.trace()) / (1 + share * static_cast<double>(n));

  // Lanczos' method says which tau is worth a try.
  constexpr Index kMostSteps = 200;
  constexpr Index kStepsAtOnce = 8;
  Lanczos lanczos(n, seed);
  double before = -std::numeric_limits<double>::infinity();
  for (bool is_border_open = true;;) {
    do lanczos.step([&](const Vector& v) -> Vector { return G * v; });
    while (lanczos.steps() % kStepsAtOnce != 0 && !lanczos.is_over());
    const Vector ritz = lanczos.ritz_values();
    const double below = ritz.maxCoeff();
    if (is_border_open && below <= for_border) {
      if (is_proven(for_border)) return border;
      is_border_open = false;
    }
    const bool is_over = lanczos.is_over() || lanczos.steps() >= kMostSteps;
    const double tau = (1 + slack) * below;
    if ((is_over || below - before <= slack / 8 * below) && below > 0 && is_proven(tau)) return with_rounding(tau);
    if (is_over) break;
    before = below;
  }
  const Vector values = full_spectrum(G, Spectrum::eigenvalues).s;
  return values.maxCoeff() + static_cast<double>(n) * kEpsilon * values.cwiseAbs().maxCoeff();
}

// T = M - U U'M.  |T|_2^2 is the largest eigenvalue of T'T.
double exact_singular(Matrix T, const Matrix& U, double border, double slack, std::uint64_t seed, int threads) {
  const auto terms = static_cast<double>(T.rows() + T.cols() + U.cols());
  const double in_T = terms * kEpsilon * T.norm();
  if (!std::isfinite(in_T)) return std::numeric_limits<double>::infinity();
  add_times(-1, U, transposed_times(U, T, threads), T, threads);
  const double in_gram = terms * kEpsilon * T.squaredNorm();
  const double reach = border - in_T;  // sqrt(reach^2) + in_T = border
  const double square = reach > 0 ? reach * reach - in_gram : -1;
  const double largest = largest_eigenvalue_bound(column_gram(T, threads), square, slack, seed);
  return std::sqrt(std::max(0.0, largest) + in_gram) + in_T;
}

// T = (I - UU') M (I - UU')
double exact_symmetric(Matrix T, const Matrix& U, double border, double slack, std::uint64_t seed, int threads) {
  const double in_T = static_cast<double>(2 * T.rows() + U.cols()) * kEpsilon * T.norm();
  if (!std::isfinite(in_T)) return std::numeric_limits<double>::infinity();
  add_times(-1, U, transposed_times(U, T, threads), T, threads);
  add_times_transposed(-1, times(T, U, threads), U, T, threads);
  T = (0.5 * (T + T.transpose())).eval();
  return std::max(0.0, largest_eigenvalue_bound(T, border - in_T, slack, seed)) + in_T;
}

// After k steps from a random start the largest Ritz value xi of a positive semidefinite operator of size n satisfies
//     largest <= xi / (1 - e)   except with probability   1.648 sqrt(n) exp( -sqrt(e) (2 k - 1) )
// (Kuczynski, Wozniakowski 1992). The e for a probability of failure of 1e-13 / (k (k + 1)), which sum to 1e-13.
double lanczos_error(Index n, Index k) {
  const auto steps = static_cast<double>(k);
  const double root =
      std::log(1.648 * std::sqrt(static_cast<double>(n)) * 1e13 * steps * (steps + 1)) / (2 * steps - 1);
  return root * root;
}

// The largest value, of which the Ritz values err by the share e: a bound, and what it is at least. For a symmetric
// operator, the same for (operator - smallest) and (largest - operator).
struct LargestValue {
  double bound;
  double at_least;
};
LargestValue largest_by(const Vector& ritz, double e, bool is_singular) {
  constexpr double kRounding = 1e-12;
  const double highest = ritz.maxCoeff(), lowest = is_singular ? 0 : ritz.minCoeff();
  const double spread = (highest - lowest) / (is_singular ? 1 - e : 1 - 2 * e);
  const double largest = std::max(0.0, highest + e * spread) + kRounding * spread, at_least = std::max(0.0, highest);
  return is_singular ? LargestValue{std::sqrt(largest), std::sqrt(at_least)} : LargestValue{largest, at_least};
}

}  // namespace

bool TopSpectrum::is_exact_for(const Operator& M) {
  const double entries = static_cast<double>(M.rows()) * static_cast<double>(M.columns());
  return std::min(M.rows(), M.columns()) <= kExactSide && (M.entries() != nullptr || entries <= kLargestFormed);
}

double TopSpectrum::bound_beyond(const Operator& operand, const Factors& top, double border, double slack) {
  const bool is_singular = spectrum_ == Spectrum::singular_values;
  const bool is_wide = is_singular && operand.columns() > operand.rows();
  const CountedOperator M(operand, is_wide, threads_, multiply_adds_);
  const Matrix& U = is_wide ? top.V : top.U;
  const Index side = M.columns();
  if (top.rank() >= side) return 0;
  const std::uint64_t seed = seed_ + 0x9E3779B97F4A7C15ULL * ++calls_;
  if (is_exact_for(operand))
    return is_singular ? exact_singular(M.formed(), U, border, slack, seed, threads_)
                       : exact_symmetric(M.formed(), U, border, slack, seed, threads_);

  const auto deflate = [&](Matrix& W) { add_times(-1, U, transposed_times(U, W, threads_), W, threads_); };
  const auto apply = [&](const Vector& v) -> Vector {
    Matrix w = v;
    if (!is_singular) deflate(w);
    w = M.times(w);
    deflate(w);
    if (is_singular) {
      deflate(w);
      w = M.transposed_times(w);
    }
    return w;
  };
  constexpr Index kMostSteps = 1000;
  Lanczos lanczos(side, seed);
  double bound = std::numeric_limits<double>::infinity();
  for (Index check = 8; lanczos.steps() < kMostSteps;) {
    lanczos.step(apply);
    const Index steps = lanczos.steps();
    if (steps < check && steps < kMostSteps && !lanczos.is_over()) continue;
    check = steps + std::max<Index>(4, steps / 8);
    const Vector ritz = lanczos.ritz_values();
    if (!ritz.allFinite()) return std::numeric_limits<double>::infinity();
    const double e = lanczos.is_over() ? 0 : lanczos_error(side, steps);
    if (!(e < 0.4)) continue;
    const LargestValue largest = largest_by(ritz, e, is_singular);
    bound = largest.bound;
    if (lanczos.is_over() || bound <= border || bound <= (1 + slack) * largest.at_least) break;
  }
  return bound;
}

}  // namespace pdbfw
