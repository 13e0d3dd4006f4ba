#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/team.hpp"
#include "core/low_rank_judge.hpp"
#include "core/row_loss_decorator.hpp"
#include "linalg/largest_eigenvalue.hpp"
#include "linalg/operators.hpp"
#include "linalg/products.hpp"

namespace pdbfw::low_rank {
namespace {

std::span<double> numbers(Matrix& M) { return {M.data(), static_cast<std::size_t>(M.size())}; }

double largest(const TeamPtr& team, double own) { return std::ranges::max(gathered_at_all(team, {own})); }
double smallest(const TeamPtr& team, double own) { return std::ranges::min(gathered_at_all(team, {own})); }

// A*(Y) = sum over members of A_r*(Y_r):  d x s numbers for a product with s columns, c x s for one with the transpose.
class TeamAdjoint final : public Operator {
 public:
  TeamAdjoint(std::unique_ptr<const Operator> own, TeamPtr team, double cost)
      : own_(std::move(own)), team_(std::move(team)), cost_(cost) {}
  [[nodiscard]] Index rows() const override { return own_->rows(); }
  [[nodiscard]] Index columns() const override { return own_->columns(); }
  void times(const Matrix& V, Matrix& out, int threads) const override {
    own_->times(V, out, threads);
    team_->sum(numbers(out));
  }
  void transposed_times(const Matrix& U, Matrix& out, int threads) const override {
    own_->transposed_times(U, out, threads);
    team_->sum(numbers(out));
  }
  [[nodiscard]] double cost() const override { return cost_; }

 private:
  std::unique_ptr<const Operator> own_;
  TeamPtr team_;
  double cost_;
};

// The map X -> A X of rows that are spread over a team.
class TeamMap final : public LinearMap {
 public:
  TeamMap(MapPtr own, TeamPtr team) : own_(std::move(own)), team_(std::move(team)) {
    std::array<double, 2> costs{own_->apply_cost(1), own_->pass_cost()};
    team_->sum(costs);
    const auto members = static_cast<double>(team_->size());
    vector_cost_ = costs[0] / members;
    pass_cost_ = costs[1] / members;
  }

  [[nodiscard]] std::string_view name() const override { return own_->name(); }
  [[nodiscard]] Index samples() const override { return own_->samples(); }
  [[nodiscard]] Index outputs() const override { return own_->outputs(); }
  [[nodiscard]] Index rows() const override { return own_->rows(); }
  [[nodiscard]] Index columns() const override { return own_->columns(); }

  void apply(const Factors& X, Matrix& W, int threads) const override { own_->apply(X, W, threads); }
  void apply(const Matrix& X, Matrix& W, int threads) const override { own_->apply(X, W, threads); }
  void add_adjoint(const Matrix& Y, double scale, Matrix& Z, int threads) const override {
    Matrix part = Matrix::Zero(Z.rows(), Z.cols());
    own_->add_adjoint(Y, scale, part, threads);
    team_->sum(numbers(part));
    Z += part;
  }
  // A product with one column is one with A and one with Y, as A(X) is for X of rank one.
  [[nodiscard]] std::unique_ptr<const Operator> adjoint(const Matrix& Y) const override {
    return std::make_unique<TeamAdjoint>(own_->adjoint(Y), team_, vector_cost_);
  }
  [[nodiscard]] MapPtr subset(std::span<const Index> samples) const override {
    return std::make_shared<TeamMap>(own_->subset(samples), team_);
  }

  // The norm of A'A = sum over members of A_r'A_r.
  [[nodiscard]] double squared_norm() const override {
    if (squared_norm_) return *squared_norm_;
    const DataMatrix& A = *own_->design();
    Matrix from, between, to;
    const auto product = [&](const Vector& v, Vector& out) {
      from = v;
      multiply(A, from, between);
      multiply_transposed(A, between, to);
      team_->sum(numbers(to));
      out = to.col(0);
    };
    squared_norm_ = largest_eigenvalue_bound(A.columns(), sum_over(team_, squared_row_norms().sum()), product);
    return *squared_norm_;
  }
  [[nodiscard]] double largest_squared_sample_norm() const override {
    const Vector norms = squared_row_norms();
    return largest(team_, norms.maxCoeff());
  }

  [[nodiscard]] double apply_cost(Index rank) const override { return static_cast<double>(rank) * vector_cost_; }
  [[nodiscard]] double pass_cost() const override { return pass_cost_; }
  [[nodiscard]] const DataMatrix* design() const override { return own_->design(); }  // the rows here

 private:
  [[nodiscard]] Vector squared_row_norms() const {
    Vector norms(samples());
    squared_norms(own_->design()->by_row(), {}, {norms.data(), static_cast<std::size_t>(norms.size())});
    return norms;
  }

  MapPtr own_;
  TeamPtr team_;
  double vector_cost_ = 0, pass_cost_ = 0;  // of a member, on average
  mutable std::optional<double> squared_norm_;
};

// What is asked of all samples is asked of all members; their rows stay where they are.
class TeamLoss final : public RowLossDecorator {
 public:
  TeamLoss(std::shared_ptr<const RowLoss> own, TeamPtr team)
      : RowLossDecorator(std::move(own)),
        team_(std::move(team)),
        smoothness_(largest(team_, each_->smoothness())),  // weights differ from row to row
        curvature_(smallest(team_, each_->curvature())) {}

  [[nodiscard]] double total_value(const Matrix& W, int threads) const override {
    return sum_over(team_, each_->total_value(W, threads));
  }
  [[nodiscard]] double total_conjugate(const Matrix& Y, int threads) const override {
    return sum_over(team_, each_->total_conjugate(Y, threads));
  }
  [[nodiscard]] double smoothness() const override { return smoothness_; }
  [[nodiscard]] double curvature() const override { return curvature_; }

 private:
  TeamPtr team_;
  double smoothness_, curvature_;
};

}  // namespace

Problem over_team(const Problem& problem) {
  Problem shared = problem;
  if (!problem.team) return shared;
  shared.map = std::make_shared<TeamMap>(problem.map, problem.team);
  shared.loss = std::make_shared<TeamLoss>(problem.loss, problem.team);
  return shared;
}

}  // namespace pdbfw::low_rank
