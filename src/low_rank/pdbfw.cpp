// Primal-Dual Block Frank-Wolfe for matrices, Algorithm 2 of Lei, Zhuo, Caramanis, Dhillon, Dimakis (2019), misprints
// mended (docs/math.md lists them).
//
//   min_{X in C} max_Y  (mu/2) |X|^2 + (1/n) <Y, A(X)> - (1/n) sum_i f_i*(Y_i)                                [M22]
//
//   here     maths                            |  invariants, restored by recompute_products():
//   X, Y     iterates                         |    (I1) W = A(X)        (I2) Z = A*(Y)
//   X_tilde  block Frank-Wolfe point, rank s  |  cost per iteration: s singular triplets of an operator, A(X_tilde) by
//   Y_tilde  full dual proximal step          |    its factors, k rows of the adjoint; for rows of A times X that is
//   eta      primal step in (0, 1]            |    O(s n (d + c)) with k = n s (1/c + 1/d)
//   delta    dual proximal step               |
//   s, k     primal rank and rows of the dual |
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "linalg/operators.hpp"
#include "low_rank/solvers.hpp"
#include "steps/dual_blocks.hpp"
#include "steps/low_rank/block_step.hpp"
#include "steps/low_rank/dual_estimate.hpp"
#include "steps/low_rank/iterate.hpp"
#include "steps/pdbfw_steps.hpp"

namespace pdbfw::low_rank {
namespace {

// Iterations after which W and Z are computed anew, so that rounding cannot pile up; and before which a claim of the
// tolerance is believed without that.
constexpr Index kIterationsBeforeRefresh = 200, kFresh = 10;

// The first s of adaptive steps, and the smallest k.
constexpr Index kFirstRank = 8, kFirstShareOfSide = 20;
constexpr Index kSmallestShareOfN = 4;  // k stays above n / 4
// Windows last for about sqrt(kappa) iterations, in which the gap falls by a digit; delta begins near the best one.
constexpr int kShortestWindow = 5;
constexpr double kGrowth = 1.25;

// The theorem's numbers, L = mu = ridge.                                                                     [M28]
//   eta = mu / (2 L),   delta = ( k L / (mu n beta) + 5 beta R / (2 alpha mu n^2) (1 + 8 L / mu) )^-1
// R bounds |A_I|^2 for any k samples. s must bound the rank of the inner minimiser, which is not known: the smaller
// side of X always does.
PdbfwSteps theory_steps(const Problem& p, const Settings& settings) {
  const double mu = p.ridge, L = p.ridge;
  const double beta = p.loss->smoothness(), alpha = p.loss->curvature();
  const auto n = static_cast<double>(p.samples());
  const Index most = std::min(p.d(), p.c());
  PdbfwSteps steps{};
  steps.s = std::min(settings.block_primal.value_or(most), most);
  steps.k = std::min(settings.block_dual.value_or(p.samples()), p.samples());
  const auto k = static_cast<double>(steps.k);
  const double R = std::min(p.map->squared_norm(), k * p.map->largest_squared_sample_norm());
  steps.eta = settings.eta.value_or(mu / (2 * L));
  const double inverse = k * L / (mu * n * beta) + 5 * beta * R / (2 * alpha * mu * n * n) * (1 + 8 * L / mu);
  steps.delta = settings.delta.value_or(1 / inverse);
  return steps;
}

// How much harder the coupling of X and Y is than either alone:  kappa = |A|^2 / (n mu) * beta
double coupling(const Problem& p) {
  const double kappa = p.loss->smoothness() * p.map->squared_norm() / (static_cast<double>(p.samples()) * p.ridge);
  return std::isfinite(kappa) ? std::max(1.0, kappa) : 1;
}

// Both sides move by about 1/sqrt(kappa) of their way, which is as far as they may together (Chambolle, Pock 2011):
//   primal step 1 / (rho mu), rho = sqrt(kappa);     dual step delta / n = beta / sqrt(kappa)
PdbfwSteps first_steps(const Problem& p, const Settings& settings, Index start_rank) {
  PdbfwSteps steps{};
  steps.s = std::min(
      {settings.block_primal.value_or(std::max({kFirstRank, start_rank, std::min(p.d(), p.c()) / kFirstShareOfSide})),
       p.d(), p.c()});
  steps.k = std::min(settings.block_dual.value_or(p.samples()), p.samples());
  steps.eta = settings.eta.value_or(1);
  steps.delta =
      settings.delta.value_or(static_cast<double>(p.samples()) * p.loss->smoothness() / std::sqrt(coupling(p)));
  return steps;
}

std::unique_ptr<PdbfwStepRule> make_step_rule(const Problem& p, const Settings& settings, Index start_rank) {
  if (settings.steps == "theory") return fixed_steps(theory_steps(p, settings));
  const auto n = static_cast<double>(p.samples());
  return adaptive_steps(first_steps(p, settings, start_rank),
                        {.most_s = std::min(p.d(), p.c()),
                         .fewest_k = std::max<Index>(1, p.samples() / kSmallestShareOfN),
                         .most_k = p.samples(),
                         .row_cost = std::max(1.0, p.map->pass_cost() / n),
                         .window = std::max(kShortestWindow, static_cast<int>(std::min(1e3, std::sqrt(coupling(p))))),
                         .growth = kGrowth},
                        settings);
}

class PdbfwEngine final : public Engine {
 public:
  PdbfwEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        n_(static_cast<double>(p.samples())),
        threads_(settings.threads),
        tol_(settings.tol),
        X_(p, start.X),
        Y_(start.Y.rows() > 0 ? start.Y : Matrix::Zero(p.n(), p.k())),
        Z_(p, settings.threads),
        oracle_(p, settings),
        dual_(p, settings),
        blocks_(p.n(), settings),
        rule_(make_step_rule(p, settings, start.X.rank())),
        rho_(settings.steps == "theory" ? 1 : std::sqrt(coupling(p))) {
    owed_ = recompute_products();
    dual_value_ = dual_.value();  // at zero
  }

