// What the primal methods know about a point x, and the constants that their step rules ask for.
#pragma once

#include <utility>
#include <vector>

#include "core/judge.hpp"

namespace pdbfw {

// The gradient of P at x is q_j x_j - u_j; y = f'(A x) is the dual point that belongs to x.
struct PrimalPoint {
  std::vector<double> x;  // d
  std::vector<double> w;  // n: A x
  std::vector<double> y;  // n: f'(w)
  std::vector<double> u;  // d: -A'y / n
  double value = 0;       // P(x)
};

// With room for everything; only x is set.
[[nodiscard]] PrimalPoint point_at(const Problem& problem, std::vector<double> x);

// w = A x and P(x), by the columns of the non-zeros where that is cheaper. Returns the entries of A touched.
double evaluate(const Problem& problem, int threads, PrimalPoint& point);
// y = f'(w)
void take_derivatives(const Problem& problem, int threads, PrimalPoint& point);
// ... and u = -A'y / n. Returns the entries of A touched: all.
double differentiate(const Problem& problem, int threads, PrimalPoint& point);
// out = from + t (to - from), with its w and its value; `out` may be one of the others.
void go_along(const Problem& problem, int threads, const PrimalPoint& from, const PrimalPoint& to, double t,
              PrimalPoint& out);

// P(x) for a w that is known already.
[[nodiscard]] double primal_value(const Problem& problem, std::span<const double> x, std::span<const double> w);
[[nodiscard]] Index count_nonzeros(std::span<const double> x);

// out_j = q_j x_j - u_j
void gradient_at(const Problem& problem, const PrimalPoint& point, std::vector<double>& out);
// The largest entry of the gradient.
[[nodiscard]] double gradient_size(const Problem& problem, const PrimalPoint& point);
// to = Proj_C( x - step * gradient )
void gradient_step(const Problem& problem, const PrimalPoint& from, double step, std::vector<double>& to);

// <v, x>
[[nodiscard]] double dot(const std::vector<double>& v, const std::vector<double>& x);

// P at the answer, and D at the proof; `zone` is the last one, and then this one. O(n + d).
[[nodiscard]] Estimate estimate(const Problem& problem, const PrimalPoint& answer, const PrimalPoint& proof,
                                DeadZone& zone);

// x <- (1 - t) x + t vertex
void step_towards(const SparseAtom& vertex, double t, std::vector<double>& x);

// The constants that the step rules of the papers are made of.

// L = beta lambda_max(A'A) / n + max_j q_j of the whole objective,  by power iteration: lambda_max up to the share
// `accuracy` of it, from above as far as the residual of the last vector tells. What it costs is charged.
// kExactly is for methods that take L as it is, kRoughly for those that tune it while running: a few passes only.
inline constexpr double kExactly = 0.01, kRoughly = 0.3;
[[nodiscard]] double primal_smoothness(const Problem& problem, const Settings& settings, Run& run,
                                       double accuracy = kExactly);
// How smooth the roughest of the terms f_i(a_i'x) + g(x) is; a pass over the data, which is charged.
[[nodiscard]] double largest_row_smoothness(const Problem& problem, Run& run);
// The largest distance of two points of C, given that C is spanned by the answers of its linear oracle.
[[nodiscard]] double diameter(const Problem& problem);

[[nodiscard]] inline Curvatures curvatures(const Problem& p) { return p.regulariser->curvatures(); }
[[nodiscard]] inline double strong_convexity(const Problem& p) { return p.regulariser->strong_convexity(); }

// What the methods that answer such a point have in common, and the settings that all of them read. Those that are
// written for both families find the same names in low_rank/primal_point.hpp.
class PrimalPointEngine : public Engine {
 public:
  void radius_has_changed() override;
  [[nodiscard]] Estimate estimate() override { return pdbfw::estimate(p_, answer_, proof(), zone_); }
  [[nodiscard]] Point point() override { return {answer_.x, proof().y}; }

 protected:
  using PrimalPoint = pdbfw::PrimalPoint;

  PrimalPointEngine(const Problem& problem, const Settings& settings, const Start& start);
  // Once the answer has been looked at where the set has another radius.
  virtual void begin() = 0;
  // The point whose y is the dual point.
  [[nodiscard]] virtual const PrimalPoint& proof() const { return answer_; }
  // Charges what was done before there was a run.
  void pay(Run& run) { run.charge(std::exchange(owed_, 0)); }
  void gradient_step(const PrimalPoint& from, double step, PrimalPoint& to) const {
    pdbfw::gradient_step(p_, from, step, to.x);
  }
  // L of the whole objective, up to what the steps need, and that of its roughest row; charged when first asked for.
  [[nodiscard]] double smoothness(Run& run);
  [[nodiscard]] double row_smoothness(Run& run);
  // Theory's: answer <- argmin_{v in C} <grad P(answer), v>, unless there was a start. The bounds of Hazan and Luo
  // begin there.
  void begin_at_vertex(Run& run);
  [[nodiscard]] double gap();

  // D costs O(n + d): every estimate has that of the proof.
  static void look_at_dual() {}
  static void look_at_dual_if_due(Run& /*run*/, double /*other_work*/ = 0) {}
  // A projection costs O(d): after a rise, L may fall at once.
  static constexpr int kLongestPatience = 0;

  const Problem& p_;
  const Settings settings_;
  const bool is_theory_;
  const double scale_;
  const int threads_;
  PrimalPoint answer_;

 private:
  void look();

  double owed_ = 0;                             // entries touched before there was a run
  double smoothness_ = 0, row_smoothness_ = 0;  // 0: not known yet
  bool has_start_;
  DeadZone zone_;
};

}  // namespace pdbfw
