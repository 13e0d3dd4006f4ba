// X in factors, for problems whose d x c numbers are too many, or whose solution has low rank.
//
// The solution lies on the manifold of the matrices of its rank, on which P is smooth. Projected gradients find that
// rank (the projection sets singular values to zero) and lower P from everywhere; once the rank has settled, Newton's
// method on the factors converges as fast as Newton's method does, and the next projected gradient tells whether the
// rank was right after all: it adds what singular vectors of the gradient exceed the multiplier, and drops what falls
// below. Newton's method begins without the singular values that are on their way to zero, and what it finds counts if
// P is lower there; so P falls in any case, and each has its turn as long as it is worth its price.
//
//   a step          accelerated projected gradient in a moving subspace       [M36]   subspace_step.hpp
//   Newton          on the factors, at the rank that was found                [M37]   factor_newton.hpp
//   the estimate    P(X) - D(Y),  Y = grad f(A(X))                            [M25]
//
// An iteration is one step of either. No matrix of d x c numbers is ever formed.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/spectral_set.hpp"
#include "low_rank/factor_newton.hpp"
#include "low_rank/solvers.hpp"
#include "low_rank/subspace_step.hpp"

namespace pdbfw::low_rank {
namespace {

// Newton's method is tried after this number of steps at one rank. Where steps would have done better, the next
// trial waits twice as long.
constexpr Index kSettled = 4;
// Rejected Newton steps in a row after which the model is of no use here.
constexpr int kMostRejections = 3;
// The gap is looked at when this many times its price was spent on other things.
constexpr double kBetweenLooks = 4;
// How accurate the spectrum must be: what it may miss of the gap as it was, in bounds.
constexpr double kShareOfGap = 0.1, kRoughest = 1e-3, kFinest = 1e-9;
// Singular values that lie below the others by this factor are on their way to zero.
constexpr double kClearGap = 4;

// Where the values fall most, if they fall by a clear gap; else all of them.
Index clear_rank(const Vector& s) {
  Index rank = s.size();
  double most = kClearGap;
  for (Index k = 1; k < s.size(); ++k)
    if (s[k - 1] >= most * s[k]) {
      most = s[k - 1] / s[k];
      rank = k;
    }
  return rank;
}

class FactoredEngine final : public Engine {
 public:
  FactoredEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        threads_(settings.threads),
        adjoints_(p),
        x_(evaluated(p, start.X.rows() > 0 ? start.X : Factors::zero(p.d(), p.c()), threads_)),
        step_(p, adjoints_, settings, x_),
        newton_(p, adjoints_, threads_),
        top_(p.set->spectrum(), threads_, settings.seed),
        dual_at_zero_(-p.loss->total_conjugate(Matrix::Zero(p.n(), p.k()), threads_) /
                      static_cast<double>(p.samples())),
        dual_(dual_at_zero_) {}

  [[nodiscard]] std::string name() const override { return "factored"; }
  [[nodiscard]] Estimate estimate() override {
    return {newton_is_better() ? newton_.value() : x_.value, dual_, x_.X.rank()};
  }
  [[nodiscard]] Point point() override { return {newton_is_better() ? newton_.point().X : x_.X, {}}; }

  void iterate(Run& run) override {
    if (is_newton_)
      newton_iteration(run);
    else
      step_iteration(run);
    if (run.effort() - looked_at_ >= kBetweenLooks * price_of_look_) look(run);
  }

 private:
  [[nodiscard]] bool newton_is_better() const { return is_newton_ && newton_.value() < x_.value; }

  void step_iteration(Run& run) {
    const double effort = run.effort();
    step_.move(x_, run);
    compare(run.effort() - effort);
    const Index rank = is_truncating_ ? clear_rank(x_.X.s) : x_.X.rank();
    settled_ = rank == last_rank_ && rank > 0 && !step_.is_full() ? settled_ + 1 : 0;
    last_rank_ = rank;
    if (--wait_ > 0 || settled_ < kSettled) return;
    newton_.begin(rank == x_.X.rank() ? x_ : truncated(rank, run), run);
    is_newton_ = true;
    rejections_ = 0;
    newton_effort_ = run.effort();
  }