  [[nodiscard]] std::string name() const override { return "pdbfw"; }
  [[nodiscard]] Estimate estimate() override { return {value_, dual_value_, X_.rank()}; }
  [[nodiscard]] Point point() override { return {X_.factors(), Y_}; }

  void iterate(Run& run) override {
    run.charge(std::exchange(owed_, 0));
    const PdbfwSteps step = rule_->steps();
    const Factors X_tilde = primal_direction(step, run);        // [M27a]
    const double primal_cost = move_primal(step.eta, X_tilde);  // [M27b]
    const double dual_cost = move_dual(dual_block(step));       // [M27c], [M27d]
    run.charge(primal_cost + dual_cost, 1);
    if (++age_ >= kIterationsBeforeRefresh) run.charge(recompute_products());
    double gap = look();
    if (gap <= tol_ && age_ >= kFresh) {
      run.charge(recompute_products());
      gap = look();
    }
    follow(rule_->learn({gap, X_tilde.rank(), primal_cost}), run);
    note_choices(run.settings());
  }

 private:
  // (I1), (I2)
  double recompute_products() {
    age_ = 0;
    const double entries = X_.apply(*p_.map, W_, threads_) + Z_.set(Y_);
    value_ = objective(p_, W_, X_.squared_norm(), threads_);
    return entries;
  }

  // [M27a]  centre = X - (Z/n + mu X) / (L eta),  L = rho mu,   X_tilde = nearest point of C of rank at most s, (1/2,
  // eps/8)
  [[nodiscard]] Factors primal_direction(const PdbfwSteps& step, Run& run) {
    const double M = rho_ * p_.ridge * step.eta;
    const BlockGoal goal{
        .of_X = 1 - p_.ridge / M, .of_Z = -1 / (n_ * M), .s = step.s, .accuracy = tol_ * std::abs(value_) / (8 * M)};
    return oracle_.nearest(goal, {X_, Z_, dot_over_samples(p_, W_, Y_)}, run);
  }

  // [M27b]  X <- (1 - eta) X + eta X_tilde,   W <- (1 - eta) W + eta A(X_tilde)
  double move_primal(double eta, const Factors& X_tilde) {
    X_.blend(eta, X_tilde);
    p_.map->apply(X_tilde, change_, threads_);
    W_ = (1 - eta) * W_ + eta * change_;
    return p_.map->apply_cost(X_tilde.rank());
  }

