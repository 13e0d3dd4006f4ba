// Three engines, each at home where the others are not: `splitting` solves exactly in A where A has few rows or few
// columns, so that no condition number matters; `factored` never touches more than a few vectors, whatever the map;
// `apg` needs nothing but products and is at its best where the ridge is strong. Begin with the one that suits the
// sizes, extend the line of log(gap) over the work done, and let the others try when the end is far; then the fastest
// goes on, and the others are heard again, with the best point so far, when it has had many times their work.
// Decisions count work in multiply-adds, not seconds, so that they repeat exactly.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "baselines/baselines.hpp"
#include "low_rank/solvers.hpp"

namespace pdbfw::low_rank {
namespace {

// An engine that will be done within this number of passes, or as much again as it has had, may finish.
constexpr double kNearlyThere = 60;
// A turn is long enough to show a trend: at least these numbers of iterations and passes. Of iterations that take many
// passes each, fewer will do.
constexpr Index kFewestIterations = 10;
constexpr double kShortestTurn = 30;
constexpr double kLongTurn = 40;  // times the shortest
// A slower engine gets another turn when the fastest has had this many times its work.
constexpr double kMostAhead = 4;

struct Candidate {
  const Solver* solver;
  std::unique_ptr<Engine> engine;  // from its first turn on
  double effort = 0;               // in all its turns
  double rate = 0;                 // fall of log(gap) per pass in its last turn
};

class AutoEngine final : public Engine {
 public:
  AutoEngine(const Problem& p, const Settings& settings, const Start& start, std::vector<Candidate> candidates)
      : p_(p), settings_(settings), candidates_(std::move(candidates)) {
    now().engine = now().solver->make_engine(p_, settings_, start);
  }

  [[nodiscard]] std::string name() const override {
    std::string all;
    for (const Candidate& candidate : candidates_)
      if (candidate.engine) all += (all.empty() ? "" : ", ") + candidate.engine->name();
    return all;
  }
  [[nodiscard]] Estimate estimate() override { return now().engine->estimate(); }
  [[nodiscard]] Point point() override { return now().engine->point(); }

  void iterate(Run& run) override {
    if (turn_is_over(run)) change_engine(run);
    ++iterations_;
    now().engine->iterate(run);
  }

 private:
  Candidate& now() { return candidates_[now_]; }

  [[nodiscard]] double gap() {
    const Estimate e = now().engine->estimate();
    return (e.primal - e.dual) / std::max(std::abs(e.primal), std::numeric_limits<double>::min());
  }

  bool turn_is_over(const Run& run) {
    if (candidates_.size() == 1) return false;
    if (iterations_ == 0 || !std::isfinite(first_gap_)) begins_at_ = run.effort(), first_gap_ = lowest_gap_ = gap();
    lowest_gap_ = std::min(lowest_gap_, gap());
    const double spent = run.effort() - begins_at_;
    now().rate = std::log(first_gap_ / lowest_gap_) / std::max(spent, 1e-300);
    if (spent < length_ || (iterations_ < kFewestIterations && spent < kLongTurn * length_)) return false;
    const double to_go = std::log(lowest_gap_ / settings_.tol) / now().rate;
    return !(to_go <= std::max(kNearlyThere, spent));
  }

  void change_engine(const Run& run) {
    now().effort += run.effort() - begins_at_;
    const std::size_t last = now_;
    now_ = next();
    length_ = std::max(kShortestTurn, candidates_[last].effort / kMostAhead);
    iterations_ = 0;
    if (now().engine) return;
    Point best = candidates_[last].engine->point();
    now().engine = now().solver->make_engine(p_, settings_, {std::move(best.X), std::move(best.Y)});
  }

  // One that has not been tried yet, else one that has fallen far behind in work, else the fastest.
  [[nodiscard]] std::size_t next() const {
    std::size_t fastest = 0, behind = 0;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      if (!candidates_[k].engine) return k;
      if (candidates_[k].rate > candidates_[fastest].rate) fastest = k;
      if (candidates_[k].effort < candidates_[behind].effort) behind = k;
    }
    return candidates_[fastest].effort > kMostAhead * candidates_[behind].effort ? behind : fastest;
  }

  const Problem& p_;
  const Settings settings_;
  std::vector<Candidate> candidates_;
  std::size_t now_ = 0;
  Index iterations_ = 0;  // of this turn
  double begins_at_ = 0, length_ = kShortestTurn;
  double first_gap_ = std::numeric_limits<double>::infinity(), lowest_gap_ = first_gap_;
};

// What a solver would refuse is no candidate.
bool can_take(const Solver& solver, const Problem& p, const Settings& settings) {
  if (p.team && !solver.about.takes_team) return false;
  try {
    solver.check(p, settings);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

std::unique_ptr<Engine> make_engine(const Problem& p, const Settings& settings, const Start& start) {
  std::vector<Candidate> candidates;
  for (const Solver* solver : {&kSplittingSolver, &kFactoredSolver, &kApgSolver})
    if (can_take(*solver, p, settings)) candidates.push_back({.solver = solver, .engine = nullptr});
  return std::make_unique<AutoEngine>(p, settings, start, std::move(candidates));
}

}  // namespace

const Solver kAutoSolver{.about = {.name = "auto",
                                   .summary = "splitting, factored and apg, whichever gets there sooner",
                                   .reference = "pdbfw",
                                   .takes_team = true},
                         .make_engine = make_engine};

}  // namespace pdbfw::low_rank
