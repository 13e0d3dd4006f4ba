#include "solvers/restricted_problem.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/dual_value.hpp"
#include "linalg/kernels.hpp"
#include "linalg/products.hpp"
#include "solvers/column_descent.hpp"
#include "solvers/dual_share.hpp"
#include "solvers/newton_model.hpp"

namespace pdbfw {
namespace {

// A step that gains no more than this share of all steps before it is the last one on a W that lacks features.
constexpr double kLittle = 0.1;
constexpr int kMostInnerSteps = 30;
constexpr int kMostHalvings = 30;
constexpr double kSufficientDecrease = 1e-4;
// The last steps lower P by less than its rounding, and the gap, which is of first order, by much more: where all that
// is promised is below this share of P, the model is believed.
constexpr double kUnseen = 1e-13;
// [M14]  The least curvature of the model, as a share of the most that the loss can have: 1 at first, so that the model
// bounds P from above. It falls by this factor after every whole step, down to a last share, below which it is 0; and
// rises by it, from the last share, where a step was shorter than half.
constexpr double kCaution = 10;
constexpr double kLeastCaution = 1e-3;
constexpr double kShort = 0.5;
// [M14]  Where not even a model that bounds P leads down, because entries depend on each other and rounding decides
// where it leads, it stays closer to x: this share of its diagonal is added, then more, at most all of it.
constexpr double kFirstProximity = 1e-6, kCloser = 100, kMostProximity = 1;
// A Gram matrix of more features is not worth its memory.
constexpr std::size_t kLargestGram = 4'000;
// A Gram matrix that costs no more than so many cycles by columns is made at once, see gram_pays().
constexpr double kCycles = 8;
// How well a model is solved by columns, at first, and after every whole step.
constexpr double kFirstAccuracy = 0.1, kBetter = 0.3, kBestAccuracy = 1e-6;
// [M14]  A model by columns is left at the first extrapolation, for P may be another one there; and as long as whole
// steps gain this share of what their slope promises (the minimum of the model is at a half) only after twice as many.
constexpr double kTrue = 0.4;
constexpr int kMostPatience = 1 << 20;

// What a multiply-add of a factorisation costs beside one with an entry of A, which has to be fetched.
constexpr double kDense = 0.25;
// Values and derivatives of the loss, in multiply-adds per row.
constexpr double kScalarWork = 20;

// (1 - t) from + t to
std::vector<double> blend(std::span<const double> from, std::span<const double> to, double t) {
  std::vector<double> out(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) out[i] = (1 - t) * from[i] + t * to[i];
  return out;
}

}  // namespace

RestrictedProblem::RestrictedProblem(const Problem& p, const Settings& settings, WorkingPoint& at,
                                     const ColumnsInSight& sight)
    : p_(p),
      each_(p.loss->of_samples()),
      Z_(p.loss->free_columns()),
      tol_(settings.tol),
      threads_(settings.threads),
      at_(at),
      sight_(sight),
      gram_(p),
      caution_(p.loss->is_quadratic() ? 0 : 1),
      patience_(p.loss->is_quadratic() ? kMostPatience : 1) {}

double RestrictedProblem::border() const {
  const Hold hold = Hold::of(*p_.set);
  // Before the first step the multiplier is not known, and a simplex has no entry to spare.
  const double unknown = hold.meets_the_radius ? -std::numeric_limits<double>::infinity() : 0;
  return hold.price > 0 ? hold.price : std::isnan(at_.multiplier) ? unknown : at_.multiplier;
}

void RestrictedProblem::minimise(double target, double left_out, Run& run) {
  Here on = here();
  const bool goes_on = tol_ <= kTolOfLastDigits;  // while P falls
  const bool may_leave_early = gram_.features().size() > at_.support.size() && !goes_on;
  const double at_first = value(at_.loss, on, on.x);
  double gained = 0;
  int whole_steps = 0;
  for (int step = 0; step < kMostInnerSteps && run.may_go_on(); ++step) {
    if (step > 0 || !take_gradient_in_sight(on)) refresh_gradient(on, run);
    if (step > 0 && !goes_on && gap(on) <= target) break;
    if (gained > 0 && may_leave_early && promise(on) < left_out) break;
    const Step made = make_step(on, whole_steps, run);
    if (made.is_last) break;
    whole_steps = made.length == 1 || made.is_unseen ? whole_steps + 1 : 0;
    gained = at_first - value(at_.loss, on, on.x);
    if (may_leave_early && step > 0 && made.gain > 0 && made.gain <= kLittle * gained)
      break;  // further features may do more
  }
  take_support(on);
}

// What every entry of W would gain if it moved alone, for certain; like what is left out, which stands at zero.
double RestrictedProblem::promise(const Here& on) const {
  const bool is_one_sided = Hold::of(*p_.set).is_one_sided;
  const double price = border();
  double sum = 0;
  for (std::size_t a = 0; a < on.x.size(); ++a) {
    const double bend = sight_.most_bend(gram_.features()[a]);
    if (!(bend > 0)) continue;
    const double to = soft_threshold(on.x[a] - on.gradient[a] / bend, price / bend, is_one_sided), e = to - on.x[a];
    sum -= e * (on.gradient[a] + 0.5 * bend * e) + price * (std::abs(to) - std::abs(on.x[a]));
  }
  return sum;
}

// To the minimiser of the model, as far as P falls.
RestrictedProblem::Step RestrictedProblem::make_step(Here& on, int whole_steps, Run& run) {
  const double least = caution_ * each_.smoothness();
  Goal goal = gram_pays() ? minimise_by_gram(on, least, run) : minimise_by_columns(on, least, whole_steps, run);
  const double before = value(at_.loss, on, on.x), length = move(goal, on, run);
  Step made{.length = length, .gain = before - value(at_.loss, on, on.x)};
  made.is_unseen = goal.is_bounded && promised_ != 0 && std::abs(promised_) <= kUnseen * std::abs(before);
  const bool is_true = made.is_unseen || (length == 1 && made.gain >= kTrue * promised_);
  patience_ = is_true ? std::min(2 * patience_, kMostPatience) : 1;
  // The model was P itself.
  const bool is_exact = each_.is_quadratic() && length == 1 && gram_pays() && proximity_ == 0;
  const bool has_last_digits = made.is_unseen && tol_ <= kTolOfLastDigits;
  const bool may_try_on = learn(made, goal.is_bounded) && !has_last_digits;
  made.is_last = is_exact || !(made.gain > 0 || may_try_on);
  return made;
}

// [M14]  How cautious the next model is, and how close to x it stays. Returns whether that is left to try where P has
// not fallen.
bool RestrictedProblem::learn(const Step& made, bool is_bounded) {
  const bool has_fallen = made.gain > 0, bounds = caution_ >= 1 || each_.is_quadratic();
  if (made.is_unseen)
    caution_ = std::min(caution_, kLeastCaution);
  else if (made.length < kShort || !is_bounded || !has_fallen)
    caution_ = std::clamp(kCaution * caution_, kLeastCaution, 1.0);
  else if (made.length == 1)
    caution_ = caution_ > kLeastCaution ? caution_ / kCaution : 0;
  const bool may_come_closer = gram_pays() && !made.is_unseen && proximity_ < kMostProximity;
  if (has_fallen)
    proximity_ = proximity_ > kFirstProximity ? proximity_ / kCloser : 0;
  else if (bounds)
    proximity_ = may_come_closer ? std::max(kFirstProximity, kCloser * proximity_) : 0;
  return !bounds || may_come_closer;
}

void RestrictedProblem::take_support(const Here& on) {
  const std::vector<Index>& W = gram_.features();
  at_.support.clear();
  at_.x.clear();
  for (std::size_t a = 0; a < W.size(); ++a) {
    if (on.x[a] == 0) continue;
    at_.support.push_back(W[a]);
    at_.x.push_back(on.x[a]);
  }
}

RestrictedProblem::Here RestrictedProblem::here() const {
  Here on;
  const Curvatures q = p_.regulariser->curvatures();
  std::size_t k = 0;
  for (const Index j : gram_.features()) {
    const bool is_in_support = k < at_.support.size() && at_.support[k] == j;
    on.x.push_back(is_in_support ? at_.x[k++] : 0);
    on.q.push_back(q[j]);
  }
  on.gradient.resize(on.x.size());
  on.free_gradient.resize(static_cast<std::size_t>(Z_.count));
  return on;
}

// Where no free weight has to be balanced y is the slope itself, and what is in sight is the gradient.
bool RestrictedProblem::take_gradient_in_sight(Here& on) const {
  if (Z_.count > 0) return false;
  const std::vector<Index>&W = gram_.features(), &in_sight = sight_.features();
  std::size_t k = 0;
  for (std::size_t a = 0; a < W.size(); ++a) {
    while (k < in_sight.size() && in_sight[k] < W[a]) ++k;
    if (k == in_sight.size() || in_sight[k] != W[a]) return false;
    on.gradient[a] = on.q[a] * on.x[a] - sight_.u()[k];
  }
  return true;
}

// A_W'f'(m) / n + q x  and  Z'f'(m) / n
void RestrictedProblem::refresh_gradient(Here& on, Run& run) const {
  const auto n = static_cast<double>(p_.n());
  run.charge(multiply_transposed_on(*p_.A, gram_.features(), at_.slope, on.gradient, threads_));
  for (std::size_t a = 0; a < on.x.size(); ++a) on.gradient[a] = on.gradient[a] / n + on.q[a] * on.x[a];
  for (Index c = 0; c < Z_.count; ++c)
    on.free_gradient[static_cast<std::size_t>(c)] = dense_dot(Z_[c].data(), at_.slope.data(), p_.n()) / n;
}

// The duality gap of the problem without the other features.
double RestrictedProblem::gap(const Here& on) const {
  std::vector<double> y = at_.slope, u(on.x.size());
  p_.loss->balance(y);
  for (std::size_t a = 0; a < u.size(); ++a) u[a] = on.q[a] * on.x[a] - on.gradient[a];
  const Curvatures q{0, on.q};
  const double primal = value(at_.loss, on, on.x);
  return primal - best_share(p_, y, u, q, p_.set->dead_zone(u, q), primal).value;
}

double RestrictedProblem::value(double loss, const Here& on, std::span<const double> x) const {
  double g = 0;
  for (std::size_t a = 0; a < x.size(); ++a) g += 0.5 * on.q[a] * x[a] * x[a];
  return loss + g + price(*p_.set) * l1_norm(x);
}

// What cycles over a Gram matrix and some factors cost, in multiply-adds with entries of A; the matrix of a loss
// whose curvature changes is made more than once.
double RestrictedProblem::gram_cost() const {
  const auto size = static_cast<double>(gram_.features().size());
  if (gram_.features().size() > kLargestGram) return std::numeric_limits<double>::infinity();
  constexpr double kCycle = 16, kFactor = 1.0 / 20, kMatrices = 4;
  const double once = gram_.cost() + kCycle * size * size + kFactor * size * size * size;
  return each_.is_quadratic() ? once : kMatrices * once;
}

// Cycles over columns are tried first where they may be quicker; not for longer than the matrix would have taken.
bool RestrictedProblem::gram_pays() const { return gram_cost() <= kCycles * gram_.entries() + spent_on_columns_; }

// [M15]
RestrictedProblem::Goal RestrictedProblem::minimise_by_gram(const Here& on, double least, Run& run) {
  gram_.refresh(at_.bend, least);
  run.charge(gram_.take_work());
  ReducedModel reduced = gram_.reduced(on.q, on.gradient, on.free_gradient);
  const Vector x = Eigen::Map<const Vector>(on.x.data(), static_cast<Index>(on.x.size()));
  reduced.R.diagonal() *= 1 + proximity_;
  NewtonModel model(std::move(reduced.R), std::move(reduced.g), x, Hold::of(*p_.set), at_.multiplier);
  model.minimise(run);
  run.charge_other(kDense * model.work());
  at_.multiplier = model.multiplier();
  return {{model.x().begin(), model.x().end()}, reduced.free_weights(model.x() - x), model.is_bounded()};
}

// The model is solved the better the more steps in a row were whole: what leads too far is not worth much.
RestrictedProblem::Goal RestrictedProblem::minimise_by_columns(const Here& on, double least, int whole_steps,
                                                               Run& run) {
  std::vector<double> bend = at_.bend;
  for (double& b : bend) b = std::max(b, least);
  const double accuracy = kFirstAccuracy * std::pow(kBetter, whole_steps);
  ColumnStep found = descend_by_columns(p_,
                                        {.features = gram_.features(),
                                         .x = on.x,
                                         .slope = at_.slope,
                                         .bend = bend,
                                         .gradient = on.gradient,
                                         .free_gradient = on.free_gradient,
                                         .hold = Hold::of(*p_.set),
                                         .multiplier = at_.multiplier,
                                         .stiffness = stiffness_,
                                         .accuracy = std::max(kBestAccuracy, accuracy),
                                         .most_extrapolations = patience_,
                                         .most_work = std::max(kCycles * gram_.entries(), gram_cost())},
                                        run);
  spent_on_columns_ += found.work;
  at_.multiplier = found.multiplier;
  stiffness_ = found.stiffness;
  return {std::move(found.x), std::move(found.free), found.is_bounded};
}

// What the multiplier missed, by one factor for all: a distance would hide entries of a small scale. Then rounding.
void RestrictedProblem::take_inside(std::vector<double>& x) const {
  const Hold hold = Hold::of(*p_.set);
  const double norm = l1_norm(x);
  if (hold.price == 0 && norm > 0 && (norm > hold.radius || hold.meets_the_radius))
    for (double& x_a : x) x_a *= hold.radius / norm;
  p_.set->project(x);
}

// To the goal, halfway, a quarter of the way ... until P falls enough. Returns how far; 0: not at all.
double RestrictedProblem::move(Goal& goal, Here& on, Run& run) {
  take_inside(goal.x);
  promised_ = 0;
  std::vector<double> way(at_.m.size(), 0.0);
  double slope = price(*p_.set) * (l1_norm(goal.x) - l1_norm(on.x));
  std::vector<Index> moved;
  std::vector<double> by;
  for (std::size_t a = 0; a < on.x.size(); ++a) {
    const double e = goal.x[a] - on.x[a];
    if (e == 0) continue;
    slope += on.gradient[a] * e;
    moved.push_back(gram_.features()[a]);
    by.push_back(e);
  }
  for (std::size_t c = 0; c < goal.free.size(); ++c) slope += on.free_gradient[c] * goal.free[c];
  if (moved.empty() && std::all_of(goal.free.begin(), goal.free.end(), [](double e) { return e == 0; })) return 0;
  run.charge(add_lines(p_.A->by_column(), moved, by, way));
  way = shifted(way, Z_, goal.free);
  const double before = value(at_.loss, on, on.x), rounding = kUnseen * std::abs(before);
  promised_ = -slope;
  if (!(slope <= rounding)) return 0;  // a model that does not curve leads nowhere
  std::vector<double> m(way.size()), next_slope(way.size()), next_bend(way.size());
  double length = 1;
  for (int halving = 0; halving < kMostHalvings && run.may_go_on(); ++halving, length /= 2) {
    for (std::size_t i = 0; i < m.size(); ++i) m[i] = at_.m[i] + length * way[i];
    const double loss = each_.local_model(m, next_slope, next_bend) / static_cast<double>(p_.n());
    run.charge_other(kScalarWork * static_cast<double>(m.size()));
    std::vector<double> x = length == 1 ? goal.x : blend(on.x, goal.x, length);
    if (!(value(loss, on, x) <= before + kSufficientDecrease * length * slope + rounding)) continue;
    on.x = std::move(x);
    for (std::size_t c = 0; c < goal.free.size(); ++c) at_.t[c] += length * goal.free[c];
    at_.m.swap(m);
    at_.slope.swap(next_slope);
    at_.bend.swap(next_bend);
    at_.loss = loss;
    ++at_.moves;
    return length;
  }
  return 0;
}

}  // namespace pdbfw
