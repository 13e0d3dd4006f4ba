// Losses of samples with several outputs.                                                                    [M22]
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "pdbfw/factors.hpp"
#include "pdbfw/loss.hpp"

namespace pdbfw {

enum class RowTargetKind {
  numbers,  // k finite numbers per sample
  signs,    // k of -1 and +1 a sample: which labels it has
  classes   // one number per sample: the index of its class, 0 .. k - 1
};

// f_i(w), w in R^k, one smooth convex function a sample, given by its row of targets b_i; f_i* is its conjugate. A loss
// holds the targets of its samples, and what each sample counts. The spans of one sample are rows of the matrices W, Y.
class RowLoss {
 public:
  using Row = std::span<const double>;
  using OutRow = std::span<double>;

  RowLoss() = default;
  RowLoss(const RowLoss&) = delete;
  RowLoss& operator=(const RowLoss&) = delete;
  virtual ~RowLoss() = default;

  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual RowTargetKind target_kind() const = 0;
  [[nodiscard]] virtual const Matrix& targets() const = 0;  // a row a sample, of target_columns(k)
  [[nodiscard]] Index target_columns(Index outputs) const {
    return target_kind() == RowTargetKind::classes ? 1 : outputs;
  }

  // Sample i.
  [[nodiscard]] virtual double value(Index i, Row w) const = 0;
  virtual void gradient(Index i, Row w, OutRow y) const = 0;
  [[nodiscard]] virtual double conjugate(Index i, Row y) const = 0;
  // argmax_u <w, u> - f*(u) - |u - y|^2 / (2 step); step = +inf: no proximal term; 0 only takes y into the domain.
  virtual void dual_prox(Index i, Row w, Row y, double step, OutRow out) const = 0;
  // out = H v, H a generalised Hessian of f at w (positive semidefinite).
  virtual void hessian_product(Index i, Row w, Row v, OutRow out) const = 0;
  // S += H.
  virtual void add_hessian(Index i, Row w, Matrix& S) const = 0;

  // All samples: the sums in a fixed order, so that any number of threads gives the same bits.
  [[nodiscard]] virtual double total_value(const Matrix& W, int threads = 1) const = 0;
  [[nodiscard]] virtual double total_conjugate(const Matrix& Y, int threads = 1) const = 0;
  virtual void gradients(const Matrix& W, Matrix& Y, int threads = 1) const = 0;
  virtual void dual_proxes(const Matrix& W, const Matrix& Y, double step, Matrix& out, int threads = 1) const = 0;
  virtual void hessian_products(const Matrix& W, const Matrix& V, Matrix& out, int threads = 1) const = 0;
  // These samples alone, without intercepts.
  [[nodiscard]] virtual std::shared_ptr<const RowLoss> subset(std::span<const Index> samples) const = 0;

  [[nodiscard]] virtual double smoothness() const = 0;               // the paper's beta
  [[nodiscard]] virtual double curvature() const = 0;                // the paper's alpha; 0: none
  [[nodiscard]] virtual bool is_quadratic() const { return false; }  // f(w) = |w - b|^2 / 2 (times the smoothness)

  // An intercept for each output, learnt with the weights and not penalised. The functions of all samples then speak of
  //     F(W) = min_t sum_i f_i(W_i + t),   t in R^k                                                              [M46]
  // and those of one sample of f_i alone.
  [[nodiscard]] virtual bool has_intercept() const { return false; }
  // The best t.
  [[nodiscard]] virtual Vector intercepts(const Matrix& W, int /*threads*/ = 1) const { return Vector::Zero(W.cols()); }
  // The same samples without intercepts: its sums are of f_i alone.
  [[nodiscard]] virtual const RowLoss& of_samples() const { return *this; }
  // F* is finite only where the columns of Y sum to zero: takes Y there.
  virtual void balance(Matrix& /*Y*/) const {}
};

}  // namespace pdbfw
