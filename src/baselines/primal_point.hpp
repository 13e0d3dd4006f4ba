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
// y = f'(w), u = -A'y / n. Returns the entries of A touched: all.
double differentiate(const Problem& problem, int threads, PrimalPoint& point);

// P(x) and g(x) for a w that is known already.
[[nodiscard]] double primal_value(const Problem& problem, std::span<const double> x, std::span<const double> w);
// D(y) for the u that belongs to y; `zone` is the last one, and then this one.
[[nodiscard]] double dual_value(const Problem& problem, std::span<const double> y, std::span<const double> u,
                                DeadZone& zone);
[[nodiscard]] Index count_nonzeros(std::span<const double> x);

// out_j = q_j x_j - u_j
void gradient_at(const Problem& problem, const PrimalPoint& point, std::vector<double>& out);
// to = Proj_C( x - step * gradient )
void gradient_step(const Problem& problem, const PrimalPoint& from, double step, std::vector<double>& to);

// x <- (1 - t) x + t vertex
void step_towards(const SparseAtom& vertex, double t, std::vector<double>& x);

// x <- argmin_{v in C} <grad P(x), v>, evaluated: where the bounds of Hazan and Luo begin. Returns the entries touched.
double move_to_best_vertex(const Problem& problem, int threads, PrimalPoint& point);

// How smooth the roughest of the terms f_i(a_i'x) + g(x) is; a pass over the data, which is charged.
[[nodiscard]] double largest_row_smoothness(const Problem& problem, Run& run);
// The largest distance of two points of C, given that C is spanned by the answers of its linear oracle.
[[nodiscard]] double diameter(const Problem& problem);

// What the methods that answer such a point have in common, and the settings that all of them read.
class PrimalPointEngine : public Engine {
 public:
  void radius_has_changed() override;
  [[nodiscard]] Estimate estimate() override;
  [[nodiscard]] Point point() override { return {answer_.x, answer_.y}; }

 protected:
  PrimalPointEngine(const Problem& problem, const Settings& settings, const Start& start);
  // Once the answer has been looked at: at the start, and where the set has another radius.
  virtual void begin() = 0;
  // Charges what was done before there was a run.
  void pay(Run& run) { run.charge(std::exchange(owed_, 0)); }

  const Problem& p_;
  const Settings settings_;
  const bool is_theory_;
  const double scale_;
  const int threads_;
  PrimalPoint answer_;
  double gap_ = 0;  // at the answer, when it was last estimated

 private:
  void look();

  double owed_ = 0;  // entries touched before there was a run
  DeadZone zone_;
};

}  // namespace pdbfw
