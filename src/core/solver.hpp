// What every solver and every baseline of any family is: a row that makes an engine, and the one loop that runs it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/run.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

// The dual point 0 needs no data for its value, and is the best there is where the optimum is zero.
struct Nothing {
  double objective_at_zero = 0;
  double dual = -std::numeric_limits<double>::infinity();
  double multiplier = 0;
};

struct Judgement {
  Verdict verdict;
  double multiplier = 0;        // of the radius at y
  double multiply_adds = 0;     // with A
  double other = 0;             // besides
  std::span<const double> u{};  // -A'y / n, where all of it was needed; lives until the next judgement
};

template <class Judge>
class MonitorOf {
 public:
  using Problem = typename Judge::Problem;
  using Point = typename Judge::Point;
  using Result = typename Judge::Result;

  MonitorOf(const Problem& problem, const Settings& settings, const Callback& callback, Stopwatch watch = {})
      : problem_(problem),
        judge_(problem, settings),
        run_(settings, callback, Judge::pass(problem), watch, Judge::team(problem), Judge::kCharges) {
    const Nothing nothing = judge_.nothing();
    run_.set_objective_at_zero(nothing.objective_at_zero);
    run_.outcome().certificate.dual = nothing.dual;
    run_.outcome().multiplier = nothing.multiplier;
  }

  [[nodiscard]] Run& run() { return run_; }

  // To be asked before every iteration; false: stop.
  bool carry_on(const Estimate& estimate, const std::function<Point()>& make_point) {
    run_.note_certified_u({});
    const bool goes_on = run_.carry_on(estimate, [&] { certify(make_point()); });
    run_.save_if_due(estimate, [&](bool is_now, const TracePoint& at) {
      Judge::save(run_.checkpoints(), is_now ? make_point() : best(), run_.outcome().multiplier, at);
    });
    return goes_on;
  }

  // The best primal and the best dual point, their certificate, and why it ended.
  [[nodiscard]] Result finish() && {
    Point point = best();
    const bool is_searched = !judge_.is_pair() || run_.outcome().status == Status::converged;
    if (!is_searched) run_.outcome().certificate.violation = judge_.violation(point);
    Outcome outcome = std::move(run_).conclude(most());
    Result result{std::move(outcome), std::move(point.*Judge::kPrimal), std::move(point.*Judge::kDual)};
    if constexpr (requires { result.free_weights; }) result.free_weights = std::move(point.t);
    return result;
  }

 private:
  [[nodiscard]] double most() const { return largest_violation(problem_.set->radius()); }

  [[nodiscard]] Point best() {
    if (has_primal_ && has_dual_) return best_;
    Point point = judge_.start();
    if (has_primal_) take_primal(best_, point);
    if (has_dual_) point.*Judge::kDual = best_.*Judge::kDual;
    return point;
  }

  void certify(Point point) {
    run_.begin_certificate();
    run_.note_certified_u(judge(std::move(point)));
    if (!has_primal_) {
      judge(judge_.start());
      run_.note_certified_u({});
    }
    run_.end_certificate(rounding_, most());
  }

  // Keeps the better primal and the better dual point: any two make a certificate, but where the bound is as seen from
  // x, so that the two stay together. There, whether x lies in C is a search, made for a point that claims to be the
  // last one. A value at a point outside C bounds nothing.
  std::span<const double> judge(Point point) {
    const Settings& settings = run_.settings();
    const double known = std::min({1.0, run_.relative_gap(), run_.outcome().certificate.relative_gap});
    const Judgement judgement = judge_.certify(point, std::max(settings.tol, known));
    run_.charge(judgement.multiply_adds, 1);
    run_.charge_other(judgement.other);
    Certificate now = judgement.verdict.certificate;
    Certificate& best = run_.outcome().certificate;
    const bool is_pair = judge_.is_pair();
    if (is_pair && now.relative_gap <= run_.settings().tol) now.violation = judge_.violation(point);
    const bool is_answer = std::isfinite(now.primal) && now.violation <= most();
    const bool is_better = is_pair ? now.gap < best.gap : now.primal < best.primal;
    const bool takes_primal = is_answer && (is_better || !has_primal_);
    if (is_pair ? takes_primal : now.dual > best.dual) {
      best.dual = now.dual;
      rounding_ = judgement.verdict.rounding;
      run_.outcome().multiplier = judgement.multiplier;
      best_.*Judge::kDual = std::move(point.*Judge::kDual);
      has_dual_ = true;
    }
    if (takes_primal) {
      best.primal = now.primal;
      best.violation = now.violation;
      take_primal(std::move(point), best_);
      has_primal_ = true;
    }
    return judgement.u;
  }

