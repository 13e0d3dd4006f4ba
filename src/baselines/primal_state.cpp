#include "baselines/primal_state.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// Iterations after which w is computed anew.
constexpr Index kIterationsBeforeRefresh = 1'000;

// Entries of x below this share of the radius are dropped: an entry that no step renews dies out geometrically, and
// below the rounding of w it is zero.
constexpr double kNegligible = 1e-20;

// min_{x in C} g(x) - <u, x>, or a lower bound.                                                          [M2], [M2b]
double least_on_set(const Problem& p, PrimalState& st) {
  if (!p.set->has_dead_zone()) {
    std::vector<double> slope;
    SparseAtom v;
    return set_part_from(p, st.x, st.u, slope, v);
  }
  const Curvatures q = p.regulariser->curvatures();
  st.zone = p.set->dead_zone(st.u, q, &st.zone);
  return set_part(st.u, q, st.zone, p.set->radius());
}

}  // namespace

PrimalState primal_state_at(const Problem& p, const Settings& settings, std::vector<double> x) {
  PrimalState st{.x = x.empty() ? start_point(p) : std::move(x),
                 .w = std::vector<double>(p.loss->size()),
                 .y = std::vector<double>(p.loss->size()),
                 .u = std::vector<double>(static_cast<std::size_t>(p.d())),
                 .gradient = std::vector<double>(static_cast<std::size_t>(p.d()))};
  refresh(p, settings, st);
  look(p, settings, st);
  return st;
}

void look(const Problem& p, const Settings& settings, PrimalState& st) {
  p.loss->derivatives(st.w, st.y);
  multiply_transposed(*p.A, st.y, st.u, settings.threads);
  const auto n = static_cast<double>(p.n());
  for (std::size_t j = 0; j < st.u.size(); ++j) {
    st.gradient[j] = st.u[j] / n;
    st.u[j] = -st.gradient[j];
  }
  p.regulariser->add_gradient(st.x, st.gradient);
}

void refresh(const Problem& p, const Settings& settings, PrimalState& st) {
  multiply_support(*p.A, st.x, st.w, settings.threads);
}

bool refresh_is_due(const Run& run) {
  return run.work().iterations % kIterationsBeforeRefresh == kIterationsBeforeRefresh - 1;
}

void move(const Problem& p, double t, const Direction& e, PrimalState& st) {
  const double negligible = kNegligible * p.set->radius();
  for (std::size_t j = 0; j < st.x.size(); ++j) {
    if (e.x[j] == 0) continue;
    st.x[j] += t * e.x[j];
    if (std::abs(st.x[j]) <= negligible) st.x[j] = 0;
  }
  for (std::size_t i = 0; i < st.w.size(); ++i) st.w[i] += t * e.w[i];
}

Estimate estimate(const Problem& p, PrimalState& st) {
  const auto n = static_cast<double>(p.n());
  const auto nonzeros = static_cast<Index>(st.x.size()) - std::count(st.x.begin(), st.x.end(), 0.0);
  return {p.loss->total_value(st.w) / n + p.regulariser->value(st.x),
          least_on_set(p, st) - p.loss->total_conjugate(st.y) / n, nonzeros};
}

double dot(const std::vector<double>& v, const std::vector<double>& x) {
  return std::inner_product(v.begin(), v.end(), x.begin(), 0.0);
}

double aim_at(const Problem& p, const SparseAtom& v, const PrimalState& st, Direction& e) {
  e.x.resize(st.x.size());
  e.w.resize(st.w.size());
  std::transform(st.x.begin(), st.x.end(), e.x.begin(), std::negate<>());
  std::transform(st.w.begin(), st.w.end(), e.w.begin(), std::negate<>());
  for (std::size_t k = 0; k < v.at.size(); ++k) e.x[static_cast<std::size_t>(v.at[k])] += v.value[k];
  return add_columns(*p.A, v.at, v.value, e.w);
}

FrankWolfeEngine::FrankWolfeEngine(const Problem& p, const Settings& settings, const Start& start)
    : p_(p), settings_(settings), st_(primal_state_at(p, settings, start.x)), owed_(2 * pass()) {}

void FrankWolfeEngine::radius_has_changed() {
  p_.set->project(st_.x);
  st_ = primal_state_at(p_, settings_, std::move(st_.x));
  owed_ += 2 * pass();
}

void FrankWolfeEngine::begin(Run& run) { run.charge(std::exchange(owed_, 0)); }

void FrankWolfeEngine::arrive(Run& run) {
  if (refresh_is_due(run)) {
    refresh(p_, settings_, st_);
    run.charge(pass());
  }
  look(p_, settings_, st_);
  run.charge(pass());
}

}  // namespace pdbfw
