// Working set and Newton's model.
//
// Few features matter. Grow a working set W of those that most want to enter; inside W minimise Newton's model of P
// over C, or with the penalty that is in its place, and go there as far as P falls. The weights t of free columns Z (an
// intercept is a column of ones) are variables like all others, which nothing holds back: they leave the model in
// closed form and move with every step. The dual point y_i = f_i'(m_i) certifies, for ridge 0 too.        [M13], [M39]
//
//   here         maths                              |  invariants
//   x, t         primal point, by its non-zeros     |    (I1) m = A x + Z t
//   m            margins of the rows                |    (I2) P never rises
//   slope, bend  f'(m), f''(m)                      |  cost per iteration: a pass for u at most; per step on W
//   y            slope, taken to where Z'y = 0      |    either two passes over A_W, the rows of its Gram matrix
//   u            -A'y / n                           |    that have changed and a factor of the face's size,
//                                                   |    or cycles over the columns of A_W
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "linalg/decompositions.hpp"
#include "linalg/kernels.hpp"
#include "linalg/products.hpp"
#include "linalg/select.hpp"
#include "solvers/column_descent.hpp"
#include "solvers/newton_model.hpp"
#include "solvers/solvers.hpp"
#include "solvers/working_gram.hpp"

namespace pdbfw {
namespace {

// W has room for at least this number of features beyond the support, and for as many as the support has.
constexpr std::size_t kFewestNew = 100;
// Inside W the gap is driven to this share of the gap at large; more would be wasted on the wrong W.
constexpr double kInnerShare = 0.1;
constexpr int kMostInnerSteps = 30;
// Who asks for a smaller gap than rounding allows wants x to its last digits, which is more than the gap can tell.
constexpr double kLastDigits = 1e-15;
constexpr double kFirstLook = 100;
constexpr int kMostHalvings = 30;
constexpr double kSufficientDecrease = 1e-4;
// The last steps lower P by less than its rounding, and the gap, which is of first order, by much more.
constexpr double kValueRounding = 4 * std::numeric_limits<double>::epsilon();
// [M14]  The least curvature of the model, as a share of the most that the loss can have: 1 at first, so that the model
// bounds P from above. It falls by this factor after every whole step, down to a last share, below which it is 0; and
// rises by it, from the last share, where a step was shorter than half.
constexpr double kCaution = 10;
constexpr double kLeastCaution = 1e-3;
constexpr double kShort = 0.5;
// In sight after a look at all columns: what is inside the zone by no more than this share of its border.
constexpr double kInSight = 0.9;
// And later: columns whose bound [M50] is above this share of the border.
constexpr double kBoundInSight = 0.7;
// A Gram matrix of more features is not worth its memory.
constexpr std::size_t kLargestGram = 4'000;
// Cycles by columns that are worth a try before a Gram matrix that costs more: see gram_pays().
constexpr double kCycles = 64;
// What free columns leave of a feature that is made of them is rounding.
constexpr double kExplained = 1e-12;
// A dual value that is more than this share of the primal one is near the optimum.
constexpr double kNear = 0.5;
// How well a model is solved by columns, at first, and after every whole step.
constexpr double kFirstAccuracy = 0.1, kBetter = 0.3, kBestAccuracy = 1e-6;

// The next point of a path is not looked for further away than this many times its last step.
constexpr double kFarthest = 2;

// What a multiply-add of a factorisation costs beside one with an entry of A, which has to be fetched.
constexpr double kDense = 0.25;
// Values and derivatives of the loss, in multiply-adds per row.
constexpr double kScalarWork = 20;

struct State {
  // x by its non-zeros: features, ascending, and values.
  std::vector<Index> support;
  std::vector<double> x, t;
  std::vector<double> m, slope, bend, y;
  double loss = 0;                                               // (1/n) sum_i f_i(m_i)
  double share = 1;                                              // of y that the last estimate was for
  double multiplier = std::numeric_limits<double>::quiet_NaN();  // of the last model
  // The columns that may matter at y, ascending, and u there. All others are proven to lie well inside the dead zone.
  std::vector<Index> in_sight;
  std::vector<double> u, q;
  DeadZone zone;
};

// The problem seen from W: everything indexed by the position in W.
struct Restricted {
  std::vector<double> x, q, gradient;  // of P
  std::vector<double> free_gradient;
};

// Where a step leads.
struct Goal {
  std::vector<double> x;     // on W
  std::vector<double> free;  // by how much t moves
  bool is_bounded;           // the model has a minimum
};

// A share of y and its D, on the features that u and q speak of.
struct DualPoint {
  double share, value;
};

// All of y; for a penalty, as much as has the features without a ridge in its zone, or, far from the optimum, where
// those with a ridge may cost far more than the loss is worth, all features.                                  [M39]
DualPoint best_share(const Problem& p, std::span<const double> y, std::span<const double> u, const Curvatures& q,
                     const DeadZone& zone, double primal) {
  const auto at = [&](double share) -> DualPoint {
    std::vector<double> some_y(y.begin(), y.end()), some_u(u.begin(), u.end());
    for (double& y_i : some_y) y_i *= share;
    for (std::size_t j = 0; j < u.size(); ++j) {
      some_u[j] *= share;
      if (q[static_cast<Index>(j)] == 0) some_u[j] -= zone.outside(some_u[j]);  // rounding
    }
    return {share, set_part(some_u, q, zone, p.set->radius()) -
                       p.loss->of_samples().total_conjugate(some_y) / static_cast<double>(p.n())};
  };
  if (price(*p.set) == 0) return at(1);
  const double most = share_inside(u, q, zone), least = share_inside(u, {}, zone);
  const DualPoint first = at(most);
  if (least == most || first.value > kNear * primal) return first;
  const DualPoint second = at(least);
  return first.value >= second.value ? first : second;
}

// What changes of the set along a path, and the point that it led to.
struct Answer {
  double size;
  std::vector<Index> support;
  std::vector<double> x, t;
};

double size_of(const Set& set) { return price(set) > 0 ? price(set) : set.radius(); }

// (1 - t) from + t to
std::vector<double> blend(std::span<const double> from, std::span<const double> to, double t) {
  std::vector<double> out(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) out[i] = (1 - t) * from[i] + t * to[i];
  return out;
}

class WorkingSetEngine final : public Engine {
 public:
  WorkingSetEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        each_(p.loss->of_samples()),
        Z_(p.loss->free_columns()),
        tol_(settings.tol),
        threads_(settings.threads),
        gram_(p),
        caution_(p.loss->is_quadratic() ? 0 : 1),
        size_(size_of(*p.set)) {
    const std::vector<double> x = start.x.empty() ? start_point(p) : start.x;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] == 0) continue;
      st_.support.push_back(static_cast<Index>(j));
      st_.x.push_back(x[j]);
    }
    for (std::vector<double>* rows : {&st_.m, &st_.slope, &st_.bend, &st_.y}) rows->resize(p.loss->size());
    begin();
    look_at_all();
  }

  [[nodiscard]] std::string name() const override { return "working_set"; }
  void radius_has_changed() override {
    Answer now{size_, st_.support, st_.x, st_.t};
    size_ = size_of(*p_.set);
    p_.set->project(st_.x);
    if (st_.x != now.x) begin();
    if (last_) extrapolate(*last_, now, (size_ - now.size) / (now.size - last_->size));
    last_ = std::move(now);
    look(st_.in_sight);
  }
  [[nodiscard]] double first_look() const override { return kFirstLook; }
  [[nodiscard]] Estimate estimate() override {
    const double primal = primal_value();
    const DualPoint dual = best_share(p_, st_.y, st_.u, {0, st_.q}, st_.zone, primal);
    st_.share = dual.share;
    now_ = {primal, dual.value, static_cast<Index>(st_.x.size())};
    return now_;
  }
  [[nodiscard]] Point point() override {
    Point out{std::vector<double>(static_cast<std::size_t>(p_.d())), st_.y, bounds(), st_.t};
    for (double& y_i : out.y) y_i *= st_.share;
    out.columns.border = st_.zone.multiplier;
    for (std::size_t k = 0; k < st_.x.size(); ++k) out.x[static_cast<std::size_t>(st_.support[k])] = st_.x[k];
    return out;
  }

  void iterate(Run& run) override {
    run.charge(std::exchange(uncharged_, 0));  // what was done without a run
    gram_.choose(working_set());               // [M13]
    solve_restricted(kInnerShare * std::max(now_.primal - now_.dual, tol_ * std::abs(now_.primal)), run);
    refresh_products();
    look(gram_.features());
    run.charge(std::exchange(uncharged_, 0));
  }

 private:
  // x has changed: t is found anew.
  void begin() {
    uncharged_ += multiply_columns(*p_.A, st_.support, st_.x, st_.m, threads_);
    st_.t = p_.loss->free_weights(st_.m, st_.t);
    st_.m = shifted(st_.m, Z_, st_.t);
    see_rows();
  }

  // Along a path x and t move on much as they did before. Where P is lower if they move `ratio` times as far again, but
  // for features that would change their sign, they do.                                                        [M19]
  void extrapolate(const Answer& before, const Answer& now, double ratio) {
    if (!(std::abs(ratio) <= kFarthest)) return;
    const State as_it_was = st_;
    const double primal = primal_value();
    st_.support.clear();
    st_.x.clear();
    std::size_t k = 0;
    for (std::size_t a = 0; a < now.support.size(); ++a) {
      while (k < before.support.size() && before.support[k] < now.support[a]) ++k;
      const bool is_old = k < before.support.size() && before.support[k] == now.support[a];
      const double next = now.x[a] + ratio * (now.x[a] - (is_old ? before.x[k] : 0));
      if (!(next * now.x[a] > 0)) continue;
      st_.support.push_back(now.support[a]);
      st_.x.push_back(next);
    }
    p_.set->project(st_.x);
    for (std::size_t c = 0; c < st_.t.size(); ++c) st_.t[c] = now.t[c] + ratio * (now.t[c] - before.t[c]);
    refresh_products();
    if (!(primal_value() < primal)) st_ = as_it_was;
  }

  // P as it is believed to be.
  [[nodiscard]] double primal_value() const {
    const Curvatures q = p_.regulariser->curvatures();
    double g = 0;
    for (std::size_t k = 0; k < st_.x.size(); ++k) g += 0.5 * q[st_.support[k]] * st_.x[k] * st_.x[k];
    return st_.loss + g + price(*p_.set) * l1_norm(st_.x);
  }

  // m = A x + Z t, without what the steps have left of rounding.
  void refresh_products() {
    uncharged_ += multiply_columns(*p_.A, st_.support, st_.x, st_.m, threads_);
    st_.m = shifted(st_.m, Z_, st_.t);
    see_rows();
  }

  void see_rows() {
    st_.loss = each_.local_model(st_.m, st_.slope, st_.bend) / static_cast<double>(p_.n());
    st_.y = st_.slope;
    p_.loss->balance(st_.y);
  }

  // [M13]  W = the support of x and the features that most want to enter: |u_j| exceeds the multiplier by most.
  [[nodiscard]] std::vector<Index> working_set() const {
    const Hold hold = Hold::of(*p_.set);
    // Before the first step the multiplier is not known, and a simplex has no entry to spare.
    const double unknown = hold.meets_the_radius ? -std::numeric_limits<double>::infinity() : 0;
    const double border = hold.price > 0 ? hold.price : std::isnan(st_.multiplier) ? unknown : st_.multiplier;
    std::vector<Index> wanted;
    std::vector<double> urgency;
    for (std::size_t a = 0; a < st_.in_sight.size(); ++a) {
      const double beyond = (hold.is_one_sided ? st_.u[a] : std::abs(st_.u[a])) - border;
      if (!(beyond > 0) || std::binary_search(st_.support.begin(), st_.support.end(), st_.in_sight[a])) continue;
      wanted.push_back(st_.in_sight[a]);
      urgency.push_back(beyond);
    }
    std::vector<Index> W = st_.support;
    const auto count = static_cast<Index>(wanted.size());
    const auto room = static_cast<Index>(std::max(kFewestNew, st_.support.size()));
    for (const Index k :
         largest(count, std::min(count, room), [&](Index a) { return urgency[static_cast<std::size_t>(a)]; }))
      W.push_back(wanted[static_cast<std::size_t>(k)]);
    std::sort(W.begin(), W.end());
    return W;
  }

  // Solves the problem on W until its own gap is below `target`.
  void solve_restricted(double target, Run& run) {
    Restricted on = restricted();
    const bool goes_on = tol_ <= kLastDigits;  // while P falls
    const bool may_leave_early = gram_.features().size() > st_.support.size() && !goes_on;
    const double at_first = value(st_.loss, on, on.x);
    int whole_steps = 0;
    for (int step = 0; step < kMostInnerSteps && run.may_go_on(); ++step) {
      if (step > 0 || !take_gradient_in_sight(on)) refresh_gradient(on, run);
      if (step > 0 && !goes_on && restricted_gap(on) <= target) break;
      const Step made = make_step(on, whole_steps, run);
      if (made.is_last) break;
      whole_steps = made.length == 1 ? whole_steps + 1 : 0;
      const double gained = at_first - value(st_.loss, on, on.x);
      if (may_leave_early && step > 0 && made.gain > 0 && made.gain <= kInnerShare * gained)
        break;  // further features may do more
    }
    take_support(on);
  }

  struct Step {
    double length, gain;
    bool is_last;  // there is no more to gain on W
  };

  // To the minimiser of the model, as far as P falls.
  Step make_step(Restricted& on, int whole_steps, Run& run) {
    const double least = caution_ * each_.smoothness();
    Goal goal = gram_pays() ? minimise_by_gram(on, least, run) : minimise_by_columns(on, least, whole_steps, run);
    const double before = value(st_.loss, on, on.x), length = move(goal, on, run);
    const double gain = before - value(st_.loss, on, on.x);
    const bool has_fallen = gain > 0, was_cautious = caution_ >= 1;
    const bool is_exact = each_.is_quadratic() && length == 1 && gram_pays();  // the model was P itself
    if (length < kShort || !goal.is_bounded || !has_fallen)
      caution_ = std::clamp(kCaution * caution_, kLeastCaution, 1.0);
    else if (length == 1)
      caution_ = caution_ > kLeastCaution ? caution_ / kCaution : 0;
    return {length, gain, is_exact || (!has_fallen && was_cautious)};
  }

  void take_support(const Restricted& on) {
    const std::vector<Index>& W = gram_.features();
    st_.support.clear();
    st_.x.clear();
    for (std::size_t a = 0; a < W.size(); ++a) {
      if (on.x[a] == 0) continue;
      st_.support.push_back(W[a]);
      st_.x.push_back(on.x[a]);
    }
  }

  [[nodiscard]] Restricted restricted() const {
    Restricted on;
    const Curvatures q = p_.regulariser->curvatures();
    std::size_t k = 0;
    for (const Index j : gram_.features()) {
      const bool is_in_support = k < st_.support.size() && st_.support[k] == j;
      on.x.push_back(is_in_support ? st_.x[k++] : 0);
      on.q.push_back(q[j]);
    }
    on.gradient.resize(on.x.size());
    on.free_gradient.resize(static_cast<std::size_t>(Z_.count));
    return on;
  }

  // Where no free weight has to be balanced y is the slope itself, and what is in sight is the gradient.
  [[nodiscard]] bool take_gradient_in_sight(Restricted& on) const {
    if (Z_.count > 0) return false;
    const std::vector<Index>& W = gram_.features();
    std::size_t k = 0;
    for (std::size_t a = 0; a < W.size(); ++a) {
      while (k < st_.in_sight.size() && st_.in_sight[k] < W[a]) ++k;
      if (k == st_.in_sight.size() || st_.in_sight[k] != W[a]) return false;
      on.gradient[a] = on.q[a] * on.x[a] - st_.u[k];
    }
    return true;
  }

  // A_W'f'(m) / n + q x  and  Z'f'(m) / n
  void refresh_gradient(Restricted& on, Run& run) const {
    const auto n = static_cast<double>(p_.n());
    run.charge(multiply_transposed_on(*p_.A, gram_.features(), st_.slope, on.gradient, threads_));
    for (std::size_t a = 0; a < on.x.size(); ++a) on.gradient[a] = on.gradient[a] / n + on.q[a] * on.x[a];
    for (Index c = 0; c < Z_.count; ++c)
      on.free_gradient[static_cast<std::size_t>(c)] = dense_dot(Z_[c].data(), st_.slope.data(), p_.n()) / n;
  }

  // The duality gap of the problem without the other features.
  [[nodiscard]] double restricted_gap(const Restricted& on) const {
    std::vector<double> y = st_.slope, u(on.x.size());
    p_.loss->balance(y);
    for (std::size_t a = 0; a < u.size(); ++a) u[a] = on.q[a] * on.x[a] - on.gradient[a];
    const Curvatures q{0, on.q};
    const double primal = value(st_.loss, on, on.x);
    return primal - best_share(p_, y, u, q, p_.set->dead_zone(u, q), primal).value;
  }

  [[nodiscard]] double value(double loss, const Restricted& on, std::span<const double> x) const {
    double g = 0;
    for (std::size_t a = 0; a < x.size(); ++a) g += 0.5 * on.q[a] * x[a] * x[a];
    return loss + g + price(*p_.set) * l1_norm(x);
  }

  // What cycles over a Gram matrix and some factors cost, in multiply-adds with entries of A; the matrix of a loss
  // whose curvature changes is made more than once.
  [[nodiscard]] double gram_cost() const {
    const auto size = static_cast<double>(gram_.features().size());
    if (gram_.features().size() > kLargestGram) return std::numeric_limits<double>::infinity();
    constexpr double kCycle = 16, kFactor = 1.0 / 20, kMatrices = 4;
    const double once = gram_.cost() + kCycle * size * size + kFactor * size * size * size;
    return each_.is_quadratic() ? once : kMatrices * once;
  }

  // Cycles over columns are tried first where they may be quicker; not for longer than the matrix would have taken.
  [[nodiscard]] bool gram_pays() const { return gram_cost() <= kCycles * gram_.entries() + spent_on_columns_; }

  // [M15]  R = H + diag(q) - C M^-1 C',   the slope of x less what moving t takes away.
  Goal minimise_by_gram(const Restricted& on, double least, Run& run) {
    gram_.refresh(st_.bend, least);
    run.charge(gram_.take_work());
    const auto size = static_cast<Index>(on.x.size());
    Matrix R = gram_.H();
    const Eigen::Map<const Vector> q(on.q.data(), size), x(on.x.data(), size);
    R.diagonal() += q;
    Vector g = Eigen::Map<const Vector>(on.gradient.data(), size);
    Eigen::MatrixXd solved;  // M^-1 [C', the slope of t]
    if (Z_.count > 0) {
      Eigen::MatrixXd sides(Z_.count, size + 1);
      sides.leftCols(size) = gram_.C().transpose();
      sides.col(size) = Eigen::Map<const Vector>(on.free_gradient.data(), Z_.count);
      solved = solve_semidefinite(gram_.M(), sides);
      const Vector whole = R.diagonal();
      R.noalias() -= gram_.C() * solved.leftCols(size);
      g -= gram_.C() * solved.col(size);
      for (Index a = 0; a < size; ++a)
        if (!(R(a, a) > kExplained * whole[a])) R(a, a) = 0;
    }
    NewtonModel model(std::move(R), std::move(g), x, Hold::of(*p_.set), st_.multiplier);
    model.minimise(run);
    run.charge_other(kDense * model.work());
    st_.multiplier = model.multiplier();
    Goal goal{{model.x().data(), model.x().data() + size},
              std::vector<double>(static_cast<std::size_t>(Z_.count)),
              model.is_bounded()};
    if (Z_.count > 0) {
      const Vector free = -solved.col(size) - solved.leftCols(size) * (model.x() - x);
      std::copy(free.begin(), free.end(), goal.free.begin());
    }
    return goal;
  }

  // The model is solved the better the more steps in a row were whole: what leads too far is not worth much.
  Goal minimise_by_columns(const Restricted& on, double least, int whole_steps, Run& run) {
    std::vector<double> bend = st_.bend;
    for (double& b : bend) b = std::max(b, least);
    const double accuracy = kFirstAccuracy * std::pow(kBetter, whole_steps);
    ColumnStep found = descend_by_columns(p_,
                                          {.features = gram_.features(),
                                           .x = on.x,
                                           .slope = st_.slope,
                                           .bend = bend,
                                           .gradient = on.gradient,
                                           .free_gradient = on.free_gradient,
                                           .hold = Hold::of(*p_.set),
                                           .multiplier = st_.multiplier,
                                           .stiffness = stiffness_,
                                           .accuracy = std::max(kBestAccuracy, accuracy),
                                           .most_work = std::max(kCycles * gram_.entries(), gram_cost())},
                                          run);
    spent_on_columns_ += found.work;
    st_.multiplier = found.multiplier;
    stiffness_ = found.stiffness;
    return {std::move(found.x), std::move(found.free), found.is_bounded};
  }

  // What the multiplier missed, by one factor for all: a distance would hide entries of a small scale. Then rounding.
  void take_inside(std::vector<double>& x) const {
    const Hold hold = Hold::of(*p_.set);
    const double norm = l1_norm(x);
    if (hold.price == 0 && norm > 0 && (norm > hold.radius || hold.meets_the_radius))
      for (double& x_a : x) x_a *= hold.radius / norm;
    p_.set->project(x);
  }

  // To the goal, halfway, a quarter of the way ... until P falls enough. Returns how far; 0: not at all.
  double move(Goal& goal, Restricted& on, Run& run) {
    take_inside(goal.x);
    std::vector<double> way(st_.m.size(), 0.0);
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
    const double before = value(st_.loss, on, on.x), rounding = kValueRounding * std::abs(before);
    if (!(slope <= rounding)) return 0;  // a model that does not curve leads nowhere
    std::vector<double> m(way.size()), next_slope(way.size()), next_bend(way.size());
    double length = 1;
    for (int halving = 0; halving < kMostHalvings && run.may_go_on(); ++halving, length /= 2) {
      for (std::size_t i = 0; i < m.size(); ++i) m[i] = st_.m[i] + length * way[i];
      const double loss = each_.local_model(m, next_slope, next_bend) / static_cast<double>(p_.n());
      run.charge_other(kScalarWork * static_cast<double>(m.size()));
      std::vector<double> x = length == 1 ? goal.x : blend(on.x, goal.x, length);
      if (!(value(loss, on, x) <= before + kSufficientDecrease * length * slope + rounding)) continue;
      on.x = std::move(x);
      for (std::size_t c = 0; c < goal.free.size(); ++c) st_.t[c] += length * goal.free[c];
      st_.m.swap(m);
      st_.slope.swap(next_slope);
      st_.bend.swap(next_bend);
      st_.loss = loss;
      return length;
    }
    return 0;
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
    const double near = kInSight * std::abs(zone.multiplier);
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
  const Loss& each_;  // f_i alone
  const FreeColumns Z_;
  double tol_;
  int threads_;
  State st_;
  WorkingGram gram_;
  Estimate now_{};
  double caution_;
  double spent_on_columns_ = 0;  // multiply-adds
  double stiffness_ = 1;         // of the last model by columns
  // [M50]  The last look at all columns, at z, and their norms.
  std::vector<double> z_, all_u_;
  mutable std::vector<double> norms_;
  double uncharged_ = 0, since_all_ = 0;
  double size_;                 // of the set
  std::optional<Answer> last_;  // of the set before
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
