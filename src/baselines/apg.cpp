// Accelerated projected gradient.
//
//   x_next = Proj_C( z - grad P(z) / L ),     z = x_next + momentum (x_next - x)
//
//   the momentum of Chambolle and Pock 2016 (baselines/step_rules.hpp)
//   This is FISTA (Beck, Teboulle 2009) for mu = 0, and momentum tends to Nesterov's (1 - sqrt q)/(1 + sqrt q) for
//   mu > 0. For constant L                                               (their Theorem 4.10)
//       P(x_k) - P* <= min( 4/(k+1)^2, (1 + sqrt q)(1 - sqrt q)^k ) (L/2) |x_0 - x*|^2
//
//   steps = theory     L by power iteration
//   steps = adaptive   L falls a little every iteration and is raised whenever P is above its quadratic model at z
//                      (Calatroni, Chambolle 2019); momentum begins anew when it points uphill (O'Donoghue, Candes
//                      2015)
//
// Cost of an iteration: A'y at z, and A x by the columns of the non-zeros of x, once more for every rise of L. A z is a
// combination of two A x that are known.
#include <algorithm>
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/line_search.hpp"
#include "baselines/primal_point.hpp"
#include "baselines/step_rules.hpp"
#include "core/judge.hpp"

namespace pdbfw {
namespace {

constexpr double kFall = 0.9, kRise = 2;
constexpr int kMostRises = 100;
// Differences of P below this share of it are not trusted: they decide about L.
constexpr double kCancellation = 1e-10;

class ApgEngine final : public Engine {
 public:
  ApgEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        settings_(settings),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        z_(point_at(p, start.x.empty() ? start_point(p) : start.x)),
        x_(point_at(p, z_.x)),
        next_(x_) {
    begin();
  }

  [[nodiscard]] std::string name() const override { return "apg"; }
  void radius_has_changed() override {
    p_.set->project(x_.x);
    z_.x = x_.x;
    begin();
  }
  [[nodiscard]] Estimate estimate() override {
    return {x_.value, dual_value(p_, z_.y, z_.u, zone_), count_nonzeros(x_.x)};
  }
  [[nodiscard]] Point point() override { return {x_.x, z_.y}; }

  void iterate(Run& run) override {
    run.charge(std::exchange(owed_, 0));
    if (L_ == 0) L_ = is_theory_ ? primal_smoothness(p_, settings_, run) / scale_ : first_smoothness();
    const double last_L = L_;
    if (!is_theory_) L_ *= kFall;
    move(run);
    if (!is_theory_ && momentum_points_uphill()) momentum_.restart();
    extrapolate(last_L);
    run.charge(differentiate(p_, threads_, z_));
  }

 private:
  void begin() {
    owed_ = evaluate(p_, threads_, z_) + differentiate(p_, threads_, z_);
    x_.x = z_.x;
    x_.w = z_.w;
    x_.value = z_.value;
    momentum_.restart();
  }

  [[nodiscard]] double gradient(std::size_t j) const {
    return p_.regulariser->curvatures()[static_cast<Index>(j)] * z_.x[j] - z_.u[j];
  }

  // A step of about the size of C: backtracking finds what is right.
  [[nodiscard]] double first_smoothness() const {
    double largest = 0;
    for (std::size_t j = 0; j < z_.x.size(); ++j) largest = std::max(largest, std::abs(gradient(j)));
    const double L = largest / p_.set->radius() / scale_;
    return L > 0 && std::isfinite(L) ? L : 1;
  }

  // next = Proj_C( z - grad P(z) / L ), L raised until P(next) <= P(z) + <grad P(z), next - z> + (L/2) |next - z|^2
  void move(Run& run) {
    for (int rise = 0;; ++rise) {
      gradient_step(p_, z_, 1 / L_, next_.x);
      run.charge(evaluate(p_, threads_, next_), 1);
      if (is_theory_ || rise == kMostRises || !run.may_go_on()) return;
      double slope = 0, distance = 0;
      for (std::size_t j = 0; j < z_.x.size(); ++j) {
        const double s = next_.x[j] - z_.x[j];
        slope += gradient(j) * s;
        distance += s * s;
      }
      const double excess = distance_from_model(slope, distance) - 0.5 * L_ * distance;
      if (!(excess > 0)) return;  // fine, or not a number
      // The curvature that was met, but not much more at once.
      L_ = std::clamp(L_ + 2 * excess / distance, L_ / kFall, L_ * kRise);
    }
  }

  // P(next) - P(z) - <grad P(z), next - z>. Where this is the rounding of P, half the change of the slope along the
  // step, which is the same for a quadratic:  (1/2n) <f'(w_next) - f'(w_z), w_next - w_z> + (1/2) sum_j q_j s_j^2.
  [[nodiscard]] double distance_from_model(double slope, double distance) {
    if (0.5 * L_ * distance > kCancellation * std::abs(z_.value)) return next_.value - z_.value - slope;
    p_.loss->derivatives(next_.w, next_.y);
    double change = 0, bend = 0;
    for (std::size_t i = 0; i < z_.w.size(); ++i) change += (next_.y[i] - z_.y[i]) * (next_.w[i] - z_.w[i]);
    const Curvatures q = p_.regulariser->curvatures();
    for (std::size_t j = 0; j < z_.x.size(); ++j) {
      const double s = next_.x[j] - z_.x[j];
      bend += q[static_cast<Index>(j)] * s * s;
    }
    return 0.5 * (change / static_cast<double>(p_.n()) + bend);
  }

  [[nodiscard]] bool momentum_points_uphill() const {
    double product = 0;
    for (std::size_t j = 0; j < z_.x.size(); ++j) product += (z_.x[j] - next_.x[j]) * (next_.x[j] - x_.x[j]);
    return product > 0;
  }

  // x <- next,  z <- next + momentum (next - x)
  void extrapolate(double last_L) {
    const double momentum = momentum_.next(p_.regulariser->strong_convexity(), L_, last_L);
    for (std::size_t j = 0; j < z_.x.size(); ++j) z_.x[j] = next_.x[j] + momentum * (next_.x[j] - x_.x[j]);
    for (std::size_t i = 0; i < z_.w.size(); ++i) z_.w[i] = next_.w[i] + momentum * (next_.w[i] - x_.w[i]);
    z_.value = primal_value(p_, z_.x, z_.w);
    std::swap(x_, next_);
  }

  const Problem& p_;
  Settings settings_;
  bool is_theory_;
  double scale_;
  int threads_;
  PrimalPoint z_, x_, next_;
  Momentum momentum_;
  double L_ = 0;     // 0: not known yet
  double owed_ = 0;  // entries touched before there was a run
  DeadZone zone_;
};

}  // namespace

const Solver kApgSolver{
    .about = {.name = "apg",
              .summary =
                  "accelerated projected gradient, with backtracking and restarts unless theory's steps are asked for",
              .reference = "Nesterov 2004; Beck, Teboulle 2009; Chambolle, Pock 2016",
              .options = kStepOptions,
              .takes_intercept = true,
              .takes_free_features = true,
              .takes_streamed = true},
    .make_engine = &Solver::make<ApgEngine>};

}  // namespace pdbfw
