// The four numbers of Algorithm 1 and the two ways to find them: the theorem's, or watching the gap.
#pragma once

#include <memory>
#include <vector>

#include "pdbfw/problem.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

struct PdbfwState {
  std::vector<double> x, y;  // the iterates
  std::vector<double> w, z;  // their products: w = A x, z = A'y
};

struct PdbfwSteps {
  double eta;    // primal step, (0, 1]
  double delta;  // dual proximal step
  Index s;       // most non-zeros of a primal step
  Index k;       // rows of a dual step
};

// What the last iteration did, for the rule to learn from.
struct PdbfwProgress {
  double relative_gap;
  Index atom_nonzeros;     // of x_tilde
  double columns_touched;  // entries of A that w cost
};

class PdbfwStepRule {
 public:
  virtual ~PdbfwStepRule() = default;
  [[nodiscard]] const PdbfwSteps& steps() const { return steps_; }
  // After every iteration. May change the steps, and take the state back to an earlier, better one.
  virtual void learn(const PdbfwProgress& progress, PdbfwState& state) = 0;

 protected:
  explicit PdbfwStepRule(PdbfwSteps steps) : steps_(steps) {}
  PdbfwSteps steps_;
};

// What the user fixed stays fixed under either rule.
[[nodiscard]] std::unique_ptr<PdbfwStepRule> make_step_rule(const Problem& problem, const Settings& settings);

}  // namespace pdbfw
