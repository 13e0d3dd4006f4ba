#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "linalg/above.hpp"
#include "linalg/products.hpp"
#include "pdbfw/pairwise_sum.hpp"

namespace pdbfw {
namespace {

void check_length(std::string_view name, std::size_t length, Index wanted, std::string_view meaning) {
  if (static_cast<Index>(length) != wanted)
    throw InputError(name, fmt::format("{} entries", length), fmt::format("{} entries, {}", wanted, meaning));
}

void check_targets(const Problem& p) {
  const bool needs_labels = p.loss->target_kind() == TargetKind::labels;
  for (std::size_t i = 0; i < p.loss->size(); ++i) {
    const double b = p.loss->targets()[i];
    if (needs_labels && b != 1 && b != -1)
      throw InputError("targets", fmt::format("{} in sample {}", b, i + 1),
                       fmt::format("-1 or +1 for the loss {}", p.loss->name()));
    if (!std::isfinite(b)) throw InputError("targets", fmt::format("{} in sample {}", b, i + 1), "finite numbers");
  }
}

// Sums of absolute values and of squares are rounded, too.
constexpr double kRoundedUp = 1 + 1e-10;
// What the products themselves may be off by, as a share of |a_j| |y|.
constexpr double kRounding = 1e-12;

std::vector<Index> by_sums(const ColumnBounds& bounds, double size, std::span<const double> y, int threads) {
  double largest_y = 0;
  bool has_the_signs = true;
  for (std::size_t i = 0; i < y.size(); ++i) {
    largest_y = std::max(largest_y, std::abs(y[i]));
    has_the_signs = has_the_signs && (y[i] == 0 || std::signbit(y[i]) == std::signbit(bounds.signs[i]));
  }
  const auto n = static_cast<double>(y.size());
  return positions_above(size * n / (kRoundedUp * largest_y * (has_the_signs ? 1 : 2)), bounds.sums, threads);
}

std::vector<Index> by_distance(const ColumnBounds& bounds, double size, std::span<const double> y, int threads) {
  double zz = 0, yz = 0, yy = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    zz += bounds.z[i] * bounds.z[i];
    yz += y[i] * bounds.z[i];
    yy += y[i] * y[i];
  }
  const double c = zz > 0 ? yz / zz : 0;
  double distance = 0;
  for (std::size_t i = 0; i < y.size(); ++i) distance += (y[i] - c * bounds.z[i]) * (y[i] - c * bounds.z[i]);
  const double reach = std::sqrt(distance) + kRounding * (std::sqrt(yy) + std::abs(c) * std::sqrt(zz));
  return positions_above(size, std::abs(c), bounds.u, kRoundedUp * reach / static_cast<double>(y.size()), bounds.norms,
                         threads);
}

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

// u of the columns that can be outside the zone and of those of the support, side by side, and which they are; nothing
// if the zone turns out narrower than guessed, so that others might be outside too.
std::optional<std::vector<Index>> look_at_some(const Problem& p, std::span<const Index> support,
                                               std::span<const double> y, int threads, const ColumnBounds& columns,
                                               DualSide& side) {
  if (!p.set->has_dead_zone() || p.team || p.A->is_streamed()) return std::nullopt;
  if (!columns.are_known() || !(columns.border > 0) || !p.regulariser->curvatures().is_uniform()) return std::nullopt;
  const auto n = static_cast<double>(p.n());
  // The bound of every column left out is at most `border`.
  const double border = kBelowBorder * columns.border;
  const std::vector<Index> outside = columns.may_exceed(border, y, threads);
  std::vector<Index> some;
  std::set_union(outside.begin(), outside.end(), support.begin(), support.end(), std::back_inserter(some));
  side.u.resize(some.size());
  side.entries += multiply_transposed_on(*p.A, some, y, side.u, threads);
  for (double& u_j : side.u) u_j /= -n;
  const DeadZone guess{-columns.border, columns.border, columns.border, true};
  side.zone = p.set->dead_zone(side.u, p.regulariser->curvatures(), &guess);
  if (!(side.zone.upper >= border && side.zone.lower <= -border)) return std::nullopt;
  return some;
}

// A share of y for which the D of a penalty is finite.                                                       [M39]
void take_inside(const Problem& p, std::span<double> y, DualSide& side) {
  constexpr double kJustInside = 1 - 1e-15;
  const double share = kJustInside * share_inside(side.u, p.regulariser->curvatures(), side.zone);
  if (share >= kJustInside) return;
  for (double& y_i : y) y_i *= share;
  for (double& u_j : side.u) u_j *= share;
}

// <u, x>, of an x that is given by its non-zeros; `looked_at` are the columns that u has, all where it is empty.
double product_with(std::span<const double> u, const std::vector<Index>& looked_at, std::span<const Index> support,
                    std::span<const double> values) {
  std::vector<double> on_support;
  auto here = looked_at.begin();
  for (const Index j : support) {
    if (!looked_at.empty()) here = std::lower_bound(here, looked_at.end(), j);
    on_support.push_back(u[static_cast<std::size_t>(looked_at.empty() ? j : here - looked_at.begin())]);
  }
  return pairwise_sum(0, support.size(), [&](std::size_t k) { return on_support[k] * values[k]; });
}

// min_{x' in C} g(x') - <u, x'>, or a lower bound. Of its two terms, one is -multiplier radius, or -g(x).
void look_at_set(const Problem& p, std::span<const double> x, const DualSide& side, CertificateTerms& terms) {
  double one_term = -terms.regulariser;
  if (p.set->has_dead_zone()) {
    terms.on_set = set_part(side.u, p.regulariser->curvatures(), side.zone, p.set->radius());
    one_term = -side.zone.multiplier * p.set->radius();
  } else {
    std::vector<double> slope;
    SparseAtom atom;
    terms.on_set = set_part_from(p, x, side.u, slope, atom);
  }
  terms.size_on_set = std::abs(one_term) + std::abs(terms.on_set - one_term);
}

}  // namespace

