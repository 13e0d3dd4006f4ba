// Block Frank-Wolfe (Allen-Zhu, Hazan, Hu, Li 2017, as in Section 3.2 of the paper): a step towards the best point with
// at most s non-zeros instead of towards a vertex.
//
//   x_tilde = nearest point of C to x - grad P(x) / M with at most s non-zeros,      x <- x + eta (x_tilde - x)
//   theory:    eta = mu / (2 L),  M = L eta,  s = d unless given:   P(x) - P* falls by the factor 1 - mu/(4 L) a step
//   adaptive:  eta = 1 if P falls enough, else the one that minimises P on the way to x_tilde; M is the curvature of P
//              along the last step (Barzilai, Borwein 1988); s begins small and doubles when it has bound for a while,
//              or leads nowhere
//
// L and mu are those of P as a whole. Cost per iteration: one A'y, at most s columns of A, and O(n + d); or, for a
// quadratic loss and few features, s columns of A'A only. adaptive takes ridge 0.
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>

#include "baselines/baselines.hpp"
#include "baselines/block_gradient.hpp"
#include "baselines/line_search.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

struct BlockSteps {
  double M;  // curvature of the model whose minimiser x_tilde is
  Index s;   // most non-zeros of x_tilde
  double eta;
};

class StepRule {
 public:
  StepRule(const Problem& p, const Settings& settings, Run& run)
      : d_(p.d()), is_theory_(settings.steps == "theory"), s_is_given_(settings.block_primal.has_value()) {
    const double mu = p.regulariser->strong_convexity();
    if (is_theory_) {
      const double L = primal_smoothness(p, settings, run);
      steps_.eta = std::min(1.0, settings.step_scale * mu / (2 * L));
      steps_.M = L * steps_.eta;
    } else {
      steps_.M = largest_diagonal(p, run);
      smallest_M_ = std::max(mu / 2, kFarthest * steps_.M);
      largest_M_ = std::max(steps_.M / kFarthest, smallest_M_);
    }
    const Index s = is_theory_ ? p.d() : std::max(kSmallestBlock, p.d() / kFirstShareOfD);
    steps_.s = std::min(settings.block_primal.value_or(s), p.d());
  }

  [[nodiscard]] const BlockSteps& steps() const { return steps_; }

  // eta of this iteration, given what the line search found.
  double eta(const Settings& settings, double found) const {
    return is_theory_ ? steps_.eta : std::min(1.0, settings.step_scale * found);
  }
  [[nodiscard]] bool needs_line_search() const { return !is_theory_; }

  // After an iteration that changed x and the gradient by dx and dg.
  void learn(double found, Index nonzeros, const std::vector<double>& dx, const std::vector<double>& dg) {
    if (is_theory_) return;
    const double length = dot(dx, dx);
    steps_.M = std::clamp(length > 0 ? dot(dx, dg) / length : 2 * steps_.M, smallest_M_, largest_M_);
    bound_for_ = nonzeros >= steps_.s ? bound_for_ + 1 : 0;
    if (s_is_given_ || steps_.s == d_ || (found > 0 && bound_for_ < kWindow)) return;
    steps_.s = std::min(2 * steps_.s, d_);
    bound_for_ = 0;
  }

 private:
  static constexpr int kWindow = 5;
  static constexpr Index kSmallestBlock = 100;
  static constexpr Index kFirstShareOfD = 20;  // s begins at d / 20
  static constexpr double kFarthest = 1e-9;    // M stays within this of where it began

  // max_j of beta |a_j|^2 / n + q_j, which bounds every entry of the Hessian's diagonal.
  static double largest_diagonal(const Problem& p, Run& run) {
    std::vector<double> norms(static_cast<std::size_t>(p.d()));
    squared_norms(p.A->by_column(), {}, norms);
    run.charge(static_cast<double>(p.A->nonzeros()));
    const double norm = *std::max_element(norms.begin(), norms.end());
    const double M = p.loss->smoothness() * norm / static_cast<double>(p.n()) + p.regulariser->smoothness();
    return M > 0 && std::isfinite(M) ? M : 1;
  }

