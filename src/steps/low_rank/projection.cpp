#include "steps/low_rank/projection.hpp"

#include <algorithm>
#include <cmath>

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"

namespace pdbfw::low_rank {
namespace {

// The whole spectrum of a d x c matrix, d >= c, in multiply-adds of products that take as long: the eigenvectors of M'M
// in units of c^3, and products of the size of d c^2.
constexpr double kEigenvectors = 12, kProducts = 1.5;
// A part of a third of all is not tried.
constexpr Index kMost = 3;
// A part that cost more than all is tried again after this number of projections, which doubles every time.
constexpr int kLongestPatience = 64;

// Beyond these, rounding; and too little to go by.
constexpr double kFinest = 1e-12, kCoarsest = 1e-2;

double cost_of_full(const Problem& p) {
  const auto [c, d] = std::minmax({static_cast<double>(p.c()), static_cast<double>(p.d())});
  return (kEigenvectors * c + kProducts * d) * c * c;
}

}  // namespace

Projection::Projection(const Problem& p, const Settings& settings, double share)
    : p_(p),
      accuracy_(std::clamp(share * std::sqrt(settings.tol), kFinest, kCoarsest)),
      top_(p.set->spectrum(), settings.threads, settings.seed),
      full_cost_(cost_of_full(p)) {}

Factors Projection::operator()(const Operator& centre) {
  const double before = top_.work();
  Factors X = p_.set->project(centre, top_, accuracy_);
  cost_ += top_.work() - before;
  return X;
}

Factors Projection::operator()(const Matrix& centre) {
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

}  // namespace pdbfw::low_rank
