// SVRF, stochastic variance-reduced Frank-Wolfe (Hazan, Luo 2016, Algorithm 1).
//
//   an iteration = an epoch, from a snapshot with its full gradient; for k = 1 .. N:
//     g ~ grad P(x) from a batch of m rows, with the snapshot's full gradient
//     v  = argmin_C <g, v>,     x <- (1 - gamma) x + gamma v
//
//   steps = theory     N = 2^(t+3) - 2 in epoch t,  gamma_k = 2/(k+1),  m_k = 96 (k+1), exact where that is n or more:
//                      E P(x_t) - P* <= L D^2 / 2^(t+1), D the diameter of C (Theorem 1)
//   steps = adaptive   gamma = slope / (L |v - x|^2) with the true slope of P along v - x, which costs O(n) as A x and
//                      A v are kept, and L the curvature met along the way: it falls a little every step and doubles
//                      until P is below its model (Pedregosa, Negiar, Askari, Jaggi 2020). m begins at the rows that
//                      hold d entries and doubles whenever the true slope is less than half of the estimated one. The
//                      first step of an epoch has the exact gradient of the snapshot; the epoch ends when its batches
//                      have cost as much as a snapshot, and at once where m would be n.
//
// Cost of a step: the m rows (twice in theory, where A x is not kept), the column of v, O(n + d).
#include "solvers/svrf.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "linalg/products.hpp"
#include "solvers/primal_point.hpp"
#include "solvers/sampled_gradient.hpp"

namespace pdbfw {
namespace {

constexpr double kTheoryBatch = 96;
constexpr double kTrueShare = 0.5;  // of the estimated slope, else the batch is too small
constexpr double kFall = 0.9, kRise = 2;
constexpr int kMostRises = 100;
// P is known up to its rounding, in this share of it.
constexpr double kRounding = 1e-14;

class SvrfEngine final : public Engine {
 public:
  SvrfEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p),
        is_theory_(settings.steps == "theory"),
        scale_(settings.step_scale),
        threads_(settings.threads),
        gradient_(p, settings.threads, settings.seed),
        snapshot_(point_at(p, start.x.empty() ? start_point(p) : start.x)),
        now_(snapshot_),
        Ae_(p.b.size()),
        has_start_(!start.x.empty()) {
    begin();
  }

  [[nodiscard]] std::string name() const override { return "svrf"; }
  void radius_has_changed() override {
    p_.set->project(snapshot_.x);
    begin();
  }
  [[nodiscard]] Estimate estimate() override {
    return {snapshot_.value, dual_value(p_, snapshot_.y, snapshot_.u, zone_), count_nonzeros(snapshot_.x)};
  }
  [[nodiscard]] Point point() const override { return {snapshot_.x, snapshot_.y}; }

  void iterate(Monitor& monitor) override {
    monitor.charge(std::exchange(owed_, 0));
    if (is_theory_ && epoch_ == 0 && !has_start_) monitor.charge(move_to_best_vertex(p_, threads_, snapshot_), 1);
    now_ = snapshot_;
    if (is_theory_)
      theory_epoch(monitor);
    else
      adaptive_epoch(monitor);
    p_.set->project(now_.x);  // rounding
    monitor.charge(evaluate(p_, threads_, now_) + differentiate(p_, threads_, now_));
    if (is_theory_ || now_.value < snapshot_.value) std::swap(snapshot_, now_);
  }

 private:
  void begin() {
    owed_ = evaluate(p_, threads_, snapshot_) + differentiate(p_, threads_, snapshot_);
    epoch_ = 0;
  }

  [[nodiscard]] Index rows(double count) const {
    return static_cast<Index>(std::min(std::ceil(count), static_cast<double>(p_.n())));
  }

  void theory_epoch(Monitor& monitor) {
    const double length = std::exp2(static_cast<double>(++epoch_ + 3)) - 2;
    for (double k = 1; k <= length && monitor.may_go_on(); ++k) {
      if (k > 1) monitor.charge(gradient_.reduced(rows(kTheoryBatch * (k + 1)), snapshot_, now_));
      find_vertex(monitor);
      step_towards(vertex_, std::min(1.0, scale_ * 2 / (k + 1)), now_.x);
    }
  }