  // [M27c]  Y_tilde_i = argmax_v (1/n)(<W_i, v> - f_i*(v)) - |v - Y_i|^2 / (2 delta);   I = the k largest
  //         |Y_tilde_i - Y_i|. Of a team, each member takes its share of k among its own rows.
  [[nodiscard]] std::vector<Index> dual_block(const PdbfwSteps& step) {
    p_.loss->dual_proxes(W_, Y_, step.delta / n_, Y_tilde_, threads_);
    const Vector distance = (Y_tilde_ - Y_).rowwise().norm();
    std::vector<Index> block = blocks_.next(own_share(step.k), [&](Index i) { return distance[i]; });
    std::erase_if(block, [&](Index i) { return distance[i] == 0; });
    return block;
  }

  // k n_own / n, rounded up.
  [[nodiscard]] Index own_share(Index k) const { return (k * p_.n() + p_.samples() - 1) / p_.samples(); }

  // [M27d]  Y_I <- Y_tilde_I,   Z <- Z + A_I*(change of Y_I)
  double move_dual(const std::vector<Index>& block) {
    if (block.empty() && !p_.team) return 0;  // else the others may have some
    change_ = Y_tilde_(block, Eigen::all) - Y_(block, Eigen::all);
    if (static_cast<Index>(block.size()) == p_.n())
      Y_.swap(Y_tilde_);
    else
      Y_(block, Eigen::all) = Y_tilde_(block, Eigen::all);
    return Z_.change(block, change_, Y_);
  }

  // The relative gap, from the running products.
  double look() {
    value_ = objective(p_, W_, X_.squared_norm(), threads_);
    dual_value_ = dual_.look(Y_, SumOperator({{-1 / n_, &Z_.Z()}}));
    return (value_ - dual_value_) / std::abs(value_);
  }

  void follow(PdbfwStepRule::Advice advice, Run& run) {
    if (advice == PdbfwStepRule::Advice::remember) {
      remembered_ = std::make_unique<Remembered>(Remembered{X_, Y_, W_, dual_value_});
    } else if (advice == PdbfwStepRule::Advice::go_back && remembered_) {
      X_ = remembered_->X;
      Y_ = remembered_->Y;
      W_ = remembered_->W;
      run.charge(Z_.set(Y_));
      value_ = objective(p_, W_, X_.squared_norm(), threads_);
      dual_value_ = remembered_->dual_value;
    }
  }

  void note_choices(Settings& in_force) const {
    const PdbfwSteps& step = rule_->steps();
    in_force.eta = step.eta;
    in_force.delta = step.delta;
    in_force.block_primal = step.s;
    in_force.block_dual = step.k;
  }

  struct Remembered {
    Iterate X;
    Matrix Y, W;
    double dual_value;
  };

  const Problem& p_;
  double n_;
  int threads_;
  double tol_;
  Iterate X_;
  Matrix Y_, W_;
  Adjoint Z_;
  BlockStep oracle_;
  DualEstimate dual_;
  DualBlocks blocks_;
  std::unique_ptr<PdbfwStepRule> rule_;
  double rho_;                              // L / mu
  std::unique_ptr<Remembered> remembered_;  // the best one, where steps are adaptive
  Matrix Y_tilde_, change_;                 // what the machine needs
  double value_ = 0, dual_value_ = 0;       // P(X) and D(Y)
  double owed_ = 0;                         // multiply-adds before there was a run
  Index age_ = 0;                           // iterations since products were computed anew
};

constexpr std::array<std::string_view, 6> kOptions{"steps", "block_primal", "block_dual", "block_rule", "eta", "delta"};

void refuse(const Problem& p, const Settings& settings) {
  if (settings.steps == "theory" && p.loss->curvature() == 0)
    throw InputError(
        "steps", "theory",
        fmt::format("a loss that is strongly convex where it curves; {} is not, use adaptive", p.loss->name()));
}

}  // namespace

const Solver kPdbfwSolver{.about = {.name = "pdbfw",
                                    .summary = "Primal-Dual Block Frank-Wolfe, Algorithm 2 of the paper",
                                    .reference = "Lei, Zhuo, Caramanis, Dhillon, Dimakis 2019",
                                    .losses = "any; with theory's steps one that is strongly convex where it curves",
                                    .needs_ridge = true,
                                    .options = kOptions,
                                    .takes_team = true},
                          .make_engine = &Solver::make<PdbfwEngine>,
                          .refuse = refuse};

}  // namespace pdbfw::low_rank
