// Primal-Dual Block Frank-Wolfe, Algorithm 1 of Lei, Zhuo, Caramanis, Dhillon, Dimakis (2019), misprints mended
// (docs/math.md lists them).
//
//   min_{x in C} max_y  g(x) + (1/n) <y, A x> - (1/n) sum_i f_i*(y_i)                                          [M1]
//
//   here     maths                            |  invariants, restored by recompute_products():
//   x, y     iterates                         |    (I1) w = A x        (I2) z = A'y
//   x_tilde  block Frank-Wolfe point          |  cost per iteration: nnz of <= s columns + nnz of k rows of A, and
//   y_tilde  full dual proximal step          |    O(n + d) to select; never nnz(A)
//   eta      primal step in (0, 1]            |
//   delta    dual proximal step               |
//   s, k     primal and dual block size       |
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "core/dual_value.hpp"
#include "core/judge.hpp"
#include "linalg/products.hpp"
#include "solvers/solvers.hpp"
#include "steps/dual_blocks.hpp"
#include "steps/pdbfw_steps.hpp"

namespace pdbfw {
namespace {

// Iterations after which w and z are computed anew, so that rounding cannot pile up.
constexpr Index kIterationsBeforeRefresh = 1'000;

// Entries of x below this share of the radius are dropped.
constexpr double kNegligible = 1e-20;

// The first s and the smallest k of adaptive steps.
constexpr Index kFirstShareOfD = 20, kSmallestBlock = 100;
constexpr Index kSmallestShareOfN = 4;  // k stays above n / 4: fewer rows hardly moved the dual in trials

// What the theory talks about.
struct State {
  std::vector<double> x, y;  // the iterates
  std::vector<double> w, z;  // their products
};

// What the machine needs; sized once.
struct Buffers {
  std::vector<double> v;        // d: centre of the block oracle, then -z/n
  std::vector<double> y_tilde;  // n
  SparseAtom x_tilde;
  std::vector<double> change;  // of the chosen rows of y
  DeadZone zone{};             // of the last dual value: a guess for the next
};

// (I1), (I2)
void recompute_products(const Problem& p, int threads, State& st) {
  multiply(*p.A, st.x, st.w, threads);
  multiply_transposed(*p.A, st.y, st.z, threads);
}

State start_state(const Problem& p, int threads, const Start& start) {
  State st{
      .x = start.x.empty() ? start_point(p) : start.x, .y = start.y, .w = std::vector<double>(p.loss->size()), .z = {}};
  st.y.resize(p.loss->size());
  st.z.resize(st.x.size());
  multiply(*p.A, st.x, st.w, threads);
  if (!start.y.empty()) multiply_transposed(*p.A, st.y, st.z, threads);
  return st;
}

// [M11a]  v = x - (z/n + grad g(x)) / (L eta),   x_tilde = nearest point of C to v with at most s non-zeros
void primal_direction(const Problem& p, const State& st, const PdbfwSteps& step, Buffers& tmp) {
  const double n = static_cast<double>(p.n()), L = p.regulariser->smoothness();
  for (std::size_t j = 0; j < tmp.v.size(); ++j) tmp.v[j] = st.z[j] / n;
  p.regulariser->add_gradient(st.x, tmp.v);
  for (std::size_t j = 0; j < tmp.v.size(); ++j) tmp.v[j] = st.x[j] - tmp.v[j] / (L * step.eta);
  p.set->block_oracle(tmp.v, step.s, tmp.x_tilde);
}

// [M11b]  x <- (1 - eta) x + eta x_tilde,   w <- (1 - eta) w + eta A x_tilde: at most s columns of A
double move_primal(const Problem& p, double eta, SparseAtom& x_tilde, State& st) {
  // An entry that no step renews dies out geometrically; below the rounding of w it is zero.
  const double negligible = kNegligible * p.set->radius();
  for (double& x_j : st.x) x_j = std::abs(x_j) > negligible ? x_j * (1 - eta) : 0;
  for (double& w_i : st.w) w_i *= 1 - eta;
  for (std::size_t k = 0; k < x_tilde.at.size(); ++k) {
    x_tilde.value[k] *= eta;
    st.x[static_cast<std::size_t>(x_tilde.at[k])] += x_tilde.value[k];
  }
  return add_lines(p.A->by_column(), x_tilde.at, x_tilde.value, st.w);
}

// [M11c]  y_tilde_i = argmax_v (1/n)(w_i v - f_i*(v)) - (v - y_i)^2 / (2 delta);   I = the k largest |y_tilde_i - y_i|
std::vector<Index> dual_block(const Problem& p, const State& st, const PdbfwSteps& step, DualBlocks& blocks,
                              Buffers& tmp) {
  p.loss->dual_proxes(st.w, st.y, step.delta / static_cast<double>(p.n()), tmp.y_tilde);
  return blocks.next(step.k, [&](Index i) {
    const auto row = static_cast<std::size_t>(i);
    return std::abs(tmp.y_tilde[row] - st.y[row]);
  });
}

// [M11d]  y_I <- y_tilde_I,   z <- z + A_I' (change of y_I): k rows of A
double move_dual(const Problem& p, std::vector<Index> block, Buffers& tmp, State& st) {
  std::erase_if(block,
                [&](Index i) { return tmp.y_tilde[static_cast<std::size_t>(i)] == st.y[static_cast<std::size_t>(i)]; });
  tmp.change.clear();
  for (const Index i : block) {
    const auto row = static_cast<std::size_t>(i);
    tmp.change.push_back(tmp.y_tilde[row] - st.y[row]);
    st.y[row] = tmp.y_tilde[row];
  }
  return add_lines(p.A->by_row(), block, tmp.change, st.z);
}

// P and D from the running products: O(n + d).
Estimate estimate_of(const Problem& p, const State& st, Buffers& tmp) {
  const double n = static_cast<double>(p.n());
  for (std::size_t j = 0; j < tmp.v.size(); ++j) tmp.v[j] = -st.z[j] / n;
  const Curvatures q = p.regulariser->curvatures();
  tmp.zone = p.set->dead_zone(tmp.v, q, &tmp.zone);
  const auto nonzeros = static_cast<Index>(st.x.size()) - std::count(st.x.begin(), st.x.end(), 0.0);
  return {p.loss->total_value(st.w) / n + p.regulariser->value(st.x),
          set_part(tmp.v, q, tmp.zone, p.set->radius()) - p.loss->total_conjugate(st.y) / n, nonzeros};
}

std::vector<double> squared_row_norms(const Problem& p) {
  std::vector<double> norms(p.loss->size());
  squared_norms(p.A->by_row(), {}, norms);
  return norms;
}

// The theorem's numbers.                                                                                     [M12]
//   eta = mu / (2 L),   delta = (1/k) ( L / (mu n beta) + 5 beta R / (2 alpha mu n^2) (1 + 4 L / mu) )^-1
// s must bound the non-zeros of the inner minimiser, which is not known: d always does. The rate depends on k delta
// alone, so k = n costs nothing in iterations.
PdbfwSteps theory_steps(const Problem& p, const Settings& settings) {
  const double mu = p.regulariser->strong_convexity(), L = p.regulariser->smoothness();
  const double beta = p.loss->smoothness(), alpha = p.loss->curvature();
  const auto n = static_cast<double>(p.n());
  const std::vector<double> norms = squared_row_norms(p);
  const double R = *std::max_element(norms.begin(), norms.end());

  PdbfwSteps steps{};
  steps.s = std::min(settings.block_primal.value_or(p.d()), p.d());
  steps.k = std::min(settings.block_dual.value_or(p.n()), p.n());
  steps.eta = settings.eta.value_or(mu / (2 * L));
  const double inverse = L / (mu * n * beta) + 5 * beta * R / (2 * alpha * mu * n * n) * (1 + 4 * L / mu);
  steps.delta = settings.delta.value_or(1 / (static_cast<double>(steps.k) * inverse));
  return steps;
}

// delta begins where one row alone could step, n mu / |a_i|^2, tempered by sqrt(n) for all that step at once.
PdbfwSteps first_steps(const Problem& p, const Settings& settings) {
  const std::vector<double> norms = squared_row_norms(p);
  double mean = 0;
  for (const double norm : norms) mean += norm / static_cast<double>(norms.size());
  const double mu = p.regulariser->strong_convexity(), L = p.regulariser->smoothness();
  const auto n = static_cast<double>(p.n());
  PdbfwSteps steps{};
  steps.s = settings.block_primal.value_or(std::max(kSmallestBlock, p.d() / kFirstShareOfD));
  steps.k = settings.block_dual.value_or(p.n());
  steps.s = std::min(steps.s, p.d());
  steps.k = std::min(steps.k, p.n());
  steps.eta = settings.eta.value_or(mu / (2 * L));
  steps.delta = settings.delta.value_or(mean > 0 ? n * n * mu / (mean * std::sqrt(n)) : n);
  return steps;
}

std::unique_ptr<PdbfwStepRule> make_step_rule(const Problem& p, const Settings& settings) {
  if (settings.steps == "theory") return fixed_steps(theory_steps(p, settings));
  const auto n = static_cast<double>(p.n());
  return adaptive_steps(first_steps(p, settings),
                        {.most_s = p.d(),
                         .fewest_k = std::max<Index>(1, p.n() / kSmallestShareOfN),
                         .most_k = p.n(),
                         .row_cost = std::max(1.0, static_cast<double>(p.A->nonzeros()) / n)},
                        settings);
}

void note_choices(const PdbfwSteps& step, Settings& in_force) {
  in_force.eta = step.eta;
  in_force.delta = step.delta;
  in_force.block_primal = step.s;
  in_force.block_dual = step.k;
}

class PdbfwEngine final : public Engine {
 public:
  PdbfwEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p), settings_(settings), blocks_(p.n(), settings) {
    begin(start);
  }

