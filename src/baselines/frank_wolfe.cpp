#include "baselines/frank_wolfe.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "baselines/step_rules.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// Iterations after which w is computed anew.
constexpr Index kIterationsBeforeRefresh = 1'000;

// Entries of x below this share of the radius are dropped: an entry that no step renews dies out geometrically, and
// below the rounding of w it is zero.
constexpr double kNegligible = 1e-20;

// The samples whose product moves along the line, side by side.
struct MovingRows {
  std::shared_ptr<const Loss> loss;
  std::vector<double> w, change;
  std::vector<double> w_t, y_t;

  MovingRows(const Problem& p, const PrimalPoint& from, const Direction& e) {
    std::vector<Index> rows;
    for (std::size_t i = 0; i < e.w.size(); ++i) {
      if (e.w[i] == 0) continue;
      rows.push_back(static_cast<Index>(i));
      w.push_back(from.w[i]);
      change.push_back(e.w[i]);
    }
    loss = p.loss->subset(rows);
    w_t.resize(rows.size());
    y_t.resize(rows.size());
  }

  // sum_i f_i'(w_i + t change_i) change_i
  double slope(double t) {
    for (std::size_t i = 0; i < w.size(); ++i) w_t[i] = w[i] + t * change[i];
    loss->derivatives(w_t, y_t);
    return dot(y_t, change);
  }

  [[nodiscard]] double curvature() const {
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i) sum += loss->second_derivative(i, w[i]) * change[i] * change[i];
    return sum;
  }
};

}  // namespace

double aim_at(const Problem& p, const SparseAtom& v, const PrimalPoint& from, Direction& e, double of_x) {
  const auto scaled = [of_x](double number) { return of_x * number; };
  e.x.resize(from.x.size());
  e.w.resize(from.w.size());
  std::transform(from.x.begin(), from.x.end(), e.x.begin(), scaled);
  std::transform(from.w.begin(), from.w.end(), e.w.begin(), scaled);
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

double exact_step(const Problem& p, const PrimalPoint& from, const Direction& e, double most) {
  const auto n = static_cast<double>(p.n());
  const Curvatures q = p.regulariser->curvatures();
  double bend = 0, slope_of_g = 0;  // sum_j q_j e_j^2,  <grad g(x), e>
  for (std::size_t j = 0; j < e.x.size(); ++j) {
    bend += q[static_cast<Index>(j)] * e.x[j] * e.x[j];
    slope_of_g += q[static_cast<Index>(j)] * from.x[j] * e.x[j];
  }
  MovingRows rows(p, from, e);
  const double slope_at_0 = slope_of_g - dot(from.u, e.x);
  return line_minimum([&](double t) { return rows.slope(t) / n + slope_of_g + t * bend; }, slope_at_0,
                      rows.curvature() / n + bend, most);
}

double short_step(const Direction& e, double slope, double L) {
  const double bound = L * dot(e.x, e.x);
  return bound > 0 ? std::max(0.0, -slope / bound) : 0;
}

}  // namespace pdbfw
