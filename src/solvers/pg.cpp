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
#include "solvers/pg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>

#include "solvers/primal_point.hpp"
#include "solvers/smoothness.hpp"

namespace pdbfw {
namespace {

// SPG2's constants: P may not exceed the largest of so many last values, less this share of the promised fall; the step
// stays in this range; a search that fails so often has met the rounding of P.
constexpr std::size_t kMemory = 10;
constexpr double kSufficientDecrease = 1e-4;
constexpr double kSmallestStep = 1e-30, kLargestStep = 1e30;
constexpr int kMostShortenings = 50;
constexpr double kShortest = 0.1, kLongest = 0.9;  // of the segment, when it is shortened

class PgEngine final : public Engine {
 public:
  PgEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        settings_(settings),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        now_(point_at(p, start.x.empty() ? start_point(p) : start.x)),
        next_(point_at(p, now_.x)) {
    begin();
  }

  [[nodiscard]] std::string name() const override { return "pg"; }
  void radius_has_changed() override {
    p_.set->project(now_.x);
    begin();
  }
  [[nodiscard]] Estimate estimate() override {
    return {now_.value, dual_value(p_, now_.y, now_.u, zone_), count_nonzeros(now_.x)};
  }
  [[nodiscard]] Point point() const override { return {now_.x, now_.y}; }

  void iterate(Monitor& monitor) override {
    monitor.charge(std::exchange(owed_, 0));
    if (is_theory_ && step_ == 0) step_ = scale_ / primal_smoothness(p_, settings_, monitor);
    gradient_step(p_, now_, step_ == 0 ? first_step() : step_, next_.x);
    monitor.charge(evaluate(p_, threads_, next_), 1);
    if (!is_theory_ && !shorten()) {
      step_ = 0;  // begin anew
      return;
    }
    monitor.charge(differentiate(p_, threads_, next_));
    if (!is_theory_) step_ = spectral_step();
    std::swap(now_, next_);
    remember(now_.value);
  }

 private:
  void begin() {
    owed_ = evaluate(p_, threads_, now_) + differentiate(p_, threads_, now_);
    last_values_.assign(1, now_.value);
    if (!is_theory_) step_ = 0;
  }

  [[nodiscard]] double gradient(const PrimalPoint& at, std::size_t j) const {
    return p_.regulariser->curvatures()[static_cast<Index>(j)] * at.x[j] - at.u[j];
  }

  void remember(double value) {
    last_values_.push_back(value);
    if (last_values_.size() > kMemory) last_values_.pop_front();
  }

  // Long enough to reach the border of C, at least in one feature.
  [[nodiscard]] double first_step() const {
    double largest = 0;
    for (std::size_t j = 0; j < now_.x.size(); ++j) largest = std::max(largest, std::abs(gradient(now_, j)));
    return std::clamp(scale_ * p_.set->radius() / largest, kSmallestStep, kLargestStep);
  }

  // next <- now + t (next - now) with the first t = 1, ... at which P has fallen enough:
  //   P(next) <= max of the last values + kSufficientDecrease t <grad P(now), next - now>
  bool shorten() {
    double slope = 0;
    for (std::size_t j = 0; j < now_.x.size(); ++j) slope += gradient(now_, j) * (next_.x[j] - now_.x[j]);
    if (!(slope < 0)) return false;
    const double highest = *std::max_element(last_values_.begin(), last_values_.end());
    double t = 1;  // of the segment from now to next as it stands
    for (int k = 0; k < kMostShortenings; ++k) {
      if (next_.value <= highest + kSufficientDecrease * slope) return true;
      // The minimum of the parabola through P(now), its slope, and P(next).
      t = std::clamp(-slope / (2 * (next_.value - now_.value - slope)), kShortest, kLongest);
      if (std::isnan(t)) t = kShortest;
      for (std::size_t j = 0; j < now_.x.size(); ++j) next_.x[j] = now_.x[j] + t * (next_.x[j] - now_.x[j]);
      for (std::size_t i = 0; i < now_.w.size(); ++i) next_.w[i] = now_.w[i] + t * (next_.w[i] - now_.w[i]);
      next_.value = primal_value(p_, next_.x, next_.w);
      slope *= t;
    }
    return false;
  }

  // <s, s> / <s, g'>,  s and g' the changes of x and of the gradient: the step that fits the curvature along s.
  [[nodiscard]] double spectral_step() const {
    double ss = 0, sg = 0;
    for (std::size_t j = 0; j < now_.x.size(); ++j) {
      const double s = next_.x[j] - now_.x[j];
      ss += s * s;
      sg += s * (gradient(next_, j) - gradient(now_, j));
    }
    return sg > 0 ? std::clamp(scale_ * ss / sg, kSmallestStep, kLargestStep) : kLargestStep;
  }

  const Problem& p_;
  Settings settings_;
  bool is_theory_;
  double scale_;
  int threads_;
  PrimalPoint now_, next_;
  double step_ = 0;  // 0: not known yet
  double owed_ = 0;  // entries touched before there was a monitor
  std::deque<double> last_values_;
  DeadZone zone_;
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
          .takes_intercept = true,
          .takes_free_features = true,
          .takes_streamed = true};
}

std::unique_ptr<Engine> Pg::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<PgEngine>(p, settings, start);
}

}  // namespace pdbfw
