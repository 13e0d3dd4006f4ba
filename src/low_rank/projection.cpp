#include "low_rank/projection.hpp"

#include <algorithm>
#include <cmath>

namespace pdbfw::low_rank {
namespace {

// Multiply-adds of a dense decomposition of a d x c matrix, d >= c, in units of d c^2.
constexpr double kFullSpectrum = 8;
// A part that was dearer than all is tried again after so many projections, twice as many every time.
constexpr int kLongestPatience = 64;

// Beyond these, rounding; and too little to go by.
constexpr double kFinest = 1e-12, kCoarsest = 1e-2;

double cost_of_full(const Problem& p) {
  const auto d = static_cast<double>(p.d()), c = static_cast<double>(p.c());
  return kFullSpectrum * d * c * std::min(d, c);
}

}  // namespace

Projection::Projection(const Problem& p, const Settings& settings, double share)
    : p_(p),
      accuracy_(std::clamp(share * std::sqrt(settings.tol), kFinest, kCoarsest)),
      top_(p.set->spectrum(), settings.threads, settings.seed),
      full_cost_(cost_of_full(p)) {}

Factors Projection::operator()(const Operator& centre) {
  const double before = top_.multiply_adds();
  Factors X = p_.set->project(centre, top_, accuracy_);
  cost_ += top_.multiply_adds() - before;
  return X;
}

Factors Projection::operator()(const Matrix& centre) {
  if (full_ones_left_ > 0) {
    --full_ones_left_;
    cost_ += full_cost_;
    return p_.set->project(centre);
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
