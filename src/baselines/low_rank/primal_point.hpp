// What the gradient methods know about a point X, with all its entries.
#pragma once

#include <numbers>
#include <utility>

#include "core/low_rank_judge.hpp"
#include "core/spectral_set.hpp"
#include "pdbfw/low_rank_problem.hpp"
#include "pdbfw/set.hpp"
#include "steps/low_rank/dual_estimate.hpp"
#include "steps/low_rank/iterate.hpp"
#include "steps/low_rank/projection.hpp"

namespace pdbfw::low_rank {

// The gradient of P at x is ridge x - u; y = grad f(A(x)) is the dual point that belongs to x. The names are those of
// the other family, whose methods these are (baselines/primal_point.hpp); all are matrices.
struct PrimalPoint {
  Matrix x;         // d x c
  Factors factors;  // of x, where they are known
  bool has_factors = false;
  Index rank = 0;    // of the factors, or of those that x was last made from
  Matrix w;          // n x k: A(x)
  Matrix y;          // n x k: grad f(w)
  Matrix u;          // d x c: -A*(y) / n
  double value = 0;  // P(x)

  void set(Factors x_in_factors, int threads);
};

// At the start's X, or at zero where there is none; only x is set.
[[nodiscard]] PrimalPoint point_at(const Problem& problem, const Factors& start, int threads);

// The factors of x, computed where they are not known.
[[nodiscard]] Factors factors_of(const Problem& problem, const PrimalPoint& point);

// w = A(x) and P(x), by the factors where that is cheaper. Returns the multiply-adds.
double evaluate(const Problem& problem, int threads, PrimalPoint& point);
// y = grad f(w)
void take_derivatives(const Problem& problem, int threads, PrimalPoint& point);
// ... and u = -A*(y) / n. Returns the multiply-adds.
double differentiate(const Problem& problem, int threads, PrimalPoint& point);
// out = from + t (to - from), with its w and its value; `out` may be one of the others.
void go_along(const Problem& problem, int threads, const PrimalPoint& from, const PrimalPoint& to, double t,
              PrimalPoint& out);

// The length of the gradient.
[[nodiscard]] double gradient_size(const Problem& problem, const PrimalPoint& point);

// The constants that the step rules of the papers are made of.

// L of the whole objective:  beta |A|^2 / n + ridge
[[nodiscard]] inline double primal_smoothness(const Problem& p) {
  return p.loss->smoothness() * p.map->squared_norm() / static_cast<double>(p.samples()) + p.ridge;
}

// L of the roughest of the terms f_i(A(X)_i) + (ridge/2) |X|^2
[[nodiscard]] inline double sample_smoothness(const Problem& p) {
  return p.loss->smoothness() * p.map->largest_squared_sample_norm() + p.ridge;
}

// The largest distance of two points of C: V and -V of rank one, or two orthogonal ones where there is no -V.
[[nodiscard]] inline double diameter(const Problem& p) {
  return p.set->radius() * (p.set->spectrum() == Spectrum::eigenvalues ? std::numbers::sqrt2 : 2);
}

[[nodiscard]] inline Curvatures curvatures(const Problem& p) { return {p.ridge, {}}; }
[[nodiscard]] inline double strong_convexity(const Problem& p) { return p.ridge; }

// What the methods that answer such a point have in common, and the settings that all of them read.
class PrimalPointEngine : public Engine {
 public:
  [[nodiscard]] Estimate estimate() override { return {answer_.value, dual_.value(), answer_.rank}; }
  [[nodiscard]] Point point() override { return {factors_of(p_, answer_), dual_.Y()}; }

 protected:
  using PrimalPoint = low_rank::PrimalPoint;

  PrimalPointEngine(const Problem& problem, const Settings& settings, const Start& start);
  // The set keeps its radius: only what the method itself does at its start.
  virtual void begin() = 0;
  // The point whose y is looked at as a dual point.
  [[nodiscard]] virtual const PrimalPoint& proof() const { return answer_; }
  // Charges what was done before there was a run.
  void pay(Run& run) { run.charge(std::exchange(owed_, 0)); }
  // to = Proj_C( x - step * gradient )
  void gradient_step(const PrimalPoint& from, double step, PrimalPoint& to) {
    to.set(projection_(Matrix((1 - step * p_.ridge) * from.x + step * from.u)), threads_);
  }
  [[nodiscard]] double smoothness(Run& /*run*/) {
    if (smoothness_ == 0) smoothness_ = primal_smoothness(p_);
    return smoothness_;
  }
  [[nodiscard]] double row_smoothness(Run& /*run*/) {
    if (row_smoothness_ == 0) row_smoothness_ = sample_smoothness(p_);
    return row_smoothness_;
  }
  // The bounds of Hazan and Luo begin at a vertex; these methods begin where they were told.
  static void begin_at_vertex(Run& /*run*/) {}
  [[nodiscard]] double gap() const { return answer_.value - dual_.value(); }

  // D at the proof costs a spectrum, so it is looked at where it matters, or when there is leisure for it; `other_work`
  // is that of the method's own oracles.
  void look_at_dual() { dual_.look(proof().y, proof().u); }
  void look_at_dual_if_due(const Run& run, double other_work = 0) {
    if (dual_.is_due(run.work().multiply_adds + projection_.cost() + other_work)) look_at_dual();
  }
  // A rise of L costs a projection: L stays for this number of iterations after one at most.
  static constexpr int kLongestPatience = 16;

  const Problem& p_;
  const bool is_theory_;
  const double scale_;
  const int threads_;
  PrimalPoint answer_;

 private:
  Projection projection_;
  DualEstimate dual_;
  double owed_;                                 // multiply-adds before there was a run
  double smoothness_ = 0, row_smoothness_ = 0;  // 0: not known yet
};

}  // namespace pdbfw::low_rank
