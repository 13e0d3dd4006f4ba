// Projected gradient.
//
//   X <- Proj_C( X - step * grad P(X) )
//
//   steps = theory     step = 1/L:  |X_t - X*|^2 <= (1 - mu/L)^t |X_0 - X*|^2         (Nesterov 2004, Theorem 2.2.8)
//   steps = adaptive   the spectral step, and a search along the segment to the projected point that lets P rise a
//                      little now and then (Birgin, Martinez, Raydan 2000, algorithm SPG2)
//
// Cost of an iteration: A*(Y), A(X) by the factors of X, a projection. The search moves W = A(X) along its own segment
// and costs no product.
#include <algorithm>
#include <cmath>
#include <utility>

#include "baselines/low_rank/baselines.hpp"
#include "baselines/low_rank/primal_point.hpp"
#include "baselines/step_rules.hpp"
#include "steps/low_rank/iterate.hpp"
#include "steps/low_rank/projection.hpp"

namespace pdbfw::low_rank {
namespace {

class PgEngine final : public PrimalPointEngine {
 public:
  PgEngine(const Problem& p, const Settings& settings, const Start& start)
      : PrimalPointEngine(p, settings, start), next_(answer_), projection_(p, settings, Projection::kForSteps) {
    search_.restart(answer_.value);
  }

  [[nodiscard]] std::string name() const override { return "pg"; }
  [[nodiscard]] Estimate estimate() override {
    return {answer_.value, dual_.value(), answer_.has_factors ? answer_.factors.rank() : rank_};
  }

  void iterate(Run& run) override {
    pay(run);
    if (step_ == 0) step_ = is_theory_ ? scale_ / primal_smoothness(p_) : first_step();
    next_.set(projection_(Matrix((1 - step_ * p_.ridge) * answer_.X + step_ * answer_.u)), threads_);
    rank_ = next_.factors.rank();
    run.charge(evaluate(p_, threads_, next_), 1);
    if (!is_theory_ && !shorten()) {
      dual_.look(answer_.Y, answer_.u);  // this may be the solution
      step_ = 0;                         // else begin anew
      return;
    }
    run.charge(differentiate(p_, threads_, next_));
    if (!is_theory_) step_ = spectral_step();
    std::swap(answer_, next_);
    search_.remember(answer_.value);
    if (dual_.is_due(run.work().multiply_adds + projection_.cost())) dual_.look(answer_.Y, answer_.u);
  }

 private:
  // About the size of C.
  [[nodiscard]] double first_step() const {
    return SpectralSearch::in_range(scale_ * p_.set->radius() / (p_.ridge * answer_.X - answer_.u).norm());
  }

  // next <- now + t (next - now) with the first t = 1, ... at which P has fallen enough.
  bool shorten() {
    double slope = dot(p_.ridge * answer_.X - answer_.u, next_.X - answer_.X);
    if (!(slope < 0)) return false;
    for (int k = 0; k < SpectralSearch::kMostShortenings; ++k) {
      if (search_.accepts(next_.value, slope)) return true;
      const double t = SpectralSearch::shorter(answer_.value, next_.value, slope);
      next_.has_factors = false;
      next_.X = answer_.X + t * (next_.X - answer_.X);
      next_.W = answer_.W + t * (next_.W - answer_.W);
      next_.value = primal_value(p_, threads_, next_.X, next_.W);
      slope *= t;
    }
    return false;
  }

  // <S, S> / <S, G>,  S and G the changes of X and of the gradient: the step that fits the curvature along S.
  [[nodiscard]] double spectral_step() const {
    const double bend =
        dot_over_samples(p_, next_.W - answer_.W, next_.Y - answer_.Y) / static_cast<double>(p_.samples());
    const double length = (next_.X - answer_.X).squaredNorm(), change = bend + p_.ridge * length;
    return SpectralSearch::step(scale_, length, change);
  }

  PrimalPoint next_;
  Projection projection_;
  Index rank_ = 0;   // of the last projected point
  double step_ = 0;  // 0: not known yet
  SpectralSearch search_;
};

}  // namespace

const Solver kPgSolver{.about = {.name = "pg",
                                 .summary = "projected gradient, with spectral steps unless theory's are asked for",
                                 .reference = "Nesterov 2004; Birgin, Martinez, Raydan 2000",
                                 .options = kStepOptions,
                                 .takes_team = true},
                       .make_engine = &Solver::make<PgEngine>,
                       .refuse = [](const Problem& p, const Settings&) { require_formed(p, "pg"); }};

}  // namespace pdbfw::low_rank
