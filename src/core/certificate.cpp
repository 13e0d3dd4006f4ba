#include "pdbfw/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/certify.hpp"
#include "core/dual_value.hpp"
#include "linalg/above.hpp"
#include "linalg/support_product.hpp"

namespace pdbfw {
namespace {

void check_length(std::string_view name, std::size_t length, Index wanted, std::string_view meaning) {
  if (static_cast<Index>(length) != wanted)
    throw InputError(name, fmt::format("{} entries", length), fmt::format("{} entries, {}", wanted, meaning));
}

// Values that agree to this many digits agree: the sums behind them are rounded in the last ones.
constexpr double kRounding = 1e-13;

// What the terms of D lose to rounding, as a share of their size.
constexpr double kCancelled = 4 * std::numeric_limits<double>::epsilon();

// Columns whose bound is a little below the guessed border are looked at as well, in case the border is there.
constexpr double kBelowBorder = 0.95;

void look_at_all(const Problem& p, std::span<const double> y, int threads, DualSide& side) {
  side.u.resize(static_cast<std::size_t>(p.d()));
  multiply_transposed(*p.A, y, side.u, threads);
  if (p.team) p.team->sum(side.u);
  for (double& u_j : side.u) u_j /= -static_cast<double>(p.samples());
  if (p.set->has_dead_zone()) side.zone = p.set->dead_zone(side.u, p.regulariser->curvatures());
  side.entries += static_cast<double>(p.A->nonzeros());
}

// u of the columns that can be outside the zone, side by side. False if the zone turns out narrower than guessed, so
// that others might be outside too.
bool look_at_some(const Problem& p, std::span<const double> y, int threads, const ColumnBounds& columns,
                  DualSide& side) {
  if (!p.set->has_dead_zone() || p.team || p.A->is_streamed()) return false;
  if (!columns.are_known() || !(columns.border > 0) || !p.regulariser->curvatures().is_uniform()) return false;
  const auto n = static_cast<double>(p.n());
  // The bound of every column left out is at most `border`.
  const double border = kBelowBorder * columns.border;
  const std::vector<Index> some = columns.may_exceed(border, y, threads);
  side.u.resize(some.size());
  side.entries += multiply_transposed_on(*p.A, some, y, side.u, threads);
  for (double& u_j : side.u) u_j /= -n;
  const DeadZone guess{-columns.border, columns.border, columns.border, true};
  side.zone = p.set->dead_zone(side.u, p.regulariser->curvatures(), &guess);
  return side.zone.upper >= border && side.zone.lower <= -border;
}

// min_{x' in C} g(x') - <u, x'>, or a lower bound.
double least_on_set(const Problem& p, std::span<const double> x, const DualSide& side) {
  if (p.set->has_dead_zone()) return set_part(side.u, p.regulariser->curvatures(), side.zone, p.set->radius());
  std::vector<double> slope;
  SparseAtom atom;
  return set_part_from(p, x, side.u, slope, atom);
}

}  // namespace

double objective_of_nothing(const Problem& p) {
  double sum = 0;
  if (p.loss->has_free_columns())
    for (const double b : p.b) sum += p.loss->value(b, 0);
  else
    sum = p.loss->total_value(p.b, std::vector<double>(p.b.size(), 0.0));
  return sum_over(p.team, sum) / static_cast<double>(p.samples());
}

double proven_gap(double primal, double dual) {
  const double gap = primal - dual, rounding = kRounding * std::abs(primal);
  if (!std::isfinite(gap) || gap < -rounding) return std::numeric_limits<double>::infinity();
  return gap <= rounding ? 0 : gap;
}

Certificate certify(const Problem& p, std::span<const double> x, std::span<const double> y, int threads) {
  DualSide side;
  Certificate certificate = certify(p, x, y, threads, {}, side);
  if (!p.set->has_dead_zone()) certificate.violation = p.set->violation(x);
  return certificate;
}

Certificate certify(const Problem& p, std::span<const double> x, std::span<const double> y, int threads,
                    const ColumnBounds& columns, DualSide& side) {
  check_length("x", x.size(), p.d(), "one per feature");
  check_length("y", y.size(), p.n(), "one per sample");
  const auto n = static_cast<double>(p.samples());
  Certificate certificate;

  // P(x) = (1/n) sum_i f_i(w_i) + g(x),  w = A x,  g(x) = sum_j q_j x_j^2 / 2
  const std::vector<Index> support = nonzero_positions(x, threads);
  const Curvatures q = p.regulariser->curvatures();
  std::vector<double> values, w(y.size());
  double g = 0;
  for (const Index j : support) {
    values.push_back(x[static_cast<std::size_t>(j)]);
    g += 0.5 * q[j] * values.back() * values.back();
  }
  multiply_columns(*p.A, support, values, w, threads);
  certificate.primal = sum_over(p.team, p.loss->total_value(p.b, w)) / n + g;
  if (p.set->has_dead_zone()) certificate.violation = p.set->violation(values);

  // D(y) = min_{x in C} { g(x) - <u, x> } - (1/n) sum_i f_i*(y_i),  u = -A'y / n
  std::vector<double> balanced;
  if (p.loss->has_free_columns()) {
    balanced.assign(y.begin(), y.end());
    p.loss->balance(balanced);
    y = balanced;
  }
  const bool is_partial = look_at_some(p, y, threads, columns, side);
  if (!is_partial) look_at_all(p, y, threads, side);
  const double on_set = least_on_set(p, x, side);
  const double conjugate = sum_over(p.team, p.loss->total_conjugate(p.b, y)) / n;
  // Where two large numbers all but cancel, their rounding is no proof.
  certificate.dual = on_set - conjugate - kCancelled * (std::abs(on_set) + std::abs(conjugate));
  if (is_partial) side.u.clear();

  certificate.gap = proven_gap(certificate.primal, certificate.dual);
  if (!std::isfinite(certificate.gap)) {
    certificate.relative_gap = certificate.gap;
    return certificate;
  }
  const double at_zero = objective_of_nothing(p);
  constexpr double kSmallest = std::numeric_limits<double>::min();
  certificate.relative_gap =
      certificate.gap / std::max({std::abs(certificate.primal), kTinyFraction * at_zero, kSmallest});
  return certificate;
}

std::vector<double> dual_candidate(const Problem& p, std::span<const double> x, int threads) {
  check_length("x", x.size(), p.d(), "one per feature");
  std::vector<double> w(p.b.size()), y(p.b.size());
  multiply(*p.A, x, w, threads);
  p.loss->derivatives(p.b, w, y);
  return y;
}

}  // namespace pdbfw
