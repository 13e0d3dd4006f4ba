#include "baselines/frank_wolfe.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// Iterations after which w is computed anew.
constexpr Index kIterationsBeforeRefresh = 1'000;

// Entries of x below this share of the radius are dropped: an entry that no step renews dies out geometrically, and
// below the rounding of w it is zero.
constexpr double kNegligible = 1e-20;

}  // namespace

double aim_at(const Problem& p, const SparseAtom& v, const PrimalPoint& from, Direction& e) {
  e.x.resize(from.x.size());
  e.w.resize(from.w.size());
  std::transform(from.x.begin(), from.x.end(), e.x.begin(), std::negate<>());
  std::transform(from.w.begin(), from.w.end(), e.w.begin(), std::negate<>());
  for (std::size_t k = 0; k < v.at.size(); ++k) e.x[static_cast<std::size_t>(v.at[k])] += v.value[k];
  return add_columns(*p.A, v.at, v.value, e.w);
}

void move(const Problem& p, double t, const Direction& e, PrimalPoint& point) {
  const double negligible = kNegligible * p.set->radius();
  for (std::size_t j = 0; j < point.x.size(); ++j) {
    if (e.x[j] == 0) continue;
    point.x[j] += t * e.x[j];
    if (std::abs(point.x[j]) <= negligible) point.x[j] = 0;
  }
  for (std::size_t i = 0; i < point.w.size(); ++i) point.w[i] += t * e.w[i];
}

void arrive(const Problem& p, int threads, PrimalPoint& point, std::vector<double>& gradient, Run& run) {
  const bool is_refreshed = run.work().iterations % kIterationsBeforeRefresh == kIterationsBeforeRefresh - 1;
  if (is_refreshed)
    (void)evaluate(p, threads, point);
  else
    point.value = primal_value(p, point.x, point.w);
  run.charge((is_refreshed ? 2 : 1) * differentiate(p, threads, point));
  gradient_at(p, point, gradient);
}

FrankWolfeEngine::FrankWolfeEngine(const Problem& p, const Settings& settings, const Start& start)
    : PrimalPointEngine(p, settings, start) {
  gradient_at(p, answer_, gradient_);
}

}  // namespace pdbfw
