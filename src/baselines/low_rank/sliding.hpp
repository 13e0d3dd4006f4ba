// Conditional gradient sliding: the step of a gradient method, made by linear oracles instead of a projection.
//
//   X+ ~ argmin_{X in C} <g, X> + (beta/2) |X - X_0|^2,    begun at X_0, until its Frank-Wolfe gap is small enough
#pragma once

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

}  // namespace pdbfw::low_rank
