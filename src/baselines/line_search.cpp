#include "baselines/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "base/random.hpp"

namespace pdbfw {

namespace {

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

namespace {

constexpr int kMostIterations = 100;

// v / |v|; the length is given back. A length of 0 or beyond all numbers leaves v as it is.
double normalise(std::vector<double>& v) {
  double size = 0;
  for (const double v_j : v) size = std::max(size, std::abs(v_j));
  if (!(size > 0 && std::isfinite(size))) return size;
  for (double& v_j : v) v_j /= size;
  const double length = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
  for (double& v_j : v) v_j /= length;
  return size * length;
}

}  // namespace

double primal_smoothness(const Problem& p, const Settings& settings, Run& run, double accuracy) {
  Random random(settings.seed);
  std::vector<double> v(static_cast<std::size_t>(p.d())), Bv(v.size()), Av(p.loss->size());
  for (double& v_j : v) v_j = random.normal();
  normalise(v);
  double lambda = 0, residual = 0;
  for (int k = 0; k < kMostIterations && run.may_go_on(); ++k) {
    multiply(*p.A, v, Av, settings.threads);
    multiply_transposed(*p.A, Av, Bv, settings.threads);
    run.charge(2.0 * static_cast<double>(p.A->nonzeros()));
    lambda = std::inner_product(v.begin(), v.end(), Bv.begin(), 0.0);
    residual = 0;
    for (std::size_t j = 0; j < v.size(); ++j) residual += (Bv[j] - lambda * v[j]) * (Bv[j] - lambda * v[j]);
    residual = std::sqrt(residual);  // an eigenvalue lies within this of lambda
    v = Bv;
    if (!(normalise(v) > 0) || residual <= accuracy * lambda) break;
  }
  return p.loss->smoothness() * (lambda + residual) / static_cast<double>(p.n()) + p.regulariser->smoothness();
}

}  // namespace pdbfw
