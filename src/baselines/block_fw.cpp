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
#include <memory>
#include <optional>
#include <utility>

#include "baselines/baselines.hpp"
#include "baselines/block_gradient.hpp"
#include "baselines/frank_wolfe.hpp"
#include "baselines/step_rules.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// max_j of beta |a_j|^2 / n + q_j, which bounds every entry of the Hessian's diagonal.
double largest_diagonal(const Problem& p, Run& run) {
  std::vector<double> norms(static_cast<std::size_t>(p.d()));
  squared_norms(p.A->by_column(), {}, norms);
  run.charge(static_cast<double>(p.A->nonzeros()));
  const double norm = *std::max_element(norms.begin(), norms.end());
  return p.loss->smoothness() * norm / static_cast<double>(p.n()) + p.regulariser->smoothness();
}

BlockRule make_rule(const Problem& p, const Settings& settings, Run& run) {
  const double mu = strong_convexity(p);
  if (settings.steps == "theory") return BlockRule::theory(mu, primal_smoothness(p, settings, run), p.d(), settings);
  constexpr Index kSmallestBlock = 100, kFirstShareOfD = 20;
  return BlockRule::adaptive(mu, largest_diagonal(p, run), std::max(kSmallestBlock, p.d() / kFirstShareOfD), p.d(),
                             settings);
}

// A step by Q is cheaper than one by the data even where x_tilde has no zeros, and Q fits into memory.
bool gram_pays(const Problem& p) {
  constexpr Index kMostFeatures = 4'096;  // 128 MiB of Q
  return p.loss->is_quadratic() && p.d() <= kMostFeatures && p.d() * p.d() <= p.A->nonzeros();
}

template <class Gradient>
class BlockFwEngine final : public Engine {
 public:
  BlockFwEngine(const Problem& p, const Settings& settings, const Start& start)
      : p_(p), settings_(settings), at_(std::in_place, p, settings, start) {}

  [[nodiscard]] std::string name() const override { return "block_fw"; }
  void radius_has_changed() override {
    std::vector<double> x = at_->x();
    p_.set->project(x);
    at_.emplace(p_, settings_, Start{std::move(x)});
    rule_.reset();
  }
  [[nodiscard]] Estimate estimate() override { return at_->estimate(); }
  [[nodiscard]] Point point() override { return at_->point(); }

  void iterate(Run& run) override {
    run.charge(at_->owed());
    if (!rule_) rule_ = make_rule(p_, settings_, run);
    dx_ = at_->x();
    dg_ = at_->gradient();
    v_.resize(dx_.size());
    for (std::size_t j = 0; j < v_.size(); ++j) v_[j] = dx_[j] - dg_[j] / rule_->M();
    p_.set->block_oracle(v_, rule_->s(), x_tilde_);
    run.charge(0, 1);
    at_->aim(x_tilde_, run);
    const double eta = rule_->eta([&] { return at_->falls_all_the_way() ? 1 : at_->exact_step(); });
    at_->move(eta, run);
    if (rule_->is_adaptive()) learn(eta);
    run.settings().block_primal = rule_->s();
  }

 private:
  void learn(double eta) {
    for (std::size_t j = 0; j < v_.size(); ++j) {
      dx_[j] = at_->x()[j] - dx_[j];
      dg_[j] = at_->gradient()[j] - dg_[j];
    }
    const double length2 = dot(dx_, dx_);
    rule_->learn_curvature(length2, dot(dx_, dg_) / length2);
    rule_->learn_size(static_cast<Index>(x_tilde_.at.size()), eta);
  }

  const Problem& p_;
  const Settings settings_;
  std::optional<Gradient> at_;
  std::optional<BlockRule> rule_;  // from the first iteration on
  std::vector<double> v_, dx_, dg_;
  SparseAtom x_tilde_;
};

constexpr std::array<std::string_view, 3> kOptions{"steps", "block_primal", "step_scale"};

void refuse(const Problem& p, const Settings& settings) {
  if (settings.steps == "theory" && !(strong_convexity(p) > 0))
    throw InputError("ridge", "0", "> 0 for the solver block_fw with theory's steps; use adaptive");
}

}  // namespace

std::unique_ptr<Engine> make_block_fw(const Problem& p, const Settings& settings, const Start& start,
                                      GradientFrom from) {
  if (from == GradientFrom::gram || (from == GradientFrom::whichever_is_cheaper && gram_pays(p)))
    return std::make_unique<BlockFwEngine<GradientFromGram>>(p, settings, start);
  return std::make_unique<BlockFwEngine<GradientFromData>>(p, settings, start);
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
