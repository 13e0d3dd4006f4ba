// The four numbers of the paper's two algorithms, and how to find them by watching the gap.
#pragma once

#include <memory>

#include "pdbfw/settings.hpp"

namespace pdbfw {

struct PdbfwSteps {
  double eta;    // primal step, (0, 1]
  double delta;  // dual proximal step
  Index s;       // most non-zeros, or the largest rank, of a primal step
  Index k;       // rows of a dual step
};

// What the last iteration did, for the rule to learn from.
struct PdbfwProgress {
  double relative_gap;
  Index atom_size;     // non-zeros or rank of x_tilde
  double primal_cost;  // multiply-adds that w cost
};

// By itself, steps that stay as they are.
class PdbfwStepRule {
 public:
  // What to do with the state x, y, w, z: nothing, remember it, go back to the one remembered last (if there is one).
  enum class Advice { go_on, remember, go_back };

  explicit PdbfwStepRule(PdbfwSteps steps) : steps_(steps) {}
  PdbfwStepRule(const PdbfwStepRule&) = delete;
  PdbfwStepRule& operator=(const PdbfwStepRule&) = delete;
  virtual ~PdbfwStepRule() = default;
  [[nodiscard]] const PdbfwSteps& steps() const { return steps_; }
  // After every iteration; may change the steps.
  [[nodiscard]] virtual Advice learn(const PdbfwProgress& /*progress*/) { return Advice::go_on; }

 protected:
  PdbfwSteps steps_;
};

[[nodiscard]] std::unique_ptr<PdbfwStepRule> fixed_steps(PdbfwSteps steps);

struct PdbfwLimits {
  Index most_s, fewest_k, most_k;
  double row_cost;    // multiply-adds of a row of the dual step
  int window = 5;     // iterations that are judged together
  double growth = 2;  // of delta from one window to the next, at first
};

// Begins with `first`; what the user fixed stays fixed.
[[nodiscard]] std::unique_ptr<PdbfwStepRule> adaptive_steps(PdbfwSteps first, const PdbfwLimits& limits,
                                                            const Settings& settings);

}  // namespace pdbfw