  Index d_;
  bool is_theory_, s_is_given_;
  BlockSteps steps_{};
  double smallest_M_ = 0, largest_M_ = 0;
  int bound_for_ = 0;  // iterations
};

// All the way if P falls enough there, else to the lowest point.
double line_search(const BlockGradient& at) { return at.falls_all_the_way() ? 1 : at.exact_step(); }

class BlockFwEngine final : public Engine {
 public:
  BlockFwEngine(const Problem& p, const Settings& settings, const Start& start, GradientFrom from)
      : p_(p),
        settings_(settings),
        by_gram_(from == GradientFrom::gram || (from == GradientFrom::whichever_is_cheaper && gram_pays(p))),
        at_(gradient_at(start)) {}

  [[nodiscard]] std::string name() const override { return "block_fw"; }
  void radius_has_changed() override {
    std::vector<double> x = at_->x();
    p_.set->project(x);
    at_ = gradient_at({std::move(x)});
    rule_.reset();
  }
  [[nodiscard]] Estimate estimate() override { return at_->estimate(); }
  [[nodiscard]] Point point() override { return at_->point(); }

  void iterate(Run& run) override {
    run.charge(at_->owed());
    if (!rule_) rule_.emplace(p_, settings_, run);
    const BlockSteps& step = rule_->steps();
    dx_ = at_->x();
    dg_ = at_->gradient();
    v_.resize(dx_.size());
    for (std::size_t j = 0; j < v_.size(); ++j) v_[j] = dx_[j] - dg_[j] / step.M;
    p_.set->block_oracle(v_, step.s, x_tilde_);
    run.charge(0, 1);
    at_->aim(x_tilde_, run);
    const double found = rule_->needs_line_search() ? line_search(*at_) : 0;
    at_->move(rule_->eta(settings_, found), run);
    for (std::size_t j = 0; j < v_.size(); ++j) {
      dx_[j] = at_->x()[j] - dx_[j];
      dg_[j] = at_->gradient()[j] - dg_[j];
    }
    rule_->learn(found, static_cast<Index>(x_tilde_.at.size()), dx_, dg_);
    run.settings().block_primal = rule_->steps().s;
  }

 private:
  [[nodiscard]] std::unique_ptr<BlockGradient> gradient_at(const Start& start) const {
    return by_gram_ ? gradient_from_gram(p_, settings_, start) : gradient_from_data(p_, settings_, start);
  }

  const Problem& p_;
  const Settings settings_;
  const bool by_gram_;
  std::unique_ptr<BlockGradient> at_;
  std::optional<StepRule> rule_;  // from the first iteration on
  std::vector<double> v_, dx_, dg_;
  SparseAtom x_tilde_;
};

constexpr std::array<std::string_view, 3> kOptions{"steps", "block_primal", "step_scale"};

void refuse(const Problem& p, const Settings& settings) {
  if (settings.steps == "theory" && !(p.regulariser->strong_convexity() > 0))
    throw InputError("ridge", "0", "> 0 for the solver block_fw with theory's steps; use adaptive");
}

}  // namespace

std::unique_ptr<Engine> make_block_fw(const Problem& p, const Settings& settings, const Start& start,
                                      GradientFrom from) {
  return std::make_unique<BlockFwEngine>(p, settings, start, from);
}

const Solver kBlockFwSolver{
    .about = {.name = "block_fw",
              .summary = "block Frank-Wolfe: towards the best s-sparse point, by the full gradient",
              .reference = "Allen-Zhu, Hazan, Hu, Li 2017",
              .options = kOptions},
    .make_engine =
        [](const Problem& p, const Settings& settings, const Start& start) {
          return make_block_fw(p, settings, start, GradientFrom::whichever_is_cheaper);
        },
    .refuse = refuse};

}  // namespace pdbfw
