// Sweeps are unbeaten where the ridge is strong against the rows, and with the help of Newton's method where rows are
// very few; the working set everywhere else. Where sweeps begin, the line of log(gap) over the work done is extended,
// and the working set may try when the end is far. At the end of a turn the engine that was the faster one in its last
// turn goes on, but never for more than a few times what the other has had: the working set often makes its progress
// all at once. Decisions count work in passes, not seconds, so that they repeat exactly.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "core/dual_value.hpp"
#include "linalg/products.hpp"
#include "solvers/solvers.hpp"

namespace pdbfw {
namespace {

// An engine that will be done within this number of passes may finish: the other one would hardly be done by then.
constexpr double kNearlyThere = 30;
// Without a ridge the sweeps go in rounds, the working set does not.
constexpr double kNearlyThereInRounds = 10;
constexpr double kShortestTurn = 60;
// Where the working set began, sweeps are a way out of a run that is this number of passes long, and as far from done.
constexpr double kLongRun = 1'000;
// Multiply-adds of all factorisations of the working set, in units of the support cubed.
constexpr double kFactorisations = 0.1;
// The slower engine gets another turn when the faster one has had this many times its passes.
constexpr double kMostAhead = 3;

// A row's proximal step is n ridge / |a_i|^2 long: sweeps need some rounds only where that is not small.
constexpr double kStrong = 0.25;
constexpr double kFarAway = 2;

bool ridge_is_strong(const Problem& p) {
  std::vector<double> squares(static_cast<std::size_t>(p.n()));
  row_squared_norms(*p.A, squares);
  const double mean = std::accumulate(squares.begin(), squares.end(), 0.0) / static_cast<double>(p.n());
  return static_cast<double>(p.n()) * p.regulariser->strong_convexity() >= kStrong * mean;
}

// The slopes at zero promise more than all of the loss: without a ridge many features share what there is to explain.
bool ball_is_large(const Problem& p) {
  std::vector<double> y(p.loss->size()), u(static_cast<std::size_t>(p.d()));
  const std::vector<double> nothing(p.loss->size(), 0.0);
  p.loss->derivatives(nothing, y);
  multiply_transposed(*p.A, y, u);
  double steepest = 0;
  for (const double u_j : u) steepest = std::max(steepest, std::abs(u_j));
  return p.set->radius() * steepest > kFarAway * p.loss->total_value(nothing);
}

// Sweeps with the help of Newton's method on the rows: a matrix of all rows costs less than a pass over the data.
bool rows_are_few(const DataMatrix& A) {
  const auto n = static_cast<double>(A.rows());
  return n * n * n / 6 <= static_cast<double>(A.nonzeros());
}

// A Gram matrix of all features is small.
bool features_are_few(const DataMatrix& A) {
  constexpr Index kFewFeatures = 512;
  return A.columns() <= kFewFeatures;
}

// One turn of one engine.
struct Turn {
  double passes = 0;  // at its start
  double gap = std::numeric_limits<double>::infinity();
  double lowest_gap = std::numeric_limits<double>::infinity();  // since; it jumps up where a proximal round begins
  // After its first iteration, in which a new engine gets ready: that costs passes, and may or may not close the gap.
  double passes_once_ready = 0;
  double gap_once_ready = std::numeric_limits<double>::infinity();

  [[nodiscard]] double spent(const Run& run) const { return run.effort() - passes; }
  // Fall of log(gap) per pass, with or without the first iteration, whichever says more for the engine.
  [[nodiscard]] double rate(const Run& run) const {
    const auto fall = [&](double from, double since) {
      return std::log(from / lowest_gap) / std::max(run.effort() - since, 1e-300);
    };
    const double once_ready = std::isfinite(gap_once_ready) ? fall(gap_once_ready, passes_once_ready) : 0;
    return std::max(fall(gap, passes), once_ready);
  }
};

class AutoEngine final : public Engine {
 public:
  enum Kind : std::size_t { kSweeps, kWorkingSet };
  AutoEngine(const Problem& p, const Settings& settings, const Start& start, Kind first)
      : p_(p), settings_(settings), now_(first), first_(first) {
    engine_[now_] = make(now_, start);
  }

  [[nodiscard]] std::string name() const override {
    if (engine_[kSweeps] && engine_[kWorkingSet])
      return engine_[first_]->name() + ", " + engine_[other(first_)]->name();
    return engine_[now_]->name();
  }
  [[nodiscard]] Estimate estimate() override { return engine_[now_]->estimate(); }
  [[nodiscard]] Point point() override { return engine_[now_]->point(); }

  // The one that got there goes on; the other one's point is old.
  void radius_has_changed() override {
    engine_[other(now_)].reset();
    engine_[now_]->radius_has_changed();
    first_ = now_;
    turn_ = {};
    account_ = {};
    length_ = kShortestTurn;
  }

  void iterate(Run& run) override {
    if (turn_is_over(run)) change_engine(run);
    engine_[now_]->iterate(run);
  }

