// SVRF, stochastic variance-reduced Frank-Wolfe (Hazan, Luo 2016, Algorithm 1).
//
//   an iteration = an epoch, from a snapshot (answer_) with its full gradient; for k = 1 .. N:
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
#include <algorithm>
#include <cmath>

#include "baselines/baselines.hpp"
#include "baselines/frank_wolfe.hpp"
#include "baselines/primal_point.hpp"
#include "baselines/sampled_gradient.hpp"
#include "baselines/step_rules.hpp"

namespace pdbfw {
namespace {

constexpr double kTheoryBatch = 96;
constexpr double kTrueShare = 0.5;  // of the estimated slope, else the batch is too small
constexpr double kFall = 0.9, kRise = 2;
constexpr int kMostRises = 100;
// P is known up to its rounding, in this share of it.
constexpr double kRounding = 1e-14;

class SvrfEngine final : public PrimalPointEngine {
 public:
  SvrfEngine(const Problem& p, const Settings& settings, const Start& start)
      : PrimalPointEngine(p, settings, start), gradient_(p, settings.threads, settings.seed), now_(answer_) {}

  [[nodiscard]] std::string name() const override { return "svrf"; }

  void iterate(Run& run) override {
    pay(run);
    begin_at_vertex(run);
    now_ = answer_;
    if (is_theory_)
      theory_epoch(run);
    else
      adaptive_epoch(run);
    p_.set->project(now_.x);  // rounding
    run.charge(evaluate(p_, threads_, now_) + differentiate(p_, threads_, now_));
    if (is_theory_ || now_.value < answer_.value) std::swap(answer_, now_);
  }

 private:
  void begin() override { epoch_ = 0; }

  void theory_epoch(Run& run) {
    const double length = std::exp2(static_cast<double>(++epoch_ + 3)) - 2;
    for (double k = 1; k <= length && run.may_go_on(); ++k) {
      if (k > 1) run.charge(gradient_.reduced(batch_of(p_.n(), kTheoryBatch * (k + 1)), answer_, now_));
      find_vertex(run);
      step_towards(vertex_, std::min(1.0, scale_ * 2 / (k + 1)), now_.x);
    }
  }

  void adaptive_epoch(Run& run) {
    const auto entries = static_cast<double>(p_.A->nonzeros()), n = static_cast<double>(p_.n());
    if (batch_ == 0) batch_ = gradient_.first_batch();
    const double enough = run.work().multiply_adds + entries;
    adaptive_step(run);
    // A step that touches no entry (none of its rows has moved, no row has the vertex's feature) would never end it.
    double before = -1;
    while (batch_ < n && run.work().multiply_adds < enough && run.work().multiply_adds != before && run.may_go_on()) {
      before = run.work().multiply_adds;
      p_.loss->derivatives(now_.w, now_.y);
      run.charge(gradient_.reduced_from_derivatives(batch_of(p_.n(), batch_), answer_, now_));
      adaptive_step(run);
    }
  }

  // Along e = v - x; y = f'(w) is current.
  void adaptive_step(Run& run) {
    find_vertex(run);
    run.charge(aim_at(p_, vertex_, now_, e_));
    const double estimated = dot(g_, e_.x), distance = dot(e_.x, e_.x);
    // g has -u where the gradient has A'y/n.
    const double slope = estimated + dot(now_.u, e_.x) + dot(now_.y, e_.w) / static_cast<double>(p_.n());
    if (slope > kTrueShare * estimated) batch_ *= kRise;
    if (slope < 0) move_along(slope, distance);
  }

  // x <- x + gamma e,  gamma = min(1, -slope / (L |e|^2)), L doubled until P is below its model of curvature L.
  void move_along(double slope, double distance) {
    L_ = L_ == 0 ? -slope / distance : L_ * kFall;
    const PrimalPoint from = now_;
    for (int rise = 0; rise < kMostRises; ++rise, L_ *= kRise) {
      const double gamma = std::min(1.0, scale_ * -slope / (L_ * distance));
      for (std::size_t j = 0; j < e_.x.size(); ++j) now_.x[j] = from.x[j] + gamma * e_.x[j];
      for (std::size_t i = 0; i < e_.w.size(); ++i) now_.w[i] = from.w[i] + gamma * e_.w[i];
      now_.value = primal_value(p_, now_.x, now_.w);
      const double model = from.value + gamma * slope + 0.5 * gamma * gamma * L_ * distance;
      if (now_.value <= model + kRounding * std::abs(from.value)) return;
    }
    now_ = from;
  }

  void find_vertex(Run& run) {
    gradient_at(p_, now_, g_);
    p_.set->linear_oracle(g_, vertex_);
    run.charge(0, 1);
  }

  SampledGradient gradient_;
  PrimalPoint now_;
  SparseAtom vertex_;
  std::vector<double> g_;
  Direction e_;
  Index epoch_ = 0;
  double batch_ = 0;  // 0: not chosen yet
  double L_ = 0;      // 0: not known yet
};

}  // namespace

const Solver kSvrfSolver{.about = {.name = "svrf",
                                   .summary = "stochastic variance-reduced Frank-Wolfe",
                                   .reference = "Hazan, Luo 2016",
                                   .options = kStepOptions},
                         .make_engine = &Solver::make<SvrfEngine>};

}  // namespace pdbfw
