// Projected gradient.
//
//   x <- Proj_C( x - step * grad P(x) )
//
//   steps = theory     step = 1/L:  |x_t - x*|^2 <= (1 - mu/L)^t |x_0 - x*|^2         (Nesterov 2004, Theorem 2.2.8)
//   steps = adaptive   the spectral step, and a search along the segment to the projected point that lets P rise a
//                      little now and then (Birgin, Martinez, Raydan 2000, algorithm SPG2)
//
// Cost of an iteration: A'y, and A x by the columns of the non-zeros of x. The search moves w = A x along its own
// segment and costs no product.
#include <algorithm>
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/line_search.hpp"
#include "baselines/primal_point.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw {
namespace {

class PgEngine final : public PrimalPointEngine {
 public:
  PgEngine(const Problem& p, const Settings& settings, const Start& start)
      : PrimalPointEngine(p, settings, start), next_(point_at(p, answer_.x)) {
    begin();
  }

  [[nodiscard]] std::string name() const override { return "pg"; }

  void iterate(Run& run) override {
    pay(run);
    if (is_theory_ && step_ == 0) step_ = scale_ / primal_smoothness(p_, settings_, run);
    gradient_step(p_, answer_, step_ == 0 ? first_step() : step_, next_.x);
    run.charge(evaluate(p_, threads_, next_), 1);
    if (!is_theory_ && !shorten()) {
      step_ = 0;  // begin anew
      return;
    }
    run.charge(differentiate(p_, threads_, next_));
    if (!is_theory_) step_ = spectral_step();
    std::swap(answer_, next_);
    search_.remember(answer_.value);
  }

 private:
  void begin() override {
    search_.restart(answer_.value);
    if (!is_theory_) step_ = 0;
  }

  [[nodiscard]] double gradient(const PrimalPoint& at, std::size_t j) const {
    return p_.regulariser->curvatures()[static_cast<Index>(j)] * at.x[j] - at.u[j];
  }

  // Long enough to reach the border of C, at least in one feature.
  [[nodiscard]] double first_step() const {
    double largest = 0;
    for (std::size_t j = 0; j < answer_.x.size(); ++j) largest = std::max(largest, std::abs(gradient(answer_, j)));
    return SpectralSearch::in_range(scale_ * p_.set->radius() / largest);
  }

  // next <- now + t (next - now) with the first t = 1, ... at which P has fallen enough.
  bool shorten() {
    double slope = 0;
    for (std::size_t j = 0; j < answer_.x.size(); ++j) slope += gradient(answer_, j) * (next_.x[j] - answer_.x[j]);
    if (!(slope < 0)) return false;
    for (int k = 0; k < SpectralSearch::kMostShortenings; ++k) {
      if (search_.accepts(next_.value, slope)) return true;
      const double t = SpectralSearch::shorter(answer_.value, next_.value, slope);
      for (std::size_t j = 0; j < answer_.x.size(); ++j) next_.x[j] = answer_.x[j] + t * (next_.x[j] - answer_.x[j]);
      for (std::size_t i = 0; i < answer_.w.size(); ++i) next_.w[i] = answer_.w[i] + t * (next_.w[i] - answer_.w[i]);
      next_.value = primal_value(p_, next_.x, next_.w);
      slope *= t;
    }
    return false;
  }

  // <s, s> / <s, g'>,  s and g' the changes of x and of the gradient: the step that fits the curvature along s.
  [[nodiscard]] double spectral_step() const {
    double ss = 0, sg = 0;
    for (std::size_t j = 0; j < answer_.x.size(); ++j) {
      const double s = next_.x[j] - answer_.x[j];
      ss += s * s;
      sg += s * (gradient(next_, j) - gradient(answer_, j));
    }
    return SpectralSearch::step(scale_, ss, sg);
  }

  PrimalPoint next_;
  double step_ = 0;  // 0: not known yet
  SpectralSearch search_;
};

}  // namespace

const Solver kPgSolver{.about = {.name = "pg",
                                 .summary = "projected gradient, with spectral steps unless theory's are asked for",
                                 .reference = "Nesterov 2004; Birgin, Martinez, Raydan 2000",
                                 .options = kStepOptions,
                                 .takes_intercept = true,
                                 .takes_free_features = true,
                                 .takes_streamed = true},
                       .make_engine = &Solver::make<PgEngine>};

}  // namespace pdbfw
