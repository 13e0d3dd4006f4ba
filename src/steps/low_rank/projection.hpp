// The projection on C, by the part of the spectrum that matters or by all of it, whichever is cheaper.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw::low_rank {

class Projection {
 public:
  // Singular values that matter are found up to share * sqrt(tol) times the largest one: what a subspace is off, values
  // are off by its square.
  Projection(const Problem& p, const Settings& settings, double share)
      : p_(p),
        accuracy_(std::clamp(share * std::sqrt(settings.tol), kFinest, kCoarsest)),
        top_(p.set->spectrum(), settings.threads, settings.seed),
        full_cost_(cost_of_full(p)) {}
  static constexpr double kForSteps = 0.01, kForEstimates = 0.1;

  [[nodiscard]] Factors operator()(const Operator& centre) {
    const double before = top_.work();
    Factors X = p_.set->project(centre, top_, accuracy_);
    cost_ += top_.work() - before;
    return X;
  }

  [[nodiscard]] Factors operator()(const Matrix& centre) {
    if (full_ones_left_ > 0 || kMost * top_.expected() >= std::min(p_.d(), p_.c())) {
      if (full_ones_left_ > 0) --full_ones_left_;
      cost_ += full_cost_;
      Factors X = p_.set->project(centre, accuracy_, top_.threads());
      top_.expect(X.rank() + 2);
      return X;
    }
    const double before = cost_;
    Factors X = (*this)(DenseOperator(centre));
    if (cost_ - before > full_cost_) {
      full_ones_left_ = patience_;
      patience_ = std::min(2 * patience_, kLongestPatience);
    } else {
      patience_ = 1;
    }
    return X;
  }

  // Work so far, in multiply-adds.
  [[nodiscard]] double cost() const { return cost_; }

 private:
  // The whole spectrum of a d x c matrix, d >= c, in multiply-adds of products that take as long: the eigenvectors of
  // M'M in units of c^3, and products of the size of d c^2.
  static constexpr double kEigenvectors = 12, kProducts = 1.5;
  // A part of a third of all is not tried.
  static constexpr Index kMost = 3;
  // A part that cost more than all is tried again after this number of projections, which doubles every time.
  static constexpr int kLongestPatience = 64;

  // Beyond these, rounding; and too little to go by.
  static constexpr double kFinest = 1e-12, kCoarsest = 1e-2;

  [[nodiscard]] static double cost_of_full(const Problem& p) {
    const auto [c, d] = std::minmax({static_cast<double>(p.c()), static_cast<double>(p.d())});
    return (kEigenvectors * c + kProducts * d) * c * c;
  }

  const Problem& p_;
  double accuracy_;
  TopSpectrum top_;
  double cost_ = 0;
  double full_cost_;
  int full_ones_left_ = 0;  // before the part is tried again
  int patience_ = 1;
};

}  // namespace pdbfw::low_rank
