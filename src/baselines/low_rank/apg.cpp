// Accelerated projected gradient.
//
//   X_next = Proj_C( Z - grad P(Z) / L ),     Z = X_next + momentum (X_next - X)
//   the momentum of Chambolle and Pock 2016 (baselines/step_rules.hpp)
//
//   This is FISTA (Beck, Teboulle 2009) for mu = 0, and momentum tends to Nesterov's (1 - sqrt q)/(1 + sqrt q) for
//   mu > 0. For constant L                                               (their Theorem 4.10)
//       P(X_k) - P* <= min( 4/(k+1)^2, (1 + sqrt q)(1 - sqrt q)^k ) (L/2) |X_0 - X*|^2
//
//   steps = theory     L = beta |A|^2 / n + ridge
//   steps = adaptive   L falls a little now and then and is raised whenever P is above its quadratic model at Z
//                      (Calatroni, Chambolle 2019); momentum begins anew when it points uphill (O'Donoghue, Candes
//                      2015)
//
// Cost of an iteration: A*(Y) at Z, A(X) by the factors of X, a projection; the last two once more for every rise of L.
// A(Z) is a combination of two A(X) that are known.
#include <algorithm>
#include <cmath>
#include <utility>

#include "baselines/low_rank/baselines.hpp"
#include "baselines/low_rank/primal_point.hpp"
#include "baselines/step_rules.hpp"
#include "steps/low_rank/dual_estimate.hpp"
#include "steps/low_rank/iterate.hpp"
#include "steps/low_rank/projection.hpp"

namespace pdbfw::low_rank {
namespace {

constexpr double kFall = 0.9, kRise = 2;
constexpr int kMostRises = 100;
// A rise costs a projection: L stays for this number of iterations after one, which doubles each time that a fall was
// wrong.
constexpr int kLongestPatience = 16;
// Differences of P below this share of it are not trusted: they decide about L.
constexpr double kCancellation = 1e-10;

class ApgEngine final : public Engine {
 public:
  ApgEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        z_(point_at(p, start.X, settings.threads)),
        projection_(p, settings, Projection::kForSteps),
        dual_(p, settings) {
    owed_ = evaluate(p_, threads_, z_) + differentiate(p_, threads_, z_);
    x_ = next_ = z_;
  }

  [[nodiscard]] std::string name() const override { return "apg"; }
  [[nodiscard]] Estimate estimate() override { return {x_.value, dual_.value(), x_.factors.rank()}; }
  [[nodiscard]] Point point() override { return {x_.factors, dual_.Y()}; }

  void iterate(Run& run) override {
    run.charge(std::exchange(owed_, 0));
    if (L_ == 0) L_ = is_theory_ ? primal_smoothness(p_) / scale_ : first_smoothness();
    const double last_L = L_;
    if (!is_theory_ && --until_fall_ < 0) L_ *= kFall;
    if (move(run)) {
      until_fall_ = patience_;
      patience_ = std::min(2 * patience_, kLongestPatience);
    } else if (until_fall_ < 0) {
      patience_ = std::max(patience_ / 2, 1);
    }
    if (!is_theory_ && momentum_points_uphill()) momentum_.restart();
    extrapolate(last_L);
    run.charge(differentiate(p_, threads_, z_));
    if (dual_.is_due(run.work().multiply_adds + projection_.cost())) dual_.look(z_.Y, z_.u);
  }

 private:
  // A step of about the size of C: backtracking finds what is right.
  [[nodiscard]] double first_smoothness() const {
    const double L = (p_.ridge * z_.X - z_.u).norm() / p_.set->radius() / scale_;
    return L > 0 && std::isfinite(L) ? L : 1;
  }

  // next = Proj_C( Z - grad P(Z) / L ), L raised until P(next) <= P(Z) + <grad P(Z), next - Z> + (L/2) |next - Z|^2
  // Returns whether L was raised.
  bool move(Run& run) {
    for (int rise = 0;; ++rise) {
      next_.set(projection_(Matrix((1 - p_.ridge / L_) * z_.X + z_.u / L_)), threads_);
      run.charge(evaluate(p_, threads_, next_), 1);
      if (is_theory_ || rise == kMostRises || !run.may_go_on()) return rise > 0;
      const Matrix step = next_.X - z_.X;
      const double distance = step.squaredNorm();
      const double excess = distance_from_model(step, distance) - 0.5 * L_ * distance;
      if (!(excess > 0)) return rise > 0;  // fine, or not a number
      // The curvature that was met, but not much more at once.
      L_ = std::clamp(L_ + 2 * excess / distance, L_ / kFall, L_ * kRise);
    }
  }

  // P(next) - P(Z) - <grad P(Z), next - Z>. Where this is the rounding of P, half the change of the slope along the
  // step, which is the same for a quadratic:  (1/2n) <Y_next - Y_Z, W_next - W_Z> + (ridge/2) |next - Z|^2.
  [[nodiscard]] double distance_from_model(const Matrix& step, double distance) {
    if (0.5 * L_ * distance > kCancellation * std::abs(z_.value))
      return next_.value - z_.value - p_.ridge * dot(z_.X, step) + dot(z_.u, step);
    p_.loss->gradients(next_.W, next_.Y, threads_);
    const double change = dot_over_samples(p_, next_.Y - z_.Y, next_.W - z_.W) / static_cast<double>(p_.samples());
    return 0.5 * (change + p_.ridge * distance);
  }

  [[nodiscard]] bool momentum_points_uphill() const { return dot(z_.X - next_.X, next_.X - x_.X) > 0; }

  // X <- next,  Z <- next + momentum (next - X)
  void extrapolate(double last_L) {
    const double momentum = momentum_.next(p_.ridge, L_, last_L);
    z_.has_factors = false;
    z_.X = next_.X + momentum * (next_.X - x_.X);
    z_.W = next_.W + momentum * (next_.W - x_.W);
    z_.value = primal_value(p_, threads_, z_.X, z_.W);
    std::swap(x_, next_);
  }

  const Problem& p_;
  bool is_theory_;
  double scale_;
  int threads_;
  PrimalPoint z_, x_, next_;
  Projection projection_;
  DualEstimate dual_;
  Momentum momentum_;
  double L_ = 0;                       // 0: not known yet
  int until_fall_ = 0, patience_ = 1;  // in iterations
  double owed_ = 0;                    // multiply-adds before there was a run
};

}  // namespace

const Solver kApgSolver{
    .about = {.name = "apg",
              .summary =
                  "accelerated projected gradient, with backtracking and restarts unless theory's steps are asked for",
              .reference = "Nesterov 2004; Beck, Teboulle 2009; Chambolle, Pock 2016",
              .options = kStepOptions,
              .takes_team = true},
    .make_engine = &Solver::make<ApgEngine>,
    .refuse = [](const Problem& p, const Settings&) { require_formed(p, "apg"); }};

}  // namespace pdbfw::low_rank
