#include "pdbfw/penalty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/certify.hpp"
#include "core/dual_value.hpp"

namespace pdbfw {
namespace {

// The radius is found by regula falsi on the multiplier; so many solves are more than any problem has needed.
constexpr int kMostSolves = 60;
// A ball is solved to this share of the tolerance, which leaves the rest to the radius.
constexpr double kShareOfTol = 0.25;
// A radius that is as good as 0.
constexpr double kNothing = 1e-12;

void check(const Problem& p, double alpha) {
  if (!(alpha > 0 && std::isfinite(alpha))) throw InputError("alpha", fmt::format("{}", alpha), "a finite number > 0");
  if (p.set->name() != "l1") throw InputError("set", p.set->name(), "l1, for a penalty on the l1 norm");
}

double l1_norm(std::span<const double> x) {
  double norm = 0;
  for (const double x_j : x) norm += std::abs(x_j);
  return norm;
}

double at_zero(const Problem& p) {
  return p.loss->total_value(p.b, std::vector<double>(p.b.size(), 0.0)) / static_cast<double>(p.n());
}

// One end of the bracket: a radius, and how far its multiplier is above alpha.
struct End {
  double radius, excess;
};

}  // namespace

// D(y) = -sum_j max(0, |u_j| - alpha)^2 / (2 q_j) - (1/n) sum_i f_i*(y_i),  u = -A'y / n
Certificate certify_penalised(const Problem& p, double alpha, std::span<const double> x, std::span<const double> y,
                              int threads) {
  check(p, alpha);
  const auto n = static_cast<double>(p.n());
  Certificate c;
  std::vector<double> w(p.b.size()), u(static_cast<std::size_t>(p.d())), dual(y.begin(), y.end());
  multiply(*p.A, x, w, threads);
  c.primal = p.loss->total_value(p.b, w) / n + p.regulariser->value(x) + alpha * l1_norm(x);

  p.loss->balance(dual);
  multiply_transposed(*p.A, dual, u, threads);
  for (double& u_j : u) u_j /= -n;
  const Curvatures q = p.regulariser->curvatures();
  double largest = 0;  // of the features without a ridge
  for (std::size_t j = 0; j < u.size(); ++j)
    if (q[static_cast<Index>(j)] == 0) largest = std::max(largest, std::abs(u[j]));
  if (largest > alpha) {
    constexpr double kJustInside = 1 - 1e-15;
    const double shrink = kJustInside * alpha / largest;
    for (double& y_i : dual) y_i *= shrink;
    for (double& u_j : u) u_j = std::clamp(shrink * u_j, -alpha, alpha);
  }
  c.dual = set_part(u, q, {-alpha, alpha, 0.0, false}, 0.0) - p.loss->total_conjugate(p.b, dual) / n;
  c.gap = proven_gap(c.primal, c.dual);
  const double scale = std::max({std::abs(c.primal), kTinyFraction * at_zero(p), std::numeric_limits<double>::min()});
  c.relative_gap = c.gap / scale;
  return c;
}

// The multiplier falls as the radius grows; alpha |x*|_1 <= P(0) bounds the radius from above.
Penalised solve_penalised(const Problem& problem, double alpha, const Settings& settings, const Callback& callback) {
  validate(problem);
  check(problem, alpha);
  Settings inner = settings;
  inner.tol = kShareOfTol * settings.tol;
  Problem ball = problem;
  Penalised best;
  best.certificate.relative_gap = std::numeric_limits<double>::infinity();
  Start start;
  const double bound = at_zero(problem) / alpha, largest = bound > 0 ? bound : 1;  // P(0) = 0: any ball will do
  End low{0, std::numeric_limits<double>::quiet_NaN()}, high{largest, std::numeric_limits<double>::quiet_NaN()};
  double radius = largest;
  int one_side = 0;  // how often in a row the same end has moved: regula falsi, as they do it in Illinois
  for (int solves = 0; solves < kMostSolves; ++solves) {
    ball.set = problem.set->with_radius(radius);
    Result result = solve(ball, inner, callback, start);
    const Certificate c = certify_penalised(problem, alpha, result.x, result.y, settings.threads);
    const double excess = result.multiplier - alpha;
    start = {result.x, result.y, result.multiplier};
    const bool is_stopped = result.status == Status::interrupted || result.status == Status::time_limit;
    const double norm = l1_norm(result.x);
    if (!(c.relative_gap >= best.certificate.relative_gap)) best = {radius, std::move(result), c};
    if (best.certificate.relative_gap <= settings.tol || is_stopped || excess == 0) break;

    const bool is_too_small = excess > 0;
    (is_too_small ? low : high) = {is_too_small ? radius : std::min(radius, norm), excess};
    one_side = is_too_small ? std::max(1, one_side + 1) : std::min(-1, one_side - 1);
    if (one_side >= 2) high.excess /= 2;
    if (one_side <= -2) low.excess /= 2;
    double share = low.excess / (low.excess - high.excess);  // of the way from low to high
    if (!(share > 0.01 && share < 0.99)) share = 0.5;
    // Below everything that was tried the radius falls fast: nothing is known of how small it is.
    radius = low.radius == 0 ? high.radius / 4 : low.radius + share * (high.radius - low.radius);
    if (!(radius > kNothing * largest)) radius = kNothing * largest;
    if (radius == low.radius || radius == high.radius) break;  // neighbours
  }
  best.result.status = best.certificate.relative_gap <= settings.tol ? Status::converged
                       : best.result.status == Status::converged     ? Status::stalled
                                                                     : best.result.status;
  best.result.settings.tol = settings.tol;
  best.result.message = fmt::format("penalised: relative gap {:.2e} {} tol {}", best.certificate.relative_gap,
                                    best.certificate.relative_gap <= settings.tol ? "<=" : ">", settings.tol);
  return best;
}

}  // namespace pdbfw
