#include <algorithm>

#include "low_rank/loss_side.hpp"

namespace pdbfw::low_rank {
namespace {

// What a solve adds to S so that rounding cannot make it singular, as a share of the largest eigenvalue.
constexpr double kRounding = 1e-12;

double inner(const Matrix& A, const Matrix& B) { return A.cwiseProduct(B).sum(); }

// (1/n) sum_i f_i = (beta/2) <S X, X> - <G, X> + constant,  S = A'A/n,  G = beta A'B/n: after G there is no product
// with A in the whole iteration.
class QuadraticSide final : public LossSide {
 public:
  QuadraticSide(const Problem& problem, const RowCoordinates& space, int threads)
      : p_(problem), space_(space), threads_(threads), beta_(problem.loss->smoothness()) {
    const auto n = static_cast<double>(p_.n());
    Matrix AtB = Matrix::Zero(p_.d(), p_.c());
    p_.map->add_adjoint(p_.loss->targets(), beta_ / n, AtB, threads_);
    G_ = space_.inside(std::move(AtB));
    constant_ = 0.5 * beta_ * p_.loss->targets().squaredNorm() / n;
    T_ = Matrix::Zero(G_.rows(), G_.cols());
  }

  [[nodiscard]] bool has_free_minimiser() const override { return true; }

  // (beta S + weight I) X = G + pull
  [[nodiscard]] Matrix minimise(double weight, Matrix pull, Run& run) override {
    run.charge(space_.solve_cost(p_.c()));
    pull += G_;
    return space_.solve(beta_, solvable(weight), std::move(pull));
  }

  [[nodiscard]] double value(const SetSide& set) override {
    return constant_ + 0.5 * beta_ * inner(space_.times(set.Z), set.Z) - inner(G_, set.Z);
  }

  // Y = beta (A T - B) for a T that need not lie in C: the minimiser of P(T) + <N, T> where the multiplier is N,
  //   (beta S + ridge I) T = G - N,
  // for which excess = ridge (T - Z); without a ridge the last X.
  [[nodiscard]] DualView look(const SetSide& set, const Matrix& X) override {
    T_ = p_.ridge > 0 ? space_.solve(beta_, solvable(p_.ridge), G_ - set.N) : X;
    const Matrix ST = beta_ * space_.times(T_);
    const Matrix away = set.Z - T_;
    return {0.5 * beta_ * inner(space_.times(away), away), G_ - ST - p_.ridge * set.Z - set.N};
  }

  [[nodiscard]] Matrix dual_point() const override {
    Matrix Y;
    p_.map->apply(space_.outside(T_), Y, threads_);
    return beta_ * (Y - p_.loss->targets());
  }

 private:
  // Any weight does where there is neither A nor a ridge.
  [[nodiscard]] double solvable(double weight) const {
    const double least = std::max(weight, kRounding * beta_ * space_.largest());
    return least > 0 ? least : 1;
  }

  const Problem& p_;
  const RowCoordinates& space_;
  int threads_;
  double beta_, constant_ = 0;
  Matrix G_, T_;
};

}  // namespace

std::unique_ptr<LossSide> make_quadratic_side(const Problem& problem, const RowCoordinates& space, int threads) {
  return std::make_unique<QuadraticSide>(problem, space, threads);
}

}  // namespace pdbfw::low_rank