std::vector<Index> ColumnBounds::may_exceed(double size, std::span<const double> y, int threads) const {
  return signs.empty() ? by_distance(*this, size, y, threads) : by_sums(*this, size, y, threads);
}

double objective_of_nothing(const Problem& p) {
  const std::vector<double> zero(p.loss->size(), 0.0);
  return sum_over(p.team, p.loss->of_samples().total_value(zero)) / static_cast<double>(p.samples());
}

CertificateTerms terms_of_samples(const Problem& p, std::span<const double> w, std::span<const double> y,
                                  PrimalSide& primal) {
  // Any t makes P an upper bound: what F is at its minimum need not be found again.
  std::vector<double> with_free;
  if (p.loss->has_free_columns()) {
    primal.t = p.loss->free_weights(w, primal.t);
    with_free = shifted(w, p.loss->free_columns(), primal.t);
    w = with_free;
  }
  std::array<double, 4> sums{p.loss->of_samples().total_value(w), p.loss->total_conjugate(y),
                             pairwise_sum(0, w.size(), [&](std::size_t i) { return w[i] * y[i]; }),
                             pairwise_sum(0, w.size(), [&](std::size_t i) { return std::abs(w[i] * y[i]); })};
  double members = 0;
  if (p.team) {
    p.team->sum(sums);
    members = p.team->size();
  }
  const auto n = static_cast<double>(p.samples());
  CertificateTerms terms;
  terms.loss = sums[0] / n;
  terms.conjugate = sums[1] / n;
  terms.product = sums[2] / n;
  terms.size_of_product = sums[3] / n;
  terms.additions = static_cast<double>(pairwise_depth(static_cast<std::size_t>(std::max(p.n(), p.d())))) + members;
  terms.objective_at_zero = primal.objective_of_nothing;
  return terms;
}

Certificate certify(const Problem& p, std::span<const double> x, std::span<const double> y, int threads) {
  PrimalSide primal{.objective_of_nothing = objective_of_nothing(p)};
  DualSide dual;
  Certificate certificate = certify(p, x, y, threads, {}, primal, dual).certificate;
  if (!p.set->has_dead_zone()) certificate.violation = p.set->violation(x);
  return certificate;
}

Verdict certify(const Problem& p, std::span<const double> x, std::span<const double> y, int threads,
                const ColumnBounds& columns, PrimalSide& primal, DualSide& dual) {
  check_length("x", x.size(), p.d(), "one per feature");
  check_length("y", y.size(), p.n(), "one per sample");

  // P(x) = (1/n) sum_i f_i(w_i) + g(x),  w = A x,  g(x) = sum_j q_j x_j^2 / 2
  const std::vector<Index> support = nonzero_positions(x, threads);
  const Curvatures q = p.regulariser->curvatures();
  std::vector<double> values, w(y.size());
  for (const Index j : support) values.push_back(x[static_cast<std::size_t>(j)]);
  multiply_columns(*p.A, support, values, w, threads);

  // D(y) = min_{x in C} { g(x) - <u, x> } - (1/n) sum_i f_i*(y_i),  u = -A'y / n
  const bool is_penalised = price(*p.set) > 0;
  std::vector<double> taken;  // to where D is finite
  if (p.loss->has_free_columns() || is_penalised) {
    taken.assign(y.begin(), y.end());
    p.loss->balance(taken);
    y = taken;
  }
  const std::optional<std::vector<Index>> some = look_at_some(p, support, y, threads, columns, dual);
  if (!some) look_at_all(p, y, threads, dual);
  if (is_penalised) take_inside(p, taken, dual);
  CertificateTerms terms = terms_of_samples(p, w, y, primal);
  terms.regulariser =
      pairwise_sum(0, values.size(), [&](std::size_t k) { return 0.5 * q[support[k]] * values[k] * values[k]; }) +
      price(*p.set) * l1_norm(values);
  look_at_set(p, x, dual, terms);
  terms.at_x = product_with(dual.u, some.value_or(std::vector<Index>{}), support, values);
  if (some) dual.u.clear();

  Verdict verdict = conclude(terms);
  if (p.set->has_dead_zone()) verdict.certificate.violation = p.set->violation(values);
  return verdict;
}

