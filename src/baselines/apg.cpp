// Accelerated projected gradient, for both families: x is a vector or a matrix.
//
//   x_next = Proj_C( z - grad P(z) / L ),     z = x_next + momentum (x_next - x)
//
//   the momentum of Chambolle and Pock 2016 (baselines/step_rules.hpp)
//   This is FISTA (Beck, Teboulle 2009) for mu = 0, and momentum tends to Nesterov's (1 - sqrt q)/(1 + sqrt q) for
//   mu > 0. For constant L                                               (their Theorem 4.10)
//       P(x_k) - P* <= min( 4/(k+1)^2, (1 + sqrt q)(1 - sqrt q)^k ) (L/2) |x_0 - x*|^2
//
//   steps = theory     L by power iteration, or beta |A|^2 / n + ridge
//   steps = adaptive   L falls a little every iteration, or now and then where a projection is dear, and is raised
//                      whenever P is above its quadratic model at z (Calatroni, Chambolle 2019); momentum begins anew
//                      when it points uphill (O'Donoghue, Candes 2015)
//
// Cost of an iteration: A'y at z, A x by the non-zeros or the factors of x, and a projection; the last two once more
// for every rise of L. A z is a combination of two A x that are known.
#include <algorithm>
#include <cmath>
#include <utility>

#include "baselines/baselines.hpp"
#include "baselines/between_points.hpp"
#include "baselines/low_rank/primal_point.hpp"
#include "baselines/primal_point.hpp"
#include "baselines/step_rules.hpp"
#include "steps/low_rank/iterate.hpp"

namespace pdbfw {
namespace {

constexpr double kFall = 0.9, kRise = 2;
constexpr int kMostRises = 100;
// Differences of P below this share of it are not trusted: they decide about L.
constexpr double kCancellation = 1e-10;

template <class Base>
class ApgEngine final : public Base {
 public:
  ApgEngine(const typename Base::Problem& p, const Settings& settings, const typename Base::Start& start)
      : Base(p, settings, start), z_(answer_), next_(answer_) {}

  [[nodiscard]] std::string name() const override { return "apg"; }

  void iterate(Run& run) override {
    this->pay(run);
    if (L_ == 0) L_ = is_theory_ ? this->smoothness(run) / scale_ : first_smoothness();
    const double last_L = L_;
    if (!is_theory_ && --until_fall_ < 0) L_ *= kFall;
    if (move(run)) {
      until_fall_ = patience_;
      patience_ = std::min(2 * patience_, Base::kLongestPatience);
    } else if (until_fall_ < 0) {
      patience_ = std::min(std::max(patience_ / 2, 1), Base::kLongestPatience);
    }
    if (!is_theory_ && product_of_steps(answer_, next_, z_) > 0) momentum_.restart();  // it points uphill
    extrapolate(last_L);
    run.charge(differentiate(p_, threads_, z_));
    this->look_at_dual_if_due(run);
  }

 private:
  using Base::answer_, Base::is_theory_, Base::p_, Base::scale_, Base::threads_;  // answer_ is x

  void begin() override {
    z_ = answer_;
    momentum_.restart();
  }
  [[nodiscard]] const typename Base::PrimalPoint& proof() const override { return z_; }

  // A step of about the size of C: backtracking finds what is right.
  [[nodiscard]] double first_smoothness() const {
    const double L = gradient_size(p_, z_) / p_.set->radius() / scale_;
    return L > 0 && std::isfinite(L) ? L : 1;
  }

  // next = Proj_C( z - grad P(z) / L ), L raised until P(next) <= P(z) + <grad P(z), next - z> + (L/2) |next - z|^2
  // Returns whether L was raised.
  bool move(Run& run) {
    for (int rise = 0;; ++rise) {
      this->gradient_step(z_, 1 / L_, next_);
      run.charge(evaluate(p_, threads_, next_), 1);
      if (is_theory_ || rise == kMostRises || !run.may_go_on()) return rise > 0;
      const double distance = squared_distance(z_, next_);
      const double excess = distance_from_model(distance) - 0.5 * L_ * distance;
      if (!(excess > 0)) return rise > 0;  // fine, or not a number
      // The curvature that was met, but not much more at once.
      L_ = std::clamp(L_ + 2 * excess / distance, L_ / kFall, L_ * kRise);
    }
  }

  // P(next) - P(z) - <grad P(z), next - z>. Where this is the rounding of P, half the change of the slope along the
  // step, which is the same for a quadratic.
  [[nodiscard]] double distance_from_model(double distance) {
    if (0.5 * L_ * distance > kCancellation * std::abs(z_.value)) return next_.value - z_.value - slope(p_, z_, next_);
    take_derivatives(p_, threads_, next_);
    return 0.5 * change_of_slope(p_, z_, next_);
  }

  // x <- next,  z <- next + momentum (next - x)
  void extrapolate(double last_L) {
    const double momentum = momentum_.next(strong_convexity(p_), L_, last_L);
    go_along(p_, threads_, answer_, next_, 1 + momentum, z_);
    std::swap(answer_, next_);
  }

  typename Base::PrimalPoint z_, next_;
  Momentum momentum_;
  double L_ = 0;  // 0: not known yet
  // In iterations. A rise costs a projection: where that is dear, L stays for a while after one, and each time that a
  // fall was wrong, for twice as long.
  int until_fall_ = 0, patience_ = std::min(1, Base::kLongestPatience);
};

constexpr std::string_view kSummary =
    "accelerated projected gradient, with backtracking and restarts unless theory's steps are asked for";
constexpr std::string_view kReference = "Nesterov 2004; Beck, Teboulle 2009; Chambolle, Pock 2016";

}  // namespace

const Solver kApgSolver{.about = {.name = "apg",
                                  .summary = kSummary,
                                  .reference = kReference,
                                  .options = kStepOptions,
                                  .takes_intercept = true,
                                  .takes_free_features = true,
                                  .takes_streamed = true},
                        .make_engine = &Solver::make<ApgEngine<PrimalPointEngine>>};

const low_rank::Solver low_rank::kApgSolver{
    .about = {.name = "apg", .summary = kSummary, .reference = kReference, .options = kStepOptions, .takes_team = true},
    .make_engine = &Solver::make<ApgEngine<PrimalPointEngine>>,
    .refuse = [](const Problem& p, const Settings&) { require_formed(p, "apg"); }};

}  // namespace pdbfw
