// The problem on the features of a working set W alone.                                                [M14], [M15]
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "core/judge.hpp"
#include "solvers/columns_in_sight.hpp"
#include "solvers/working_gram.hpp"

namespace pdbfw {

// Where the engine is, and what the loss says there.
struct WorkingPoint {
  // x by its non-zeros: features, ascending, and values.
  std::vector<Index> support;
  std::vector<double> x, t;
  std::vector<double> m, slope, bend, y;
  double loss = 0;                                               // (1/n) sum_i f_i(m_i)
  double multiplier = std::numeric_limits<double>::quiet_NaN();  // of the last model
  int moves = 0;                                                 // since the margins were made from x and t
};

// Who asks for a smaller gap than rounding allows wants x to its last digits, which is more than the gap can tell.
inline constexpr double kTolOfLastDigits = 1e-15;

// Minimises Newton's model of P over W and goes there as far as P falls, again and again.
class RestrictedProblem {
 public:
  // Moves `at`, whose gradient is taken from `sight` where that is known.
  RestrictedProblem(const Problem& problem, const Settings& settings, WorkingPoint& at, const ColumnsInSight& sight);

  void choose(std::vector<Index> W) { gram_.choose(std::move(W)); }
  [[nodiscard]] const std::vector<Index>& features() const { return gram_.features(); }
  // What a unit of |x|_1 costs, as far as it is known.
  [[nodiscard]] double border() const;
  // Until the gap on W is below `target`, or the features left out, each alone, would gain more than those in W.
  void minimise(double target, double left_out, Run& run);

 private:
  // Everything indexed by the position in W.
  struct Here {
    std::vector<double> x, q, gradient;  // of P
    std::vector<double> free_gradient;
  };
  // Where a step leads.
  struct Goal {
    std::vector<double> x;     // on W
    std::vector<double> free;  // by how much t moves
    bool is_bounded;           // the model has a minimum
  };
  struct Step {
    double length = 0, gain = 0;
    bool is_unseen = false;  // P is the same to rounding
    bool is_last = false;    // there is no more to gain on W
  };

  [[nodiscard]] Here here() const;
  void take_support(const Here& on);
  [[nodiscard]] bool take_gradient_in_sight(Here& on) const;
  void refresh_gradient(Here& on, Run& run) const;
  [[nodiscard]] double gap(const Here& on) const;
  [[nodiscard]] double value(double loss, const Here& on, std::span<const double> x) const;
  [[nodiscard]] double promise(const Here& on) const;

  Step make_step(Here& on, int whole_steps, Run& run);
  bool learn(const Step& made, bool is_bounded);
  [[nodiscard]] double gram_cost() const;
  [[nodiscard]] bool gram_pays() const;
  Goal minimise_by_gram(const Here& on, double least, Run& run);
  Goal minimise_by_columns(const Here& on, double least, int whole_steps, Run& run);
  void take_inside(std::vector<double>& x) const;
  double move(Goal& goal, Here& on, Run& run);

  const Problem& p_;
  const Loss& each_;  // f_i alone
  const FreeColumns Z_;
  double tol_;
  int threads_;
  WorkingPoint& at_;
  const ColumnsInSight& sight_;
  WorkingGram gram_;
  double caution_;
  double proximity_ = 0;         // how close to x the model stays, as a share of its diagonal
  double promised_ = 0;          // by the slope along the last step
  int patience_;                 // extrapolations of a model by columns
  double spent_on_columns_ = 0;  // multiply-adds
  double stiffness_ = 1;         // of the last model by columns
};

}  // namespace pdbfw
