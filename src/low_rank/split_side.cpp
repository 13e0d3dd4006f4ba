#include "low_rank/loss_side.hpp"

namespace pdbfw::low_rank {
namespace {

// W = A X is a copy of its own, with the multiplier Y and the penalty (tau/2n) |A X - W|^2. The step of W is the loss's
// proximal step, and by Moreau's identity that of Y is the dual one; Y is a dual point all the time.
class SplitSide final : public LossSide {
 public:
  SplitSide(const Problem& problem, const RowCoordinates& space, const Start& start, int threads)
      : p_(problem),
        space_(space),
        threads_(threads),
        n_(static_cast<double>(problem.n())),
        tau_(problem.loss->smoothness()) {
    if (start.X.rank() > 0)
      p_.map->apply(start.X, W_, threads_);
    else
      W_ = Matrix::Zero(p_.n(), p_.k());
    if (start.Y.rows() > 0)
      Y_ = start.Y;
    else
      p_.loss->gradients(W_, Y_, threads_);
    adjoint_W_ = adjoint(W_);
    adjoint_Y_ = adjoint(Y_);
  }

  [[nodiscard]] bool has_free_minimiser() const override { return false; }

  // X = (tau S + weight I)^-1 ( tau A'W/n - A'Y/n + pull )
  // V = alpha A X + (1 - alpha) W + Y / tau,    Y = argmax_Y <V, Y> - f*(Y) - |Y|^2 / (2 tau),    W = V - Y / tau
  [[nodiscard]] Matrix minimise(double weight, Matrix pull, Run& run) override {
    pull += tau_ * adjoint_W_ - adjoint_Y_;
    const Matrix X = space_.solve(tau_, weight, std::move(pull));
    p_.map->apply(space_.outside(X), AX_, threads_);
    Matrix V = kRelaxation * AX_ + (1 - kRelaxation) * W_ + Y_ / tau_;
    p_.loss->dual_proxes(V, Matrix::Zero(p_.n(), p_.k()), tau_, Y_, threads_);
    V -= Y_ / tau_;

    // A'W/n follows by itself from A'A X = n S X.
    adjoint_W_ = kRelaxation * space_.times(X) + (1 - kRelaxation) * adjoint_W_ + adjoint_Y_ / tau_;
    adjoint_Y_ = adjoint(Y_);
    adjoint_W_ -= adjoint_Y_ / tau_;

    const double apart = (AX_ - V).norm(), step = (V - W_).norm();
    W_ = std::move(V);
    tau_ *= balancing_factor(apart, step, ++iteration_);
    run.charge(space_.solve_cost(p_.c()) + 2 * space_.move_cost(p_.c()) + 2 * p_.map->pass_cost());
    return X;
  }

  [[nodiscard]] double value(const SetSide& set) override {
    p_.map->apply(Factors{space_.outside(set.factors.U), set.factors.s, set.factors.V}, AZ_, threads_);
    value_ = p_.loss->total_value(AZ_, threads_) / n_;
    return value_;
  }

  [[nodiscard]] DualView look(const SetSide& set, const Matrix& /*X*/) override {
    const double conjugate = p_.loss->total_conjugate(Y_, threads_) / n_;
    return {value_ + conjugate - Y_.cwiseProduct(AZ_).sum() / n_, -adjoint_Y_ - p_.ridge * set.Z - set.N};
  }

  [[nodiscard]] Matrix dual_point() const override { return Y_; }

 private:
  // A'M / n
  [[nodiscard]] Matrix adjoint(const Matrix& M) const {
    Matrix out = Matrix::Zero(p_.d(), p_.c());
    p_.map->add_adjoint(M, 1 / n_, out, threads_);
    return space_.inside(std::move(out));
  }

  const Problem& p_;
  const RowCoordinates& space_;
  int threads_;
  double n_;
  double tau_;
  Index iteration_ = 0;
  Matrix W_, Y_, AX_, AZ_;
  Matrix adjoint_W_, adjoint_Y_;  // A'W/n and A'Y/n
  double value_ = 0;
};

}  // namespace

std::unique_ptr<LossSide> make_split_side(const Problem& problem, const RowCoordinates& space, const Start& start,
                                          int threads) {
  return std::make_unique<SplitSide>(problem, space, start, threads);
}

}  // namespace pdbfw::low_rank
