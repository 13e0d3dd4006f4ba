// Working set and face Newton.
//
// Few features matter. Grow a working set W of those that most want to enter; inside W minimise Newton's model of P
// over C, on the support and the features that want to enter it. Every step lowers P; the dual point y_i = f_i'(a_i'x)
// certifies, for ridge 0 too. A penalty in the place of C adds alpha |x|_1 to P.                              [M39]
//
//   here     maths                                     |  invariants
//   x, w     primal point and A x                      |    (I1) w = A x
//   y, u     f'(w) and -A'y / n                        |    (I2) P never rises
//   W        working set; x_j = 0 outside              |  cost per iteration: a pass for u at most, some ten times
//   r        -grad P(x) on W: r_j = u_j - q_j x_j      |    nnz(A_W), and a factorisation of the size of the face
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "linalg/kernels.hpp"
#include "linalg/products.hpp"
#include "linalg/select.hpp"
#include "solvers/quadratic_model.hpp"
#include "solvers/solvers.hpp"

namespace pdbfw {
namespace {

// W has room for at least this number of features beyond the support, and for as many as the support has.
constexpr Index kFewestNew = 100;
// Inside W the gap is driven to this share of the gap at large; more would be wasted on the wrong W.
constexpr double kInnerShare = 0.1;
constexpr int kMostInnerSteps = 10;
// What one quadratic model may cost at first, in passes over A, and a round in models. Doubled when a round has not
// brought the gap down: small data with many features on the face needs many cheap steps, and `auto` must be able to
// change its mind in between.
constexpr double kFirstPasses = 20;
constexpr double kFirstLook = 100;
constexpr double kModelsPerRound = 3;
constexpr double kGoodRound = 0.5;
constexpr int kMostHalvings = 30;
constexpr double kSufficientDecrease = 1e-4;
// The last steps lower P by less than its rounding, and the gap, which is of first order, by much more.
constexpr double kValueRounding = 4 * std::numeric_limits<double>::epsilon();
// The least curvature of the model, as a share of the most that the loss can have: 1 at first, so that the model bounds
// P from above. It falls by this factor after every whole step, down to a last share, below which it is 0; and rises by
// it, from the last share, where a step was shorter than half.
constexpr double kCaution = 10;
constexpr double kLeastCaution = 1e-3;
constexpr double kShort = 0.5;
// In sight after a look at all columns: what is inside the zone by no more than this share of its border.
constexpr double kInSight = 0.9;
// And later: columns whose bound [M50] is above this share of the border.
constexpr double kBoundInSight = 0.7;

// Values and derivatives of the loss in an inner step, in multiply-adds a row.
constexpr double kScalarWork = 50;

struct State {
  // x by its non-zeros: features, ascending, and values.
  std::vector<Index> support;
  std::vector<double> x;
  std::vector<double> w, y;
  double share = 1;  // of y that the last estimate was for
  // The columns that may matter at y, ascending, and u there. All others are proven to lie well inside the dead zone.
  std::vector<Index> in_sight;
  std::vector<double> u, q;
  DeadZone zone;
};

// The problem seen from W: everything indexed by the position in W.
struct Restricted {
  std::vector<Index> features;
  std::vector<double> x, u, r, q;
  double most_passes = 0;  // that a quadratic model may cost
  KeptGram* kept = nullptr;
  double caution = 1;           // the least share of the loss's largest curvature that the model has
  FeatureRows* rows = nullptr;  // of all features of W, or of those that were W before
};

double primal_value(const Problem& p, std::span<const double> w, const Restricted& on, std::span<const double> x) {
  double g = 0;
  for (std::size_t a = 0; a < x.size(); ++a) g += 0.5 * on.q[a] * x[a] * x[a];
  return p.loss->total_value(p.b, w) / static_cast<double>(p.n()) + g + price(*p.set) * l1_norm(x);
}

// A share of y and its D, on the features that u and q speak of.
struct DualPoint {
  double share, value;
};

// All of y; for a penalty, as much as has the features without a ridge in its zone, or all features: far from the
// optimum those with a ridge may cost far more than the loss is worth.                                        [M39]
DualPoint best_share(const Problem& p, std::span<const double> y, std::span<const double> u, const Curvatures& q,
                     const DeadZone& zone) {
  const auto at = [&](double share) -> DualPoint {
    std::vector<double> some_y(y.begin(), y.end()), some_u(u.begin(), u.end());
    for (double& y_i : some_y) y_i *= share;
    for (std::size_t j = 0; j < u.size(); ++j) {
      some_u[j] *= share;
      if (q[static_cast<Index>(j)] == 0) some_u[j] -= zone.outside(some_u[j]);  // rounding
    }
    return {share, set_part(some_u, q, zone, p.set->radius()) -
                       p.loss->total_conjugate(p.b, some_y) / static_cast<double>(p.n())};
  };
  if (price(*p.set) == 0) return at(1);
  const DualPoint most = at(share_inside(u, q, zone)), least = at(share_inside(u, {}, zone));
  return most.value >= least.value ? most : least;
}

Estimate estimate(const Problem& p, State& st) {
  const auto n = static_cast<double>(p.n());
  const Curvatures q = p.regulariser->curvatures();
  double g = 0;
  for (std::size_t k = 0; k < st.x.size(); ++k) g += 0.5 * q[st.support[k]] * st.x[k] * st.x[k];
  const DualPoint dual = best_share(p, st.y, st.u, {0, st.q}, st.zone);
  st.share = dual.share;
  return {p.loss->total_value(p.b, st.w) / n + g + price(*p.set) * l1_norm(st.x), dual.value,
          static_cast<Index>(st.x.size())};
}

// [M13]  W = the support of x and the features whose r_j = u_j - q_j x_j lies farthest out of the dead zone, or
//        nearest to its border from within.
Restricted choose_working_set(const Problem& p, const State& st, Index fewest_new) {
  std::vector<Index> feature;
  std::vector<double> x, urgency;
  for (std::size_t k = 0, a = 0; k < st.support.size() || a < st.in_sight.size();) {
    const bool is_first = a == st.in_sight.size() || (k < st.support.size() && st.support[k] <= st.in_sight[a]);
    feature.push_back(is_first ? st.support[k] : st.in_sight[a]);
    x.push_back(is_first ? st.x[k] : 0);
    urgency.push_back(is_first ? std::numeric_limits<double>::infinity()
                               : std::max(st.u[a] - st.zone.upper, st.zone.lower - st.u[a]));
    if (a < st.in_sight.size() && st.in_sight[a] == feature.back()) ++a;
    if (is_first) ++k;
  }
  const auto count = static_cast<Index>(feature.size()), support = static_cast<Index>(st.support.size());
  const Curvatures q = p.regulariser->curvatures();
  Restricted on;
  for (const Index at : largest(count, std::min(count, support + std::max(support, fewest_new)),
                                [&](Index k) { return urgency[static_cast<std::size_t>(k)]; })) {
    on.features.push_back(feature[static_cast<std::size_t>(at)]);
    on.x.push_back(x[static_cast<std::size_t>(at)]);
    on.q.push_back(q[on.features.back()]);
  }
  on.u.resize(on.x.size());
  on.r.resize(on.x.size());
  return on;
}

// y = f'(w),  u = -A_W'y / n,  r = u - q x.
void refresh_gradient(const Problem& p, State& st, Restricted& on, Run& run) {
  p.loss->derivatives(p.b, st.w, st.y);
  const auto n = static_cast<double>(p.n());
  std::visit(
      [&](const auto& columns) {
        Index touched = 0;
        for (std::size_t a = 0; a < on.features.size(); ++a) {
          const auto line = columns[on.features[a]];
          on.u[a] = -dot(line, st.y.data()) / n;
          on.r[a] = on.u[a] - on.q[a] * on.x[a];
          touched += line.size;
        }
        run.charge(static_cast<double>(touched));
      },
      p.A->by_column());
}

// The duality gap of the problem without the other features.
double restricted_gap(const Problem& p, const State& st, const Restricted& on) {
  const Curvatures q{0, on.q};
  return primal_value(p, st.w, on, on.x) - best_share(p, st.y, on.u, q, p.set->dead_zone(on.u, q)).value;
}

// w of the point that differs from on.x on a few positions of W.
std::vector<double> moved_products(const Problem& p, const State& st, const Restricted& on, std::span<const double> x,
                                   Run& run) {
  std::vector<double> w = st.w;
  std::vector<Index> at;
  std::vector<double> change;
  for (std::size_t a = 0; a < x.size(); ++a) {
    if (x[a] == on.x[a]) continue;
    at.push_back(on.features[a]);
    change.push_back(x[a] - on.x[a]);
  }
  run.charge(add_lines(p.A->by_column(), at, change, w));
  return w;
}

// (1 - t) from + t to
std::vector<double> blend(std::span<const double> from, std::span<const double> to, double t) {
  std::vector<double> out(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) out[i] = (1 - t) * from[i] + t * to[i];
  return out;
}

// Above this derivative a feature of W wants to enter the support: the price of a penalty, or the mean of those in it.
double worth_entering(const Problem& p, const Restricted& on) {
  if (price(*p.set) > 0) return price(*p.set);
  double slope = 0;
  for (std::size_t a = 0; a < on.x.size(); ++a) slope += on.r[a] * on.x[a];
  return slope > 0 ? slope / l1_norm(on.x) : 0;
}

// The features that the model is built on: the support of x and those that want to enter it, or all where H is kept for
// all.
LocalPoint local_point(const Problem& p, const Restricted& on, const DeadZone& zone) {
  LocalPoint local;
  local.is_tight = zone.is_tight;
  local.is_one_sided = std::isinf(zone.lower);
  const double worth = worth_entering(p, on);
  for (std::size_t a = 0; a < on.x.size(); ++a) {
    const bool enters = (local.is_one_sided ? on.r[a] : std::abs(on.r[a])) > worth;
    if (on.x[a] == 0 && !enters && on.kept == nullptr) continue;
    local.position.push_back(a);
    local.feature.push_back(on.features[a]);
    local.x.push_back(on.x[a]);
    local.gradient.push_back(-on.r[a]);
  }
  return local;
}

// [M15]  To the minimiser of the quadratic model over C, halfway, a quarter of the way ... until P falls enough.
void newton_step(const Problem& p, const DeadZone& zone, State& st, Restricted& on, Run& run) {
  const LocalPoint local = local_point(p, on, zone);
  if (local.feature.empty()) return;
  const double most_effort = on.most_passes * static_cast<double>(p.A->nonzeros());
  if (on.kept == nullptr &&
      !std::includes(on.rows->features.begin(), on.rows->features.end(), local.feature.begin(), local.feature.end())) {
    *on.rows = rows_on(*p.A, on.features);
    run.charge(static_cast<double>(on.rows->value.size()));
  }
  const double least = on.caution * p.loss->smoothness();
  const std::vector<double> goal = on.kept != nullptr
                                       ? minimise_kept_model(p, local, st.w, least, *on.kept, most_effort, run)
                                       : minimise_model(p, local, *on.rows, st.w, least, most_effort, run);
  double slope = 0;
  for (std::size_t k = 0; k < goal.size(); ++k) slope += local.gradient[k] * (goal[k] - local.x[k]);
  slope += price(*p.set) * (l1_norm(goal) - l1_norm(local.x));
  std::vector<double> x = on.x;
  for (std::size_t k = 0; k < goal.size(); ++k) x[local.position[k]] = goal[k];
  p.set->project(x);  // rounding
  const std::vector<double> w = moved_products(p, st, on, x, run);
  const double before = primal_value(p, st.w, on, on.x), rounding = kValueRounding * std::abs(before);
  double t = slope <= rounding && goal != local.x ? 1 : 0;  // a model that does not curve leads nowhere
  for (int halving = 0; halving < kMostHalvings && t > 0 && run.may_go_on(); ++halving, t /= 2) {
    const std::vector<double> x_t = blend(on.x, x, t), w_t = blend(st.w, w, t);
    const double most = before + kSufficientDecrease * t * slope + rounding;
    if (!(primal_value(p, w_t, on, x_t) <= most)) continue;
    st.w = w_t;
    on.x = x_t;
    break;
  }
  if (t < kShort)
    on.caution = std::clamp(kCaution * on.caution, kLeastCaution, 1.0);
  else if (t == 1)
    on.caution = on.caution > kLeastCaution ? on.caution / kCaution : 0;
}

// x lies in C.
bool is_on_the_border(const Problem& p, std::span<const double> x) {
  constexpr double kRounding = 1e-12;
  double length = 0;
  for (const double x_a : x) length += std::abs(x_a);
  return length >= (1 - kRounding) * p.set->radius();
}

// Solves the problem on W until its own gap is below `target`.
void solve_restricted(const Problem& p, double target, State& st, Restricted& on, Run& run) {
  double last = std::numeric_limits<double>::infinity();
  bool is_current = false;
  const double enough = run.work().data_passes + kModelsPerRound * on.most_passes;
  // Where W is everything, the gap is that of the whole problem after every step, and may be enough.
  const int most_steps = on.kept != nullptr ? 1 : kMostInnerSteps;
  for (int t = 0; t < most_steps && run.work().data_passes < enough && run.may_go_on(); ++t) {
    refresh_gradient(p, st, on, run);
    is_current = true;
    if (on.kept == nullptr && restricted_gap(p, st, on) <= target) break;
    is_current = false;
    DeadZone zone = p.set->dead_zone(on.u, {0, on.q});
    if (on.kept == nullptr) zone.is_tight = is_on_the_border(p, on.x);
    newton_step(p, zone, st, on, run);
    run.charge_other(kScalarWork * static_cast<double>(p.n()));
    const double value = primal_value(p, st.w, on, on.x);
    if (!(value < last)) break;  // rounding: nothing more to gain here
    last = value;
  }
  if (!is_current) refresh_gradient(p, st, on, run);
  st.support.clear();
  st.x.clear();
  for (std::size_t a = 0; a < on.features.size(); ++a) {
    if (on.x[a] == 0) continue;
    st.support.push_back(on.features[a]);
    st.x.push_back(on.x[a]);
  }
}

class WorkingSetEngine final : public Engine {
 public:
  WorkingSetEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p), tol_(settings.tol), threads_(settings.threads) {
    const std::vector<double> x = start.x.empty() ? start_point(p) : start.x;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] == 0) continue;
      st_.support.push_back(static_cast<Index>(j));
      st_.x.push_back(x[j]);
    }
    st_.w.resize(p.b.size());
    st_.y.resize(p.b.size());
    if (KeptGram::pays(*p.A)) kept_.emplace(p);
    refresh_products();
    look_at_all();
  }

  [[nodiscard]] std::string name() const override { return "working_set"; }
  void radius_has_changed() override {
    p_.set->project(st_.x);
    refresh_products();
    look(st_.in_sight);
    has_run_ = false;
    most_passes_ = kFirstPasses;
  }
  [[nodiscard]] double first_look() const override { return kFirstLook; }
  [[nodiscard]] Estimate estimate() override {
    const double before = now_.primal - now_.dual;
    now_ = pdbfw::estimate(p_, st_);
    if (has_run_ && now_.primal - now_.dual > kGoodRound * before) most_passes_ *= 2;
    has_run_ = false;
    return now_;
  }
  [[nodiscard]] Point point() override {
    Point out{std::vector<double>(static_cast<std::size_t>(p_.d())), st_.y, bounds()};
    for (double& y_i : out.y) y_i *= st_.share;
    out.columns.border = st_.zone.multiplier;
    for (std::size_t k = 0; k < st_.x.size(); ++k) out.x[static_cast<std::size_t>(st_.support[k])] = st_.x[k];
    return out;
  }

  void iterate(Run& run) override {
    run.charge(std::exchange(uncharged_, 0));                                  // what was done without a run
    Restricted on = choose_working_set(p_, st_, kept_ ? p_.d() : kFewestNew);  // [M13]
    const double target = kInnerShare * std::max(now_.primal - now_.dual, tol_ * std::abs(now_.primal));
    on.most_passes = most_passes_;
    on.kept = kept_ ? &*kept_ : nullptr;
    on.rows = &rows_;
    on.caution = caution_;
    solve_restricted(p_, target, st_, on, run);  // [M14], [M15]
    caution_ = on.caution;
    if (kept_) {  // W is everything
      st_.u = on.u;
      st_.zone = p_.set->dead_zone(st_.u, {0, st_.q});
    } else {
      refresh_products();
      look(on.features);
      run.charge(std::exchange(uncharged_, 0));
    }
    has_run_ = true;
  }

 private:
  // w = A x,  y = f'(w)
  void refresh_products() {
    uncharged_ += multiply_columns(*p_.A, st_.support, st_.x, st_.w, threads_);
    p_.loss->derivatives(p_.b, st_.w, st_.y);
  }

  // u = -A'y / n of all columns, and those in sight.
  void look_at_all() {
    since_all_ = 0;
    z_ = st_.y;
    all_u_.resize(static_cast<std::size_t>(p_.d()));
    multiply_transposed(*p_.A, st_.y, all_u_, threads_);
    for (double& u_j : all_u_) u_j /= -static_cast<double>(p_.n());
    uncharged_ += static_cast<double>(p_.A->nonzeros());
    const DeadZone zone = p_.set->dead_zone(all_u_, p_.regulariser->curvatures());
    const double near = kept_ ? std::numeric_limits<double>::infinity() : kInSight * std::abs(zone.multiplier);
    std::vector<Index> in_sight;
    for (std::size_t j = 0; j < all_u_.size(); ++j)
      if (!(all_u_[j] <= zone.upper - near && all_u_[j] >= zone.lower + near))
        in_sight.push_back(static_cast<Index>(j));
    std::vector<double> u;
    for (const Index j : in_sight) u.push_back(all_u_[static_cast<std::size_t>(j)]);
    see(std::move(in_sight), std::move(u));
  }

  // u where it may matter. The zone of a few columns is never wider than that of all.  [M50]
  void look(const std::vector<Index>& few) {
    ColumnBounds known = bounds();
    see(few, products_with(few));
    const double border = st_.zone.multiplier;
    if (kept_) return;
    if (!(border > 0)) return look_at_all();
    std::vector<Index> in_sight = known.may_exceed(kBoundInSight * border, st_.y, threads_);
    double entries = 0;
    std::visit(
        [&](const auto& columns) {
          for (const Index j : in_sight) entries += static_cast<double>(columns[j].size);
        },
        p_.A->by_column());
    since_all_ += entries;
    if (since_all_ > static_cast<double>(p_.A->nonzeros())) return look_at_all();
    std::vector<double> u = products_with(in_sight);
    see(std::move(in_sight), std::move(u));
  }

  [[nodiscard]] std::vector<double> products_with(const std::vector<Index>& columns) {
    std::vector<double> u(columns.size());
    uncharged_ += multiply_transposed_on(*p_.A, columns, st_.y, u, threads_);
    for (double& u_j : u) u_j /= -static_cast<double>(p_.n());
    return u;
  }

  void see(std::vector<Index> in_sight, std::vector<double> u) {
    const Curvatures q = p_.regulariser->curvatures();
    st_.in_sight = std::move(in_sight);
    st_.u = std::move(u);
    st_.q.clear();
    for (const Index j : st_.in_sight) st_.q.push_back(q[j]);
    st_.zone = p_.set->dead_zone(st_.u, {0, st_.q});
  }

  [[nodiscard]] const std::vector<double>& norms() const {
    if (norms_.empty()) {
      norms_.resize(static_cast<std::size_t>(p_.d()));
      squared_norms(p_.A->by_column(), {}, norms_);
      for (double& norm : norms_) norm = std::sqrt(norm);
    }
    return norms_;
  }

  [[nodiscard]] ColumnBounds bounds() const { return {.norms = norms(), .u = all_u_, .z = z_}; }

  const Problem& p_;
  double tol_;
  int threads_;
  State st_;
  std::optional<KeptGram> kept_;
  FeatureRows rows_;
  Estimate now_{};
  double caution_ = 1;
  double most_passes_ = kFirstPasses;
  bool has_run_ = false;
  // [M50]  The last look at all columns, at z, and their norms.
  std::vector<double> z_, all_u_;
  mutable std::vector<double> norms_;
  double uncharged_ = 0, since_all_ = 0;
};

}  // namespace

const Solver kWorkingSetSolver{
    .about = {.name = "working_set",
              .summary = "the features that matter, and Newton's method on their face of the set",
              .reference = "pdbfw",
              .takes_intercept = true,
              .takes_free_features = true},
    .make_engine = &Solver::make<WorkingSetEngine>};

}  // namespace pdbfw
