// The gradient of P along the way of a block Frank-Wolfe method, kept up to date in one of two ways.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/judge.hpp"
#include "pdbfw/problem.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/settings.hpp"

namespace pdbfw {

class BlockGradient {
 public:
  BlockGradient() = default;
  BlockGradient(const BlockGradient&) = delete;
  BlockGradient& operator=(const BlockGradient&) = delete;
  virtual ~BlockGradient() = default;

  [[nodiscard]] virtual const std::vector<double>& x() const = 0;
  [[nodiscard]] virtual const std::vector<double>& gradient() const = 0;  // of P at x

  // e = x_tilde - x: the way that the next three are about.
  virtual void aim(const SparseAtom& x_tilde, Run& run) = 0;
  // Whether P(x + e) is below P(x) by a share of what the slope at x promises.
  [[nodiscard]] virtual bool falls_all_the_way() const = 0;
  // The t in [0, 1] that minimises P(x + t e).
  [[nodiscard]] virtual double exact_step() const = 0;
  // x <- x + t e
  virtual void move(double t, Run& run) = 0;

  [[nodiscard]] virtual Estimate estimate() = 0;
  [[nodiscard]] virtual Point point() = 0;
  // Entries of A that were touched without a run to charge them to, since it was last asked.
  [[nodiscard]] double owed() { return std::exchange(owed_, 0); }

 protected:
  double owed_ = 0;
};

// From the data: w = A x costs the columns of x_tilde, the gradient A'f'(w)/n + grad g(x) a pass.
[[nodiscard]] std::unique_ptr<BlockGradient> gradient_from_data(const Problem& problem, const Settings& settings,
                                                                const Start& start);

// From Q = beta A'A/n, of a quadratic loss: the gradient costs s columns of Q, d entries each, and no look at A. A
// column is made when it is first needed, which costs a pass.
[[nodiscard]] std::unique_ptr<BlockGradient> gradient_from_gram(const Problem& problem, const Settings& settings,
                                                                const Start& start);
// A step by Q is cheaper than one by the data even where x_tilde has no zeros, and Q fits into memory.
[[nodiscard]] bool gram_pays(const Problem& problem);

}  // namespace pdbfw