  [[nodiscard]] std::string name() const override { return "pdbfw"; }
  void radius_has_changed() override {
    p_.set->project(st_.x);
    begin({std::move(st_.x), std::move(st_.y)});
  }
  [[nodiscard]] Estimate estimate() override { return now_; }
  [[nodiscard]] Point point() override { return {st_.x, st_.y}; }

  void iterate(Run& run) override {
    const PdbfwSteps& step = rule_->steps();
    primal_direction(p_, st_, step, tmp_);                                                   // [M11a]
    const double columns = move_primal(p_, step.eta, tmp_.x_tilde, st_);                     // [M11b]
    const double rows = move_dual(p_, dual_block(p_, st_, step, blocks_, tmp_), tmp_, st_);  // [M11c], [M11d]
    run.charge(columns + rows, 2);
    if (run.work().iterations % kIterationsBeforeRefresh == kIterationsBeforeRefresh - 1) {
      recompute_products(p_, settings_.threads, st_);
      run.charge(2.0 * static_cast<double>(p_.A->nonzeros()));
    }
    now_ = estimate_of(p_, st_, tmp_);
    follow(rule_->learn(
        {(now_.primal - now_.dual) / std::abs(now_.primal), static_cast<Index>(tmp_.x_tilde.at.size()), columns}));
    note_choices(rule_->steps(), run.settings());
  }

