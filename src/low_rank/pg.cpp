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
#include "low_rank/pg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <utility>

#include "core/spectral_set.hpp"
#include "low_rank/dual_estimate.hpp"
#include "low_rank/iterate.hpp"
#include "low_rank/over_samples.hpp"
#include "low_rank/primal_point.hpp"
#include "low_rank/projection.hpp"
#include "low_rank/smoothness.hpp"

namespace pdbfw::low_rank {
namespace {

// SPG2's constants: P may not exceed the largest of this number of last values, less this share of the promised fall;
// the step stays in this range; a search that fails so often has met the rounding of P.
constexpr std::size_t kMemory = 10;
constexpr double kSufficientDecrease = 1e-4;
constexpr double kSmallestStep = 1e-30, kLargestStep = 1e30;
constexpr int kMostShortenings = 50;
constexpr double kShortest = 0.1, kLongest = 0.9;  // of the segment, when it is shortened

class PgEngine final : public Engine {
 public:
  PgEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        now_(point_at(p, start.X, settings.threads)),
        projection_(p, settings, Projection::kForSteps),
        dual_(p, settings) {
    owed_ = evaluate(p_, threads_, now_) + differentiate(p_, threads_, now_);
    next_ = now_;
    last_values_.assign(1, now_.value);
  }

  [[nodiscard]] std::string name() const override { return "pg"; }
  [[nodiscard]] Estimate estimate() override {
    return {now_.value, dual_.value(), now_.has_factors ? now_.factors.rank() : rank_};
  }
  [[nodiscard]] Point point() override { return {factors_of(p_, now_), dual_.Y()}; }

  void iterate(Monitor& monitor) override {
    monitor.charge(std::exchange(owed_, 0));
    if (step_ == 0) step_ = is_theory_ ? scale_ / primal_smoothness(p_) : first_step();
    next_.set(projection_(Matrix((1 - step_ * p_.ridge) * now_.X + step_ * now_.u)), threads_);
    rank_ = next_.factors.rank();
    monitor.charge(evaluate(p_, threads_, next_), 1);
    if (!is_theory_ && !shorten()) {
      dual_.look(now_.Y, now_.u);  // this may be the solution
      step_ = 0;                   // else begin anew
      return;
    }
    monitor.charge(differentiate(p_, threads_, next_));
    if (!is_theory_) step_ = spectral_step();
    std::swap(now_, next_);
    remember(now_.value);
    if (dual_.is_due(monitor.work().multiply_adds + projection_.cost())) dual_.look(now_.Y, now_.u);
  }

 private:
  void remember(double value) {
    last_values_.push_back(value);
    if (last_values_.size() > kMemory) last_values_.pop_front();
  }

  // About the size of C.
  [[nodiscard]] double first_step() const {
    return std::clamp(scale_ * p_.set->radius() / (p_.ridge * now_.X - now_.u).norm(), kSmallestStep, kLargestStep);
  }

  // next <- now + t (next - now) with the first t = 1, ... at which P has fallen enough:
  //   P(next) <= max of the last values + kSufficientDecrease t <grad P(now), next - now>
  bool shorten() {
    double slope = dot(p_.ridge * now_.X - now_.u, next_.X - now_.X);
    if (!(slope < 0)) return false;
    const double highest = *std::max_element(last_values_.begin(), last_values_.end());
    for (int k = 0; k < kMostShortenings; ++k) {
      if (next_.value <= highest + kSufficientDecrease * slope) return true;
      // The minimum of the parabola through P(now), its slope, and P(next).
      double t = std::clamp(-slope / (2 * (next_.value - now_.value - slope)), kShortest, kLongest);
      if (std::isnan(t)) t = kShortest;
      next_.has_factors = false;
      next_.X = now_.X + t * (next_.X - now_.X);
      next_.W = now_.W + t * (next_.W - now_.W);
      next_.value = primal_value(p_, threads_, next_.X, next_.W);
      slope *= t;
    }
    return false;
  }

  // <S, S> / <S, G>,  S and G the changes of X and of the gradient: the step that fits the curvature along S.
  [[nodiscard]] double spectral_step() const {
    const double bend = dot_over_samples(p_, next_.W - now_.W, next_.Y - now_.Y) / static_cast<double>(p_.samples());
    const double length = (next_.X - now_.X).squaredNorm(), change = bend + p_.ridge * length;
    return change > 0 ? std::clamp(scale_ * length / change, kSmallestStep, kLargestStep) : kLargestStep;
  }

  const Problem& p_;
  bool is_theory_;
  double scale_;
  int threads_;
  PrimalPoint now_, next_;
  Projection projection_;
  DualEstimate dual_;
  Index rank_ = 0;   // of the last projected point
  double step_ = 0;  // 0: not known yet
  double owed_ = 0;  // multiply-adds before there was a monitor
  std::deque<double> last_values_;
};

}  // namespace

SolverDescription Pg::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "pg",
          .summary = "projected gradient, with spectral steps unless theory's are asked for",
          .reference = "Nesterov 2004; Birgin, Martinez, Raydan 2000",
          .losses = "any",
          .sets = "any",
          .needs_ridge = false,
          .options = kOptions,
          .takes_team = true};
}

void Pg::check(const Problem& p, const Settings& settings) const {
  Solver::check(p, settings);
  require_formed(p, name());
}

std::unique_ptr<Engine> Pg::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<PgEngine>(p, settings, start);
}

}  // namespace pdbfw::low_rank
