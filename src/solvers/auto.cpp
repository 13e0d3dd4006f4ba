// Sequential sweeps are unbeaten where the ridge is strong against the rows; the working set where it is weak or
// absent. Nobody need know which case is at hand: begin with sweeps, extend the line of log(gap) over the work done,
// and let the other engine try when the end is far. At the end of a turn the engine that was the faster one in its last
// turn goes on, but never for more than a few times what the other has had: the working set often makes its progress
// all at once. Decisions count work in passes, not seconds, so that they repeat exactly.
#include "solvers/auto.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/engine.hpp"
#include "solvers/kept_gram.hpp"
#include "solvers/sequential.hpp"
#include "solvers/working_set.hpp"

namespace pdbfw {
namespace {

// Sweeps that will be done within so many passes are let finish: the working set would hardly be done by then.
constexpr double kNearlyThere = 60;
constexpr double kShortestTurn = 60;
// The slower engine is heard again when the faster one has had so many times its passes.
constexpr double kMostAhead = 3;

// One turn of one engine.
struct Turn {
  double passes = 0;  // at its start
  double gap = std::numeric_limits<double>::infinity();

  [[nodiscard]] double spent(const Monitor& monitor) const { return monitor.effort() - passes; }
  // Fall of log(gap) per pass.
  [[nodiscard]] double rate(const Monitor& monitor) const {
    return std::log(gap / monitor.relative_gap()) / std::max(spent(monitor), 1e-300);
  }
};

class AutoEngine final : public Engine {
 public:
  AutoEngine(const Problem& p, const Settings& settings) : p_(p), settings_(settings) {
    if (KeptGram::pays(*p.A) || (p.regulariser->strong_convexity() == 0 && p.n() > 2000))
      working_set_ = make_working_set_engine(p, settings, start_point(p));
    else
      sweeps_ = make_sequential_engine(p, settings);
    now_ = sweeps_ ? sweeps_.get() : working_set_.get();
  }

  [[nodiscard]] std::string name() const override {
    if (sweeps_ && working_set_) return sweeps_->name() + ", " + working_set_->name();
    return now_->name();
  }
  [[nodiscard]] Estimate estimate() override { return now_->estimate(); }
  [[nodiscard]] Point point() const override { return now_->point(); }

  void iterate(Monitor& monitor) override {
    if (sweeps_ && turn_is_over(monitor)) change_engine(monitor);
    now_->iterate(monitor);
  }

 private:
  bool turn_is_over(const Monitor& monitor) {
    if (!std::isfinite(turn_.gap)) turn_ = {monitor.effort(), monitor.relative_gap()};
    const double spent = turn_.spent(monitor);
    if (now_ != sweeps_.get() || working_set_) return spent >= length_;
    if (spent < sweeps_->first_look()) return false;
    const double to_go = std::log(monitor.relative_gap() / settings_.tol) / turn_.rate(monitor);
    return !(to_go >= 0 && to_go <= kNearlyThere) && monitor.relative_gap() > settings_.tol;
  }

  void change_engine(const Monitor& monitor) {
    Account& mine = now_ == sweeps_.get() ? of_sweeps_ : of_working_set_;
    mine.rate = turn_.rate(monitor);
    mine.passes += turn_.spent(monitor);
    turn_ = {};
    if (!working_set_) {
      working_set_ = make_working_set_engine(p_, settings_, now_->point().x);
      now_ = working_set_.get();
      return;
    }
    const bool sweeps_lead = of_sweeps_.rate > of_working_set_.rate;
    const Account& leader = sweeps_lead ? of_sweeps_ : of_working_set_;
    const Account& other = sweeps_lead ? of_working_set_ : of_sweeps_;
    const bool other_is_heard = leader.passes > kMostAhead * other.passes;
    now_ = sweeps_lead != other_is_heard ? sweeps_.get() : working_set_.get();
    length_ = std::max(kShortestTurn, other_is_heard ? leader.passes / kMostAhead : other.passes);
  }

  // What an engine has had so far, and how fast it was in its last turn.
  struct Account {
    double passes = 0;
    double rate = 0;
  };

  const Problem& p_;
  const Settings settings_;
  std::unique_ptr<Engine> sweeps_, working_set_;
  Engine* now_;
  Turn turn_;
  double length_ = kShortestTurn;
  Account of_sweeps_, of_working_set_;
};

}  // namespace

void Auto::check(const Problem&, const Settings&) const {}

Result Auto::solve(const Problem& p, const Settings& settings, const Callback& callback) const {
  AutoEngine engine(p, settings);
  return run(p, settings, callback, engine);
}

}  // namespace pdbfw
