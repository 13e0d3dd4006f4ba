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
#include <numeric>
#include <optional>
#include <utility>

#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "linalg/products.hpp"
#include "linalg/select.hpp"
#include "solvers/columns_in_sight.hpp"
#include "solvers/dual_share.hpp"
#include "solvers/newton_model.hpp"
#include "solvers/restricted_problem.hpp"
#include "solvers/solvers.hpp"

namespace pdbfw {
namespace {

// W has room for at least this number of features beyond the support, and for as many as the support has.
constexpr std::size_t kFewestNew = 100;
// So few features of a quadratic loss are all in W: their Gram matrix costs less than another look at them.
constexpr Index kAtOnce = 32;
// Inside W the gap is driven to this share of the gap at large; more would be wasted on the wrong W.
constexpr double kInnerShare = 0.1;
// The next point of a path is not looked for further away than this many times its last step.
constexpr double kFarthest = 2;
// The margins are made anew after this number of moves: what rounding adds to them in a few is of no account, and the
// certificate never sees it.
constexpr int kMostMoves = 20;

// What changes of the set along a path, and the point that it led to.
struct Answer {
  double size;
  std::vector<Index> support;
  std::vector<double> x, t;
};

double size_of(const Set& set) { return price(set) > 0 ? price(set) : set.radius(); }

class WorkingSetEngine final : public Engine {
 public:
  WorkingSetEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        each_(p.loss->of_samples()),
        Z_(p.loss->free_columns()),
        tol_(settings.tol),
        threads_(settings.threads),
        sight_(p, settings.threads),
        on_W_(p, settings, st_, sight_),
        size_(size_of(*p.set)) {
    const std::vector<double> x = start.x.empty() ? start_point(p) : start.x;
    for (std::size_t j = 0; j < x.size(); ++j) {
      if (x[j] == 0) continue;
      st_.support.push_back(static_cast<Index>(j));
      st_.x.push_back(x[j]);
    }
    for (std::vector<double>* rows : {&st_.m, &st_.slope, &st_.bend, &st_.y}) rows->resize(p.loss->size());
    begin();
    sight_.look_at_all(st_.y);
  }

  [[nodiscard]] std::string name() const override { return "working_set"; }
  void radius_has_changed() override {
    Answer now{size_, st_.support, st_.x, st_.t};
    size_ = size_of(*p_.set);
    p_.set->project(st_.x);
    if (st_.x != now.x) begin();
    if (last_) extrapolate(*last_, now, (size_ - now.size) / (now.size - last_->size));
    last_ = std::move(now);
    sight_.look(st_.y, sight_.features());
  }
  [[nodiscard]] Estimate estimate() override {
    const double primal = primal_value();
    const DualShare dual = best_share(p_, st_.y, sight_.u(), sight_.curvatures(), sight_.zone(), primal);
    share_ = dual.share;
    now_ = {primal, dual.value, static_cast<Index>(st_.x.size())};
    return now_;
  }
  [[nodiscard]] Point point() override {
    Point out{std::vector<double>(static_cast<std::size_t>(p_.d())), st_.y, sight_.bounds(), st_.t};
    for (double& y_i : out.y) y_i *= share_;
    out.columns.border = sight_.zone().multiplier;
    for (std::size_t k = 0; k < st_.x.size(); ++k) out.x[static_cast<std::size_t>(st_.support[k])] = st_.x[k];
    return out;
  }

  void iterate(Run& run) override {
    charge_products(run);  // those that were made without a run
    double left_out = 0;
    on_W_.choose(working_set(left_out));  // [M13]
    on_W_.minimise(kInnerShare * std::max(now_.primal - now_.dual, tol_ * std::abs(now_.primal)), left_out, run);
    if (st_.moves > kMostMoves || tol_ <= kTolOfLastDigits)
      refresh_products();
    else
      see_slopes();
    sight_.look(st_.y, on_W_.features());
    charge_products(run);
  }

 private:
  void charge_products(Run& run) { run.charge(std::exchange(uncharged_, 0) + sight_.take_work()); }

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
    const WorkingPoint as_it_was = st_;
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
    st_.moves = 0;
    see_slopes();
  }

  void see_slopes() {
    st_.y = st_.slope;
    p_.loss->balance(st_.y);
  }

  // [M13]  W = the support of x and the features that most want to enter: |u_j| exceeds the multiplier by most.
  // `left_out` becomes what those that found no room would gain, each alone.
  [[nodiscard]] std::vector<Index> working_set(double& left_out) const {
    left_out = 0;
    if (p_.loss->is_quadratic() && p_.d() <= kAtOnce) {
      std::vector<Index> all(static_cast<std::size_t>(p_.d()));
      std::iota(all.begin(), all.end(), Index{0});
      return all;
    }
    const bool is_one_sided = Hold::of(*p_.set).is_one_sided;
    const std::vector<Index>& in_sight = sight_.features();
    const double border = on_W_.border();
    std::vector<Index> wanted;
    std::vector<double> urgency;
    for (std::size_t a = 0; a < in_sight.size(); ++a) {
      const double u = sight_.u()[a], beyond = (is_one_sided ? u : std::abs(u)) - border;
      if (!(beyond > 0) || std::binary_search(st_.support.begin(), st_.support.end(), in_sight[a])) continue;
      wanted.push_back(in_sight[a]);
      urgency.push_back(beyond);
    }
    const auto count = static_cast<Index>(wanted.size());
    const auto room = static_cast<Index>(std::max(kFewestNew, st_.support.size()));
    std::vector<bool> has_room(wanted.size(), false);
    for (const Index k :
         largest(count, std::min(count, room), [&](Index a) { return urgency[static_cast<std::size_t>(a)]; }))
      has_room[static_cast<std::size_t>(k)] = true;
    std::vector<Index> W = st_.support;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      if (has_room[k])
        W.push_back(wanted[k]);
      else
        left_out += 0.5 * urgency[k] * urgency[k] / sight_.most_bend(wanted[k]);
    }
    std::sort(W.begin(), W.end());
    return W;
  }

  const Problem& p_;
  const Loss& each_;  // f_i alone
  const FreeColumns Z_;
  double tol_;
  int threads_;
  WorkingPoint st_;
  double share_ = 1;  // of y that the last estimate was for
  ColumnsInSight sight_;
  RestrictedProblem on_W_;
  Estimate now_{};
  double uncharged_ = 0;
  double size_;                 // of the set
  std::optional<Answer> last_;  // of the path
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