  // With the weights of free columns that it was certified with, if it has any.
  static void take_primal(Point from, Point& to) {
    to.*Judge::kPrimal = std::move(from.*Judge::kPrimal);
    if constexpr (requires { to.t; }) to.t = std::move(from.t);
  }

  const Problem& problem_;
  Judge judge_;
  Run run_;
  Point best_;
  bool has_primal_ = false, has_dual_ = false;
  Rounding rounding_;  // of the best dual value
};

// An algorithm as something that iterates: what a solver runs, and what `auto` chooses between.
template <class Judge>
class EngineOf {
 public:
  using Problem = typename Judge::Problem;
  using Start = typename Judge::Start;

  EngineOf() = default;
  EngineOf(const EngineOf&) = delete;
  EngineOf& operator=(const EngineOf&) = delete;
  virtual ~EngineOf() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  // One iteration; what it costs is charged to the run, which may ask it to end early.
  virtual void iterate(Run& run) = 0;
  [[nodiscard]] virtual Estimate estimate() = 0;
  [[nodiscard]] virtual typename Judge::Point point() = 0;
};

// The watch was made before the engine, if that was made for this solve alone.
template <class Judge>
typename Judge::Result run(const typename Judge::Problem& problem, const Settings& settings, const Callback& callback,
                           EngineOf<Judge>& engine, Stopwatch watch = {}) {
  MonitorOf<Judge> monitor(problem, settings, callback, watch);
  try {
    while (monitor.carry_on(engine.estimate(), [&] { return engine.point(); })) engine.iterate(monitor.run());
  } catch (const TeamLost& loss) {
    monitor.run().lose_team(loss.what());
  }
  typename Judge::Result result = std::move(monitor).finish();
  result.solver = engine.name();
  return result;
}

template <class Judge, class Engine>
struct SolverOf {
  using Problem = typename Judge::Problem;
  using Start = typename Judge::Start;

  SolverDescription about;
  // `start` has been taken into C and the domain of the conjugate, or is empty.
  std::unique_ptr<Engine> (*make_engine)(const Problem& problem, const Settings& settings, const Start& start);
  template <class Made>
  static std::unique_ptr<Engine> make(const Problem& problem, const Settings& settings, const Start& start) {
    return std::make_unique<Made>(problem, settings, start);
  }
  // Throws InputError for what else this solver cannot take; null: it takes all else.
  void (*refuse)(const Problem& problem, const Settings& settings) = nullptr;

  [[nodiscard]] std::string_view name() const { return about.name; }

  // Throws InputError for a problem or settings that this solver cannot take; called before solve.
  void check(const Problem& problem, const Settings& settings) const {
    if (about.needs_ridge && !Judge::has_ridge(problem))
      throw InputError("ridge", "0", fmt::format("> 0 for the solver {}", name()));
    if (refuse) refuse(problem, settings);
  }
  [[nodiscard]] typename Judge::Result solve(const Problem& problem, const Settings& settings, const Callback& callback,
                                             const Start& start) const {
    const Stopwatch watch;
    return run<Judge>(problem, settings, callback, *make_engine(problem, settings, start), watch);
  }
};

// What most baselines read.
inline constexpr std::array<std::string_view, 2> kStepOptions{"steps", "step_scale"};

}  // namespace pdbfw