  void adaptive_epoch(Monitor& monitor) {
    const auto entries = static_cast<double>(p_.A->nonzeros()), n = static_cast<double>(p_.n());
    if (batch_ == 0) batch_ = n * static_cast<double>(p_.d()) / std::max(1.0, entries);
    const double enough = monitor.work().multiply_adds + entries;
    adaptive_step(monitor);
    // A step that touches no entry (none of its rows has moved, no row has the vertex's feature) would never end it.
    double before = -1;
    while (batch_ < n && monitor.work().multiply_adds < enough && monitor.work().multiply_adds != before &&
           monitor.may_go_on()) {
      before = monitor.work().multiply_adds;
      p_.loss->derivatives(p_.b, now_.w, now_.y);
      monitor.charge(gradient_.reduced_from_derivatives(rows(batch_), snapshot_, now_));
      adaptive_step(monitor);
    }
  }

  // Along e = v - x; y = f'(w) is current.
  void adaptive_step(Monitor& monitor) {
    find_vertex(monitor);
    e_.assign(now_.x.size(), 0.0);
    step_towards(vertex_, 1, e_);
    std::transform(now_.w.begin(), now_.w.end(), Ae_.begin(), std::negate<>());
    monitor.charge(add_lines(p_.A->by_column(), vertex_.at, vertex_.value, Ae_));
    double estimated = 0, correction = 0, distance = 0;  // <g, e>, <u, e>, |e|^2
    for (std::size_t j = 0; j < e_.size(); ++j) {
      e_[j] -= now_.x[j];
      estimated += g_[j] * e_[j];
      correction += now_.u[j] * e_[j];
      distance += e_[j] * e_[j];
    }
    // g has -u where the gradient has A'y/n.
    const double slope =
        estimated + correction +
        std::inner_product(now_.y.begin(), now_.y.end(), Ae_.begin(), 0.0) / static_cast<double>(p_.n());
    if (slope > kTrueShare * estimated) batch_ *= kRise;
    if (slope < 0) move_along(slope, distance);
  }

  // x <- x + gamma e,  gamma = min(1, -slope / (L |e|^2)), L doubled until P is below its model of curvature L.
  void move_along(double slope, double distance) {
    L_ = L_ == 0 ? -slope / distance : L_ * kFall;
    const PrimalPoint from = now_;
    for (int rise = 0; rise < kMostRises; ++rise, L_ *= kRise) {
      const double gamma = std::min(1.0, scale_ * -slope / (L_ * distance));
      for (std::size_t j = 0; j < e_.size(); ++j) now_.x[j] = from.x[j] + gamma * e_[j];
      for (std::size_t i = 0; i < Ae_.size(); ++i) now_.w[i] = from.w[i] + gamma * Ae_[i];
      now_.value = primal_value(p_, now_.x, now_.w);
      const double model = from.value + gamma * slope + 0.5 * gamma * gamma * L_ * distance;
      if (now_.value <= model + kRounding * std::abs(from.value)) return;
    }
    now_ = from;
  }

  void find_vertex(Monitor& monitor) {
    gradient_at(p_, now_, g_);
    p_.set->linear_oracle(g_, vertex_);
    monitor.charge(0, 1);
  }

  const Problem& p_;
  bool is_theory_;
  double scale_;
  int threads_;
  SampledGradient gradient_;
  PrimalPoint snapshot_, now_;
  SparseAtom vertex_;
  std::vector<double> g_, e_, Ae_;
  bool has_start_;
  Index epoch_ = 0;
  double batch_ = 0;  // 0: not chosen yet
  double L_ = 0;      // 0: not known yet
  double owed_ = 0;   // entries touched before there was a monitor
  DeadZone zone_;
};

}  // namespace

SolverDescription Svrf::describe() const {
  static constexpr std::array<std::string_view, 2> kOptions{"steps", "step_scale"};
  return {.name = "svrf",
          .summary = "stochastic variance-reduced Frank-Wolfe",
          .reference = "Hazan, Luo 2016",
          .losses = "any",
          .sets = "any",
          .needs_ridge = false,
          .options = kOptions};
}

std::unique_ptr<Engine> Svrf::make_engine(const Problem& p, const Settings& settings, const Start& start) const {
  return std::make_unique<SvrfEngine>(p, settings, start);
}

}  // namespace pdbfw