  // How fast the decrease of P falls, per effort: that of steps against that of the Newton phase before them.
  void compare(double effort) {
    const double decrease = std::max(step_.decrease(), 0.0) + kRounding * std::abs(x_.value);
    if (was_newton_) {
      const double by_newton = std::log(last_decrease_ / decrease) / spent_by_newton_;
      trial_ = by_newton >= rate_of_steps_ ? kSettled : 2 * trial_;
      wait_ = trial_;
      was_newton_ = false;
      rate_of_steps_ = 0;
    } else if (last_decrease_ > 0) {
      const double rate = std::log(last_decrease_ / decrease) / effort;
      rate_of_steps_ += 0.3 * (rate - rate_of_steps_);
    }
    last_decrease_ = decrease;
  }

  [[nodiscard]] FactoredPoint truncated(Index rank, Run& run) const {
    run.charge(p_.map->apply_cost(rank));
    return evaluated(p_, x_.X.head(rank), threads_);
  }

  void newton_iteration(Run& run) {
    const FactorNewton::Outcome outcome = newton_.move(run);
    rejections_ = outcome == FactorNewton::Outcome::stayed ? rejections_ + 1 : 0;
    if (outcome == FactorNewton::Outcome::moved || (rejections_ > 0 && rejections_ < kMostRejections)) return;
    const bool is_better = newton_is_better();
    is_newton_ = false;
    settled_ = 0;
    if (!is_better) {
      is_truncating_ = !is_truncating_;  // what was left out may be needed
      if (is_truncating_) trial_ *= 2;
      wait_ = trial_;
      return;
    }
    x_ = newton_.point();
    was_newton_ = true;
    spent_by_newton_ = run.effort() - newton_effort_;
    step_.restart();
  }

  // D(Y) of Y = grad f(A(X)), with the part of the spectrum that the set can see.
  void look(Run& run) {
    const double effort = run.effort(), work = top_.multiply_adds();
    const auto n = static_cast<double>(p_.samples());
    Matrix Y;
    p_.loss->gradients(newton_is_better() ? newton_.W() : x_.W, Y, threads_);
    const auto adjoint = adjoints_(Y);
    const SumOperator u({{-1 / n, adjoint.get()}});
    const Index seen = p_.ridge > 0 ? x_.X.rank() + width_beyond(x_.X.rank()) : 1;
    const Factors top = top_.largest(u, std::min({seen, p_.d(), p_.c()}), look_accuracy_);
    // min { (ridge/2) |q|^2 - <q, sigma> : q >= 0, sum q <= radius }
    double part = 0;
    if (p_.ridge > 0) {
      const Vector q = p_.set->project_spectrum(top.s / p_.ridge);
      part = 0.5 * p_.ridge * q.squaredNorm() - q.dot(top.s.head(q.size()));
    } else if (top.rank() > 0) {
      part = -p_.set->radius() * std::max(0.0, top.s[0]);
    }
    dual_ = std::max(dual_at_zero_, part - p_.loss->total_conjugate(Y, threads_) / n);
    const double gap = estimate().primal - dual_, size = top.rank() > 0 ? p_.set->radius() * top.s[0] : 0;
    look_accuracy_ = size > 0 ? std::clamp(kShareOfGap * gap / size, kFinest, kRoughest) : kRoughest;
    run.charge(top_.multiply_adds() - work, 1);
    looked_at_ = run.effort();
    price_of_look_ = looked_at_ - effort;
  }

  static constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

  const Problem& p_;
  int threads_;
  Adjoints adjoints_;
  FactoredPoint x_;
  SubspaceStep step_;
  FactorNewton newton_;
  TopSpectrum top_;  // of the gradient, from one look to the next
  bool is_newton_ = false;
  double dual_at_zero_, dual_;                // D(0), and the best of that and the last look
  double looked_at_ = 0, price_of_look_ = 0;  // effort
  double look_accuracy_ = kRoughest;

  bool is_truncating_ = true;  // Newton's method begins at clear_rank()
  Index last_rank_ = 0;
  Index settled_ = 0;                  // steps since the rank changed
  Index trial_ = kSettled, wait_ = 0;  // steps between two Newton phases, and until the next one
  int rejections_ = 0;                 // of Newton steps, in a row
  bool was_newton_ = false;            // before this step
  double newton_effort_ = 0, spent_by_newton_ = 1;
  double last_decrease_ = 0;  // of P, by a step
  double rate_of_steps_ = 0;  // at which its logarithm falls, per effort
};

}  // namespace

const Solver kFactoredSolver{
    .about = {.name = "factored",
              .summary = "X in factors: projected gradients in a moving subspace, and Newton's method on the factors",
              .reference = "pdbfw",
              .takes_team = true},
    .make_engine = &Solver::make<FactoredEngine>};

}  // namespace pdbfw::low_rank
