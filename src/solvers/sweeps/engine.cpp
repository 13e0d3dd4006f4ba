// Dual ascent: steps 3 to 5 of Algorithm 1, one row after the other against the live primal point.
//
//   D(y, lambda) = -sum_j outside(u_j)^2 / (2 q_j) - lambda radius - (1/n) sum_i f_i*(y_i),  u = -A'y / n       [M9]
//
// is jointly concave in the dual point y and the multiplier lambda of the radius, and x_j = outside(u_j) / q_j is at
// hand for every (y, lambda). With lambda fixed, one row's proximal step never decreases D; with y fixed, the exact
// refresh of lambda never decreases D. So D is monotone, whatever the data, and there is nothing to tune.
//
//   sweep.hpp              every row once, in shards: of one process, of a team's members, of a file    [M10, M49]
//   features_in_play.hpp   the features that can matter, which alone are swept                               [M16]
//   leaps.hpp              all rows at once: Newton's method on few rows, along a path over radii      [M17, M19]
//   proximal_rounds.hpp    where there is no ridge                                                           [M18]
//   state.hpp              what they all move
//
// An iteration is a sweep, 2 nnz(A_W) multiply-adds, and what follows from it.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "solvers/solvers.hpp"
#include "solvers/sweeps/features_in_play.hpp"
#include "solvers/sweeps/leaps.hpp"
#include "solvers/sweeps/proximal_rounds.hpp"
#include "solvers/sweeps/sweep.hpp"

namespace pdbfw {
namespace {

// The gap is some small multiple of the last rise of D; it is computed when that is this near to the tolerance.
constexpr double kWorthVerifying = 4;
// A claim on W leaves room for what the other features add.
constexpr double kClaimShare = 0.5;
// Sweeps after which u is computed anew, so that rounding cannot pile up.
constexpr Index kSweepsBeforeRefresh = 50;
// Passes before which progress means little: three sweeps, the first rounds; Newton's comes at the end.
constexpr double kFirstLookOfSweeps = 6;
constexpr double kFirstLookOfRounds = 10;
constexpr double kNewtonPatience = 500;

class SweepsEngine final : public Engine {
 public:
  SweepsEngine(std::string_view name, const Problem& p, const Settings& settings, const Start& start)
      : name_(name), s_(p, settings, start), sweep_(s_, settings), features_(s_), leaps_(s_), rounds_(s_, features_) {}

  [[nodiscard]] std::string name() const override { return name_; }

  void radius_has_changed() override {
    has_claimed_ = false;
    rounds_.radius_has_changed();
    features_.radius_has_changed();
    if (!has_begun_) return;
    s_.refresh_zone();
    s_.look();
    // Nothing is known yet of how far it is to go.
    const double loss = s_.mean_loss();
    shown_ = {std::max(loss + s_.g + s_.paid, s_.dual + std::abs(s_.dual)), s_.dual, s_.nonzeros};
    has_other_radius_ = true;
  }

  [[nodiscard]] double first_look() const override {
    if (leaps_.newton_pays()) return kNewtonPatience;
    return s_.proximity > 0 ? kFirstLookOfRounds : kFirstLookOfSweeps;
  }

  [[nodiscard]] Estimate estimate() override {
    if (has_begun_) return shown_;
    s_.look();
    return {s_.mean_loss(), -s_.mean_conjugate, 0};
  }

  [[nodiscard]] Point point() override {
    if (!has_begun_) return {start_point(s_.p), s_.y};
    if (rounds_.explained()) return *rounds_.explained();
    return {s_.full_x(), s_.y, features_.bounds()};
  }

  void iterate(Run& run) override {
    begin_iteration(run);
    const double before = s_.dual;
    sweep_.make(run);
    leaps_.newton_if_due(sweep_.count(), run);
    const double rise = std::max(0.0, s_.dual - before);
    if (sweep_.count() % kSweepsBeforeRefresh == 0) features_.look_at_all(s_.full_u(run), run);
    features_.adapt(rise, run);
    // P takes each a_i'x as it was when row i was last visited: the gap is not believed to be smaller than the rise.
    shown_ = {std::max(sweep_.stale_loss() + s_.g + s_.paid, s_.dual + rise), s_.dual, s_.nonzeros};
    s_.move_centre_of_intercept();
    if (s_.proximity > 0)
      end_round(run);
    else if (s_.has_few_rows || rise <= kWorthVerifying * s_.tol * std::abs(s_.dual))
      verify(run);
  }

 private:
  void begin_iteration(Run& run) {
    if (!std::exchange(has_begun_, true)) features_.begin(run);
    // The certificate did not agree: W or rounding is to blame. It has seen all features; with an intercept its y is
    // another.
    if (std::exchange(has_claimed_, false)) {
      const std::span<const double> u = run.certified_u();
      const bool is_own = !u.empty() && !s_.has_intercept();
      features_.look_at_all(is_own ? std::vector<double>(u.begin(), u.end()) : s_.full_u(run), run);
    }
    rounds_.forget_explained();
    if (std::exchange(has_other_radius_, false)) {
      features_.shrink_to_next_radius(run);
      leaps_.along_path(run);
    }
  }

  // D is exact on W, and P once all products are.
  void verify(Run& run) {
    s_.verify_products(run);
    const double primal = s_.mean_loss() + s_.g + s_.paid + s_.excess_of_intercept();
    const double gap = primal - s_.dual;
    has_claimed_ = gap <= kClaimShare * s_.tol * std::abs(primal);
    // What is nearly good enough is not shown: another sweep is cheaper than a certificate that fails.
    if (has_claimed_ || gap > s_.tol * std::abs(primal)) shown_.primal = primal;
  }

  void end_round(Run& run) {
    shown_ = rounds_.end_if_done(run);
    has_claimed_ = shown_.primal - shown_.dual <= s_.tol * std::abs(shown_.primal);
  }

  const std::string name_;
  SweepState s_;
  Sweep sweep_;
  FeaturesInPlay features_;
  Leaps leaps_;
  ProximalRounds rounds_;
  Estimate shown_{};
  bool has_begun_ = false, has_other_radius_ = false, has_claimed_ = false;
};

template <const Solver& solver>
std::unique_ptr<Engine> make_engine(const Problem& problem, const Settings& settings, const Start& start) {
  return std::make_unique<SweepsEngine>(solver.about.name, problem, settings, start);
}

}  // namespace

const Solver kSequentialSolver{.about = {.name = "sequential",
                                         .summary = "dual ascent row by row against the live primal point",
                                         .reference = "pdbfw"},
                               .make_engine = &make_engine<kSequentialSolver>};

const Solver kShardedSolver{
    .about = {.name = "sharded",
              .summary = "the sweeps of sequential over rows that several processes share, or that are streamed",
              .reference = "pdbfw",
              .takes_intercept = true,
              .takes_streamed = true,
              .takes_team = true},
    .make_engine = &make_engine<kShardedSolver>};

}  // namespace pdbfw