 private:
  void begin(const Start& start) {
    st_ = start_state(p_, settings_.threads, start);  // establishes (I1), (I2)
    remembered_ = {};
    tmp_.v.resize(st_.x.size());
    tmp_.y_tilde.resize(st_.y.size());
    rule_ = make_step_rule(p_, settings_);
    now_ = estimate_of(p_, st_, tmp_);
  }

  void follow(PdbfwStepRule::Advice advice) {
    if (advice == PdbfwStepRule::Advice::remember) remembered_ = st_;
    if (advice == PdbfwStepRule::Advice::go_back && !remembered_.x.empty()) st_ = remembered_;
  }

  const Problem& p_;
  const Settings settings_;
  State st_;
  State remembered_;  // the best one, where steps are adaptive
  Buffers tmp_;
  DualBlocks blocks_;
  std::unique_ptr<PdbfwStepRule> rule_;
  Estimate now_{};
};

constexpr std::array<std::string_view, 6> kOptions{"steps", "block_primal", "block_dual", "block_rule", "eta", "delta"};

void refuse(const Problem& p, const Settings& settings) {
  if (settings.steps == "theory" && p.loss->curvature() == 0)
    throw InputError("steps", "theory",
                     "a loss that is strongly convex where it curves; logistic is not, use adaptive");
}

}  // namespace

const Solver kPdbfwSolver{
    .about = {.name = "pdbfw",
              .summary = "Primal-Dual Block Frank-Wolfe, Algorithm 1 of the paper",
              .reference = "Lei, Zhuo, Caramanis, Dhillon, Dimakis 2019",
              .losses = "any; with theory's steps one that is strongly convex where it curves (not logistic)",
              .needs_ridge = true,
              .options = kOptions},
    .make_engine = &Solver::make<PdbfwEngine>,
    .refuse = refuse};

}  // namespace pdbfw