// A set that holds x = 0 is met there, whatever d is.
Nothing Judge::nothing() const {
  Nothing out{.objective_at_zero = primal_.objective_of_nothing};
  if (!p_.set->has_dead_zone()) return out;
  const Curvatures q = p_.regulariser->curvatures();
  const std::vector<double> u(p_.set->violation({}) > 0 ? static_cast<std::size_t>(p_.d()) : 0, 0.0);
  const DeadZone zone = p_.set->dead_zone(u, q);
  const double conjugate = sum_over(p_.team, p_.loss->total_conjugate(std::vector<double>(p_.loss->size(), 0.0)));
  out.dual = set_part(u, q, zone, p_.set->radius()) - conjugate / static_cast<double>(p_.samples());
  out.multiplier = zone.multiplier;
  return out;
}

Judgement Judge::certify(Point& point, double /*believed_gap*/) {
  primal_.t = std::move(point.t);
  dual_.entries = 0;
  const Verdict verdict = pdbfw::certify(p_, point.x, point.y, threads_, point.columns, primal_, dual_);
  point.t = primal_.t;
  return {.verdict = verdict,
          .multiplier = dual_.zone.multiplier,
          .multiply_adds = static_cast<double>(p_.A->nonzeros()) + dual_.entries,
          .u = dual_.u};
}

void Judge::save(const Settings::Checkpoints& to, Point point, double multiplier, const TracePoint& at) {
  if (to.save) to.save({std::move(point.x), std::move(point.y), multiplier}, at);
}

std::vector<double> dual_candidate(const Problem& p, std::span<const double> x, int threads) {
  check_length("x", x.size(), p.d(), "one per feature");
  std::vector<double> w(p.loss->size()), y(p.loss->size());
  multiply(*p.A, x, w, threads);
  p.loss->derivatives(w, y);
  return y;
}

void validate(const Problem& p) {
  if (!p.A) throw InputError("A", "none", "a data matrix");
  if (!p.loss) throw InputError("loss", "none", "a loss");
  if (!p.regulariser) throw InputError("regulariser", "none", "a regulariser");
  if (!p.set) throw InputError("set", "none", "a set");
  if (p.n() == 0) throw InputError("A", "no rows", "at least one sample");
  if (p.features() == 0) throw InputError("A", "no columns", "at least one feature");
  if (static_cast<Index>(p.loss->size()) != p.n())
    throw InputError("targets", fmt::format("{} of them", p.loss->size()),
                     fmt::format("one for each of {} samples", p.n()));
  const bool is_penalty = price(*p.set) > 0;
  if (!is_penalty && (!(p.set->radius() > 0) || !std::isfinite(p.set->radius())))
    throw InputError("radius", fmt::format("{}", p.set->radius()), "a finite number > 0");
  p.set->check_dimension(p.d());
  const Curvatures q = p.regulariser->curvatures();
  if (!q.is_uniform() && static_cast<Index>(q.each.size()) != p.d())
    throw InputError("ridge_scale", fmt::format("{} factors", q.each.size()),
                     fmt::format("one for each of {} features", p.d()));
  if (!(p.regulariser->strong_convexity() >= 0) || !std::isfinite(p.regulariser->smoothness()))
    throw InputError("ridge", fmt::format("{} .. {}", p.regulariser->strong_convexity(), p.regulariser->smoothness()),
                     "finite numbers >= 0");
  for (std::size_t j = 0; j < q.each.size(); ++j)  // a NaN hides from the smallest and the largest
    if (!(q.each[j] >= 0))
      throw InputError("ridge", fmt::format("{} for feature {}", q.each[j], j + 1), "finite numbers >= 0");
  check_targets(p);
}

std::vector<double> start_point(const Problem& problem) {
  std::vector<double> x(static_cast<std::size_t>(problem.d()));
  SparseAtom atom;
  problem.set->start(problem.d(), atom);
  for (std::size_t k = 0; k < atom.at.size(); ++k) x[static_cast<std::size_t>(atom.at[k])] = atom.value[k];
  return x;
}

}  // namespace pdbfw
