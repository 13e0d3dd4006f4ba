// Conditional gradient sliding: the step of a gradient method, made by linear oracles instead of a projection.
//
//   x+ ~ argmin_{x in C} <g, x> + (beta/2) |x - x_0|^2,    begun at x_0, until its Frank-Wolfe gap is small enough
//
// Only features where x_0, x or g are special are ever looked at: outside the support S of x and x_0 the inner gradient
// is g, so the oracle's answer is in S or at an extreme of g. One slide costs O(d) to find these extremes and
// O(|S|) an inner step. C must be spanned by vertices of one non-zero, as the l1 ball and the simplex are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "baselines/primal_point.hpp"
#include "baselines/step_rules.hpp"
#include "core/run.hpp"
#include "pdbfw/problem.hpp"

namespace pdbfw {

enum class InnerSteps {
  classic,  // towards a vertex, with the exact step: what the papers have
  pairwise  // weight moves from the worst vertex to the best one: linear convergence (Lacoste-Julien, Jaggi 2015)
};

class Sliding {
 public:
  Sliding(const Problem& problem, InnerSteps steps);

  struct Goal {
    std::span<const double> g;  // d
    double beta;                // > 0
    double tolerance;           // of the inner gap
  };
  // x is x_0, and then x+. Ends early when the run says so. Oracle calls are charged.
  void slide(const Goal& goal, std::vector<double>& x, Run& run);

 private:
  struct Feature {
    double x, x_0, gradient;  // of the inner objective
  };
  struct Vertex {
    std::size_t at;  // in S
    double value;
  };
  // The features outside S with the smallest and with the largest g, best first.
  struct Extremes {
    std::vector<Index> order;
    std::size_t next = 0;
  };

  void add(Index j, const Goal& goal, double x_0);
  void find_extremes(const Goal& goal, bool largest, Extremes& out);
  [[nodiscard]] Index extreme(const Goal& goal, bool largest, Extremes& from);
  Vertex best_vertex(const Goal& goal);
  [[nodiscard]] bool step(const Goal& goal, Run& run);
  void classic_step(const Goal& goal, const Vertex& to, double gap);
  void pairwise_step(const Goal& goal, const Vertex& to);
  void move(const Goal& goal, std::size_t at, double x);

  const Problem& p_;
  InnerSteps steps_;
  bool holds_zero_;
  std::vector<std::uint8_t> is_in_;  // d: in S
  std::vector<Index> S_;
  std::vector<Feature> feature_;  // by place in S
  std::vector<double> gradient_;  // the oracle's question: S, and two extremes
  Extremes lowest_, highest_;
};

// The three sequences of the sliding methods:
//
//   z = (1 - gamma) y + gamma x,     x <- a sliding step with the gradient at z,     y <- (1 - gamma) y + gamma x
class SlidingPoint {
 public:
  SlidingPoint(const Problem& problem, const Settings& settings)
      : p_(problem),
        threads_(settings.threads),
        sliding_(problem, settings.steps == "theory" ? InnerSteps::classic : InnerSteps::pairwise) {}

  // x = y = a point.
  void begin(const PrimalPoint& at) { x_ = y_ = at.x; }
  // z; the gradient there is the caller's business.
  void look_ahead(double gamma, PrimalPoint& z) const { blend(gamma, z.x); }
  // With the gradient at z.
  void step(const PrimalPoint& z, const SlidingNumbers& numbers, Run& run);
  // y, evaluated.
  void look_at_y(PrimalPoint& out, Run& run) const;

  // Of oracles, beside the products with A: O(d) a slide.
  [[nodiscard]] static double work() { return 0; }

 private:
  // out = (1 - gamma) y + gamma x
  void blend(double gamma, std::vector<double>& out) const {
    for (std::size_t j = 0; j < x_.size(); ++j) out[j] = (1 - gamma) * y_[j] + gamma * x_[j];
  }

  const Problem& p_;
  int threads_;
  std::vector<double> x_, y_, g_;
  Sliding sliding_;
};

}  // namespace pdbfw
