#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "core/spectral_set.hpp"
#include "linalg/dense_product.hpp"
#include "low_rank/loss_side.hpp"
#include "low_rank/solvers.hpp"
#include "steps/low_rank/projection.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The smaller side of A for which a dense decomposition is worth while, and the numbers in the largest matrix kept.
constexpr Index kLargestSide = 3000;
constexpr double kLargestKept = 5e7;

// The accuracy, relative to its value, of the linear oracle that bounds the gap without a ridge: only an estimate.
constexpr double kRoughly = 0.1;
// Singular values of Z below this share of the largest are the rounding of the solves.
constexpr double kRoundingOfSolves = 1e-11;

// min over X = Z of  loss(A X)/n + (ridge/2) |X|^2 + [Z in C], by the steps
//   X  = argmin  loss(A X)/n + (ridge/2) |X|^2 + (rho/2) |X - Z + N/rho|^2
//   V  = alpha X + (1 - alpha) Z + N/rho
//   Z <- Proj_C(V),   N <- rho (V - Z)
// and rho by the balance of |X - Z| with the step of Z. N is in the normal cone of C at Z, so the gap is at hand
// without a spectrum. [M31] Cost: one decomposition of A; an iteration is a spectral step, and for a loss that is not
// quadratic 3 products with A.
class SplittingEngine final : public Engine {
 public:
  SplittingEngine(const Problem& problem, const Settings& settings, Start start)
      : p_(problem),
        threads_(settings.threads),
        start_(std::move(start)),
        project_(problem, settings, Projection::kForSteps),
        top_of_excess_(problem.set->spectrum(), settings.threads, settings.seed) {}

  [[nodiscard]] std::string name() const override { return "splitting"; }

  void iterate(Run& run) override {
    estimate_.reset();
    if (!loss_) prepare(run);
    const bool is_free = iteration_ == 0 && loss_->has_free_minimiser() && start_.X.rank() == 0;
    ++iteration_;
    if (is_free) {  // the minimiser without the set may lie in it
      X_ = loss_->minimise(p_.ridge, Matrix::Zero(set_.Z.rows(), p_.c()), run);
      move_to_set(X_, run);
      return;
    }
    const double rho = set_.penalty;
    X_ = loss_->minimise(p_.ridge + rho, rho * set_.Z - set_.N, run);
    const Matrix V = kRelaxation * X_ + (1 - kRelaxation) * set_.Z + set_.N / rho;
    const Matrix last = set_.Z;
    move_to_set(V, run);
    set_.N = rho * (V - set_.Z);
    set_.penalty *= balancing_factor((X_ - set_.Z).norm(), (set_.Z - last).norm(), iteration_);
  }

  [[nodiscard]] Estimate estimate() override {
    if (!estimate_) estimate_ = loss_ ? estimate_now() : at_start();
    return *estimate_;
  }

  [[nodiscard]] Point point() override {
    if (!loss_) return {start_.X.rows() > 0 ? start_.X : Factors::zero(p_.d(), p_.c()), start_.Y};
    return {{space_->outside(set_.factors.U), set_.factors.s, set_.factors.V}, loss_->dual_point()};
  }

 private:
  void prepare(Run& run) {
    space_ = std::make_unique<RowCoordinates>(p_, threads_);
    run.charge(space_->preparation() + p_.map->pass_cost() + space_->move_cost(p_.c()));
    if (p_.loss->is_quadratic())
      loss_ = std::make_unique<QuadraticSide>(p_, *space_, threads_);
    else
      loss_ = std::make_unique<SplitSide>(p_, *space_, start_, threads_);
    set_.penalty = p_.ridge + p_.loss->smoothness() * space_->typical();
    if (!(set_.penalty > 0)) set_.penalty = 1;  // A = 0 and no ridge: all is the same
    set_.Z = set_.N = Matrix::Zero(space_->rows(), p_.c());
    set_.factors = Factors::zero(space_->rows(), p_.c());
    if (start_.X.rank() > 0) begin_at_start();
  }

