// Conditional gradient sliding: the step of a gradient method, made by linear oracles instead of a projection.
//
//   X+ ~ argmin_{X in C} <g, X> + (beta/2) |X - X_0|^2,    begun at X_0, until its Frank-Wolfe gap is small enough
#pragma once

#include "baselines/low_rank/primal_point.hpp"
#include "baselines/step_rules.hpp"
#include "core/low_rank_judge.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw::low_rank {

enum class InnerSteps {
  classic,    // towards a vertex, with the exact step: what the papers have
  corrective  // to the best point X = U S V' of C, U and V the vectors of X_0 and of all vertices so far: a projection
              // of the small matrix S
};

class Sliding {
 public:
  Sliding(const Problem& problem, const Settings& settings, InnerSteps steps);

  struct Goal {
    const Matrix& g;   // d x c
    double beta;       // > 0
    double tolerance;  // of the inner gap
  };
  // X is X_0, and then X+. Ends early when the run says so. Oracle calls are charged.
  void slide(const Goal& goal, Iterate& X, Run& run);

  [[nodiscard]] double work() const { return top_.work(); }

 private:
  void classic(const Goal& goal, Iterate& X, Run& run);
  void corrective(const Goal& goal, Iterate& X, Run& run);
  // The vertex for the inner gradient base + beta X.
  [[nodiscard]] Factors vertex(const Goal& goal, const Iterate& X, double accuracy, Run& run);

  const Problem& p_;
  InnerSteps steps_;
  TopSpectrum top_;
  Matrix base_;  // g - beta X_0
};

// The three sequences of the sliding methods, with their products:
//
//   z = (1 - gamma) y + gamma x,     x <- a sliding step with the gradient at z,     y <- (1 - gamma) y + gamma x
//
// A(x) is made from the factors of x after every slide; A(y) and A(z) are combinations of what is known.
class SlidingPoint {
 public:
  SlidingPoint(const Problem& problem, const Settings& settings)
      : p_(problem),
        threads_(settings.threads),
        x_(problem, {}),
        sliding_(problem, settings, settings.steps == "theory" ? InnerSteps::classic : InnerSteps::corrective) {}

  // x = y = z = a point whose w is known.
  void begin(const PrimalPoint& at) {
    x_ = Iterate(p_, factors_of(p_, at));
    entries_of_x_ = y_ = at.x;
    w_of_x_ = w_of_y_ = at.w;
  }

  // z and its w; the gradient there is the caller's business.
  void look_ahead(double gamma, PrimalPoint& z) const {
    z.x = (1 - gamma) * y_ + gamma * entries_of_x_;
    z.w = (1 - gamma) * w_of_y_ + gamma * w_of_x_;
    z.has_factors = false;
    z.rank = x_.rank();
  }

  // With the gradient ridge z - u at z.
  void step(const PrimalPoint& z, const SlidingNumbers& numbers, Run& run) {
    const Matrix g = p_.ridge * z.x - z.u;
    sliding_.slide({g, numbers.beta, numbers.eta}, x_, run);
    entries_of_x_ = x_.dense();
    run.charge(x_.apply(*p_.map, w_of_x_, threads_));
    y_ += numbers.gamma * (entries_of_x_ - y_);
    w_of_y_ += numbers.gamma * (w_of_x_ - w_of_y_);
  }

  // y, evaluated: w is computed anew.
  void look_at_y(PrimalPoint& out, Run& run) const {
    out.x = y_;
    out.has_factors = false;
    out.rank = x_.rank();
    run.charge(evaluate(p_, threads_, out) + differentiate(p_, threads_, out));
  }

  [[nodiscard]] double work() const { return sliding_.work(); }

 private:
  const Problem& p_;
  int threads_;
  Iterate x_;
  Matrix entries_of_x_, y_;
  Matrix w_of_x_, w_of_y_;
  Sliding sliding_;
};

}  // namespace pdbfw::low_rank
