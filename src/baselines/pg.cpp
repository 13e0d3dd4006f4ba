// Projected gradient, for both families: x is a vector or a matrix.
//
//   x <- Proj_C( x - step * grad P(x) )
//
//   steps = theory     step = 1/L:  |x_t - x*|^2 <= (1 - mu/L)^t |x_0 - x*|^2         (Nesterov 2004, Theorem 2.2.8)
//   steps = adaptive   the spectral step, and a search along the segment to the projected point that lets P rise a
//                      little now and then (Birgin, Martinez, Raydan 2000, algorithm SPG2)
//
// Cost of an iteration: A'y, A x by the non-zeros or the factors of x, a projection. The search moves w = A x along its
// own segment and costs no product.
#include <algorithm>
#include <utility>

#include "baselines/baselines.hpp"
#include "baselines/between_points.hpp"
#include "baselines/low_rank/primal_point.hpp"
#include "baselines/primal_point.hpp"
#include "baselines/step_rules.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw {
namespace {

template <class Base>
class PgEngine final : public Base {
 public:
  PgEngine(const typename Base::Problem& p, const Settings& settings, const typename Base::Start& start)
      : Base(p, settings, start), next_(answer_) {
    begin();
  }

  [[nodiscard]] std::string name() const override { return "pg"; }

  void iterate(Run& run) override {
    this->pay(run);
    if (step_ == 0) step_ = is_theory_ ? scale_ / this->smoothness(run) : first_step();
    this->gradient_step(answer_, step_, next_);
    run.charge(evaluate(p_, threads_, next_), 1);
    if (!is_theory_ && !shorten()) {
      this->look_at_dual();  // this may be the solution
      step_ = 0;             // else begin anew
      return;
    }
    run.charge(differentiate(p_, threads_, next_));
    if (!is_theory_)
      step_ = SpectralSearch::step(scale_, squared_distance(answer_, next_), change_of_slope(p_, answer_, next_));
    std::swap(answer_, next_);
    search_.remember(answer_.value);
    this->look_at_dual_if_due(run);
  }

 private:
  using Base::answer_, Base::is_theory_, Base::p_, Base::scale_, Base::threads_;

  void begin() override {
    search_.restart(answer_.value);
    if (!is_theory_) step_ = 0;
  }

  // About the size of C.
  [[nodiscard]] double first_step() const {
    return SpectralSearch::in_range(scale_ * p_.set->radius() / gradient_size(p_, answer_));
  }

  // next <- now + t (next - now) with the first t = 1, ... at which P has fallen enough.
  bool shorten() {
    const double first_fall = slope(p_, answer_, next_);
    if (!is_no_higher(answer_.value + first_fall, answer_.value)) return false;
    double fall = std::min(first_fall, 0.0);  // near the solution it drowns in the rounding of x
    for (int k = 0; k < SpectralSearch::kMostShortenings; ++k) {
      if (search_.accepts(next_.value, fall)) return true;
      const double t = SpectralSearch::shorter(answer_.value, next_.value, fall);
      go_along(p_, threads_, answer_, next_, t, next_);
      fall *= t;
    }
    return false;
  }

  typename Base::PrimalPoint next_;
  double step_ = 0;  // 0: not known yet
  SpectralSearch search_;
};

constexpr std::string_view kSummary = "projected gradient, with spectral steps unless theory's are asked for";
constexpr std::string_view kReference = "Nesterov 2004; Birgin, Martinez, Raydan 2000";

}  // namespace

const Solver kPgSolver{.about = {.name = "pg",
                                 .summary = kSummary,
                                 .reference = kReference,
                                 .options = kStepOptions,
                                 .takes_intercept = true,
                                 .takes_free_features = true,
                                 .takes_streamed = true},
                       .make_engine = &Solver::make<PgEngine<PrimalPointEngine>>};

const low_rank::Solver low_rank::kPgSolver{
    .about = {.name = "pg", .summary = kSummary, .reference = kReference, .options = kStepOptions, .takes_team = true},
    .make_engine = &Solver::make<PgEngine<PrimalPointEngine>>,
    .refuse = [](const Problem& p, const Settings&) { require_formed(p, "pg"); }};

}  // namespace pdbfw