 private:
  static Kind other(Kind kind) { return kind == kSweeps ? kWorkingSet : kSweeps; }

  [[nodiscard]] std::unique_ptr<Engine> make(Kind kind, const Start& start) const {
    if (kind == kSweeps && p_.loss->has_free_columns()) return kShardedSolver.make_engine(p_, settings_, start);
    if (kind == kSweeps) return kSequentialSolver.make_engine(p_, settings_, start);
    return kWorkingSetSolver.make_engine(p_, settings_, start);
  }

  bool turn_is_over(const Run& run) {
    if (!std::isfinite(turn_.gap)) {
      turn_ = {run.effort(), run.relative_gap()};
    } else if (!std::isfinite(turn_.gap_once_ready)) {
      turn_.passes_once_ready = run.effort();
      turn_.gap_once_ready = run.relative_gap();
    }
    turn_.lowest_gap = std::min(turn_.lowest_gap, run.relative_gap());
    const double spent = turn_.spent(run);
    if (engine_[other(now_)]) return spent >= length_;
    if (spent < (now_ == kSweeps ? engine_[now_]->first_look() : kLongRun)) return false;
    const double to_go = std::log(turn_.lowest_gap / settings_.tol) / turn_.rate(run);
    const double the_others = now_ == kSweeps ? working_set_passes(run) : kLongRun;
    return !(to_go <= the_others) && run.relative_gap() > settings_.tol;
  }

  // A guess at what the working set needs: its rounds, and in each a factorisation of the size of the support.
  [[nodiscard]] double working_set_passes(const Run& run) const {
    const double least = p_.regulariser->strong_convexity() > 0 ? kNearlyThere : kNearlyThereInRounds;
    return least + factorisation_passes(run.nonzeros());
  }

  [[nodiscard]] double factorisation_passes(Index support) const {
    const auto s = static_cast<double>(support);
    return kFactorisations * s * s * s / static_cast<double>(std::max<Index>(1, p_.A->nonzeros()));
  }

  void change_engine(const Run& run) {
    account_[now_].rate = turn_.rate(run);
    account_[now_].passes += turn_.spent(run);
    turn_ = {};
    if (!engine_[other(now_)]) {
      Point point = engine_[now_]->point();
      now_ = other(now_);
      engine_[now_] = make(now_, {std::move(point.x), std::move(point.y)});
      static_cast<void>(engine_[now_]->estimate());  // how far it is: an engine does no more than that asks for
      return;
    }
    const Kind leader = account_[kSweeps].rate > account_[kWorkingSet].rate ? kSweeps : kWorkingSet;
    const double ahead = account_[leader].passes, behind = account_[other(leader)].passes;
    const bool other_is_heard = ahead > kMostAhead * behind;
    now_ = other_is_heard ? other(leader) : leader;
    length_ = std::max(kShortestTurn, other_is_heard ? ahead / kMostAhead : behind);
  }

  // What an engine has had so far, and how fast it was in its last turn.
  struct Account {
    double passes = 0;
    double rate = 0;
  };

  const Problem& p_;
  const Settings settings_;
  Kind now_, first_;
  std::array<std::unique_ptr<Engine>, 2> engine_;
  std::array<Account, 2> account_;
  Turn turn_;
  double length_ = kShortestTurn;
};

std::unique_ptr<Engine> make_engine(const Problem& p, const Settings& settings, const Start& start) {
  if (p.team || p.A->is_streamed()) return kShardedSolver.make_engine(p, settings, start);
  if (!p.set->has_dead_zone()) return kPdfwSolver.make_engine(p, settings, start);
  // Sweeps know an intercept and no other free column, and a penalty where nothing but its zone is new: with a ridge,
  // and without an intercept.
  const bool has_ridge = p.regulariser->strong_convexity() > 0, has_intercept = p.loss->has_free_columns();
  const bool sweeps_know = p.free_features.empty() && (price(*p.set) == 0 || (has_ridge && !has_intercept));
  const bool sweeps_are_quick = rows_are_few(*p.A) && !has_intercept ? has_ridge || ball_is_large(p)
                                                                     : !features_are_few(*p.A) && ridge_is_strong(p);
  if (!sweeps_know) return kWorkingSetSolver.make_engine(p, settings, start);
  const auto first = sweeps_are_quick ? AutoEngine::kSweeps : AutoEngine::kWorkingSet;
  return std::make_unique<AutoEngine>(p, settings, start, first);
}

}  // namespace

const Solver kAutoSolver{
    .about =
        {.name = "auto",
         .summary =
             "sequential and working_set, whichever gets there sooner; with an intercept, sharded and working_set; "
             "working_set with free features, pdfw for polytopes, sharded for several processes and for data larger "
             "than memory",
         .reference = "pdbfw",
         .takes_polytopes = true,
         .takes_intercept = true,
         .takes_free_features = true,
         .takes_streamed = true,
         .takes_team = true},
    .make_engine = make_engine};

}  // namespace pdbfw