  // Z, and N by the dual point: E = 0 there.
  void begin_at_start() {
    set_.factors = {space_->inside(start_.X.U), start_.X.s, start_.X.V};
    set_.Z = set_.factors.dense();
    if (start_.Y.rows() == 0) return;
    Matrix u = Matrix::Zero(p_.d(), p_.c());
    p_.map->add_adjoint(start_.Y, -1 / static_cast<double>(p_.n()), u, threads_);
    set_.N = space_->inside(std::move(u)) - p_.ridge * set_.Z;
  }

  [[nodiscard]] Estimate at_start() {
    Matrix W;
    p_.map->apply(point().X, W, threads_);
    return {p_.loss->total_value(W, threads_) / static_cast<double>(p_.n()) + 0.5 * p_.ridge * start_.X.s.squaredNorm(),
            -kInfinity, start_.X.rank()};
  }

  [[nodiscard]] Estimate estimate_now() {
    const double primal = loss_->value(set_) + 0.5 * p_.ridge * set_.factors.s.squaredNorm();
    const DualView dual = loss_->look(set_, X_);
    return {primal, primal - dual.loss_gap - set_gap(dual.excess), set_.factors.rank()};
  }

  // Z = Proj_C(V)
  void move_to_set(const Matrix& V, Run& run) {
    const double before = project_.cost();
    Factors& Z = set_.factors;
    Z = is_symmetric() ? project_(Matrix(0.5 * (V + V.transpose()))) : project_(V);
    Index rank = Z.rank();
    while (rank > 0 && Z.s[rank - 1] <= kRoundingOfSolves * Z.s[0]) --rank;
    Z = Z.head(rank);
    set_.Z = times_transposed(Z.U * Z.s.asDiagonal(), Z.V, threads_);
    run.charge(0, 1);
    run.charge_other(project_.cost() - before + static_cast<double>(V.size() * rank));
  }

  // C holds symmetric matrices only: of any other one the symmetric part counts.
  [[nodiscard]] bool is_symmetric() const { return p_.set->spectrum() == Spectrum::eigenvalues; }

  // max_{Z' in C} <E, Z' - Z> - (ridge/2) |Z' - Z|^2  <=  |E|^2 / (2 ridge)  and  max_{Z' in C} <E, Z'> - <E, Z>
  [[nodiscard]] double set_gap(const Matrix& E) {
    const double by_ridge = p_.ridge > 0 ? 0.5 * E.squaredNorm() / p_.ridge : kInfinity;
    const double at_Z = E.cwiseProduct(set_.Z).sum();
    if (!(by_ridge > 0)) return 0;
    const Matrix down = is_symmetric() ? Matrix(-0.5 * (E + E.transpose())) : Matrix(-E);
    const Factors atom = p_.set->linear_oracle(DenseOperator(down), top_of_excess_, kRoughly);
    return std::min(by_ridge, std::max(0.0, inner_product(E, atom) - at_Z));
  }

  const Problem& p_;
  int threads_;
  Start start_;
  std::unique_ptr<RowCoordinates> space_;
  std::unique_ptr<LossSide> loss_;
  SetSide set_;
  Matrix X_;
  Projection project_;
  TopSpectrum top_of_excess_;
  Index iteration_ = 0;
  std::optional<Estimate> estimate_;  // of this iteration
};

void refuse(const Problem& problem, const Settings& /*settings*/) {
  if (!splitting_applies(problem))
    throw InputError(
        "solver", "splitting",
        fmt::format("only for rows of A times X, at most {} rows or columns of A, matrices of at most {:g} "
                    "numbers",
                    kLargestSide, kLargestKept));
}

}  // namespace

bool splitting_applies(const Problem& p) {
  const DataMatrix* const A = p.map->design();
  if (A == nullptr || std::min(p.n(), p.d()) > kLargestSide) return false;
  const auto n = static_cast<double>(p.n()), d = static_cast<double>(p.d()), c = static_cast<double>(p.c());
  return d * std::min(n, d) <= kLargestKept && n * c <= kLargestKept && d * c <= kLargestKept;
}

const Solver kSplittingSolver{
    .about =
        {.name = "splitting",
         .summary =
             "splits the loss from the set; the loss's step is an exact solve in A, so its condition does not matter",
         .reference = "pdbfw; Eckstein, Bertsekas 1992",
         .sets = "any; of the maps only A X, A with at most 3000 rows or columns"},
    .make_engine = &Solver::make<SplittingEngine>,
    .refuse = refuse};

}  // namespace pdbfw::low_rank
