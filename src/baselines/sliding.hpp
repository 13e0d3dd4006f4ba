// Conditional gradient sliding: the step of a gradient method, made by linear oracles instead of a projection.
//
//   x+ ~ argmin_{x in C} <g, x> + (beta/2) |x - x_0|^2,    begun at x_0, until its Frank-Wolfe gap is small enough
//
// Only features where x_0, x or g are special are ever looked at: outside the support S of x and x_0 the inner gradient
// is g, so the oracle's answer is in S or at an extreme of g. One slide costs O(d) to find these extremes and
// O(|S|) an inner step. C must be spanned by vertices of one non-zero, as the l1 ball and the simplex are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "baselines/primal_point.hpp"
#include "baselines/step_rules.hpp"
#include "core/run.hpp"
#include "pdbfw/problem.hpp"

namespace pdbfw {

enum class InnerSteps {
  classic,  // towards a vertex, with the exact step: what the papers have
  pairwise  // weight moves from the worst vertex to the best one: linear convergence (Lacoste-Julien, Jaggi 2015)
};

class Sliding {
 public:
  Sliding(const Problem& p, InnerSteps steps)
      : p_(p),
        steps_(steps),
        holds_zero_(p.set->violation(std::vector<double>(1)) == 0),
        is_in_(static_cast<std::size_t>(p.d())) {}

  struct Goal {
    std::span<const double> g;  // d
    double beta;                // > 0
    double tolerance;           // of the inner gap
  };
  // x is x_0, and then x+. Ends early when the run says so. Oracle calls are charged.
  void slide(const Goal& goal, std::vector<double>& x, Run& run) {
    lowest_ = highest_ = {};
    for (std::size_t j = 0; j < x.size(); ++j)
      if (x[j] != 0) add(static_cast<Index>(j), goal, x[j]);
    const Index most = steps_ == InnerSteps::classic
                           ? kMostClassicSteps
                           : std::min(kMostPairwiseSteps, kFewestPairwiseSteps + kPairwiseStepsPerFeature * p_.d());
    for (Index k = 1; k < most && step(goal, run); ++k)
      if (k % kStepsBetweenLooks == 0 && !run.may_go_on()) break;
    for (std::size_t k = 0; k < S_.size(); ++k) {
      x[static_cast<std::size_t>(S_[k])] = feature_[k].x;
      is_in_[static_cast<std::size_t>(S_[k])] = 0;
    }
    S_.clear();
    feature_.clear();
  }

 private:
  static constexpr std::size_t kExtremes = 256;
  static constexpr Index kStepsBetweenLooks = 256;
  // Where the tolerance is out of reach; pairwise steps converge fast, so that more would be rounding.
  static constexpr Index kMostClassicSteps = 10'000'000, kMostPairwiseSteps = 10'000;
  static constexpr Index kPairwiseStepsPerFeature = 20, kFewestPairwiseSteps = 100;
  // The inner gap is known up to its rounding, in this share of what it is the sum of.
  static constexpr double kRounding = 1e-15;

  struct Feature {
    double x, x_0, gradient;  // of the inner objective
  };
  struct Vertex {
    std::size_t at;  // in S
    double value;
  };
  // The features outside S with the smallest and with the largest g, best first.
  struct Extremes {
    std::vector<Index> order;
    std::size_t next = 0;
  };

  void add(Index j, const Goal& goal, double x_0) {
    is_in_[static_cast<std::size_t>(j)] = 1;
    S_.push_back(j);
    feature_.push_back({x_0, x_0, goal.g[static_cast<std::size_t>(j)]});
  }

  void find_extremes(const Goal& goal, bool largest, Extremes& out) {
    const double sign = largest ? -1 : 1;
    const auto comes_first = [&](Index i, Index j) {
      const double a = sign * goal.g[static_cast<std::size_t>(i)], b = sign * goal.g[static_cast<std::size_t>(j)];
      return a < b || (a == b && i < j);
    };
    out.next = 0;
    out.order.clear();
    for (std::size_t j = 0; j < is_in_.size(); ++j)
      if (is_in_[j] == 0) out.order.push_back(static_cast<Index>(j));
    const std::size_t kept = std::min(out.order.size(), kExtremes);
    const auto end = out.order.begin() + static_cast<std::ptrdiff_t>(kept);
    if (end != out.order.end()) std::nth_element(out.order.begin(), end, out.order.end(), comes_first);
    out.order.resize(kept);
    std::sort(out.order.begin(), out.order.end(), comes_first);
  }

  // The feature outside S with the smallest (largest) g; -1 if there is none.
  [[nodiscard]] Index extreme(const Goal& goal, bool largest, Extremes& from) {
    const auto skip = [&] {
      while (from.next < from.order.size() && is_in_[static_cast<std::size_t>(from.order[from.next])] != 0) ++from.next;
      return from.next < from.order.size();
    };
    if (skip()) return from.order[from.next];
    if (S_.size() == is_in_.size()) return -1;
    find_extremes(goal, largest, from);
    return from.order.front();
  }

  // The linear oracle's answer for the inner gradient.
  Vertex best_vertex(const Goal& goal) {
    gradient_.clear();
    for (const Feature& f : feature_) gradient_.push_back(f.gradient);
    std::vector<Index> outside;
    for (const bool largest : {false, true}) {
      const Index j = extreme(goal, largest, largest ? highest_ : lowest_);
      if (j < 0) continue;
      outside.push_back(j);
      gradient_.push_back(goal.g[static_cast<std::size_t>(j)]);
    }
    SparseAtom vertex;
    p_.set->linear_oracle(gradient_, vertex);
    if (vertex.at.empty()) {  // zero: a vertex of no length, wherever it stands
      if (S_.empty()) add(outside.front(), goal, 0);
      return {0, 0.0};
    }
    auto at = static_cast<std::size_t>(vertex.at.front());
    if (at >= S_.size()) {
      add(outside[at - S_.size()], goal, 0);
      at = S_.size() - 1;
    }
    return {at, vertex.value.front()};
  }

  // False when the gap is small enough.
  [[nodiscard]] bool step(const Goal& goal, Run& run) {
    const Vertex to = best_vertex(goal);
    run.charge(0, 1);
    double gap = -feature_[to.at].gradient * to.value, size = std::abs(gap);
    for (const Feature& f : feature_) {
      gap += f.gradient * f.x;
      size += std::abs(f.gradient * f.x);
    }
    if (!(gap > std::max(goal.tolerance, kRounding * size)) || !std::isfinite(size)) return false;
    if (steps_ == InnerSteps::classic)
      classic_step(goal, to, gap);
    else
      pairwise_step(goal, to);
    return true;
  }

  // x <- x + t (v - x),   t = min(1, gap / (beta |v - x|^2))
  void classic_step(const Goal& goal, const Vertex& to, double gap) {
    double distance = 0;
    for (std::size_t k = 0; k < feature_.size(); ++k) {
      const double e = (k == to.at ? to.value : 0) - feature_[k].x;
      distance += e * e;
    }
    const double t = std::min(1.0, gap / (goal.beta * distance));
    for (std::size_t k = 0; k < feature_.size(); ++k)
      move(goal, k, (1 - t) * feature_[k].x + (k == to.at ? t * to.value : 0));
  }

  // x <- x + t (v - a):  a is the vertex in use, radius sign(x_k) e_k of weight |x_k| / radius or 0 with what is left
  // of the weight, at which the gradient is worst.
  void pairwise_step(const Goal& goal, const Vertex& to) {
    const double radius = p_.set->radius();
    double used = 0, worst = -std::numeric_limits<double>::infinity();
    std::size_t away = feature_.size();
    for (std::size_t k = 0; k < feature_.size(); ++k) {
      const Feature& f = feature_[k];
      used += std::abs(f.x);
      if (f.x == 0) continue;
      const double slope = f.x > 0 ? f.gradient * radius : -f.gradient * radius;
      if (slope > worst) {
        worst = slope;
        away = k;
      }
    }
    const bool from_zero = holds_zero_ && used < radius && worst < 0;
    if (from_zero || away == feature_.size()) {
      // From 0: only the best vertex grows.
      const double t = std::min(std::max(0.0, 1 - used / radius),
                                -feature_[to.at].gradient * to.value / (goal.beta * to.value * to.value));
      move(goal, to.at, feature_[to.at].x + t * to.value);
      return;
    }
    const Feature& f = feature_[away];
    const double value = f.x > 0 ? radius : -radius;
    const double length = to.at == away ? (to.value - value) * (to.value - value) : to.value * to.value + value * value;
    const double t =
        std::min(std::abs(f.x) / radius, (worst - feature_[to.at].gradient * to.value) / (goal.beta * length));
    if (to.at == away) {
      move(goal, away, f.x + t * (to.value - value));
      return;
    }
    const bool is_used_up = t >= std::abs(f.x) / radius;
    move(goal, away, is_used_up ? 0 : f.x - t * value);
    move(goal, to.at, feature_[to.at].x + t * to.value);
  }

  void move(const Goal& goal, std::size_t at, double x) {
    Feature& f = feature_[at];
    f.x = x;
    f.gradient = goal.g[static_cast<std::size_t>(S_[at])] + goal.beta * (x - f.x_0);
  }

  const Problem& p_;
  InnerSteps steps_;
  bool holds_zero_;
  std::vector<std::uint8_t> is_in_;  // d: in S
  std::vector<Index> S_;
  std::vector<Feature> feature_;  // by place in S
  std::vector<double> gradient_;  // the oracle's question: S, and two extremes
  Extremes lowest_, highest_;
};

// The three sequences of the sliding methods:
//
//   z = (1 - gamma) y + gamma x,     x <- a sliding step with the gradient at z,     y <- (1 - gamma) y + gamma x
class SlidingPoint {
 public:
  SlidingPoint(const Problem& problem, const Settings& settings)
      : p_(problem),
        threads_(settings.threads),
        sliding_(problem, settings.steps == "theory" ? InnerSteps::classic : InnerSteps::pairwise) {}

  // x = y = a point.
  void begin(const PrimalPoint& at) { x_ = y_ = at.x; }
  // z; the gradient there is the caller's business.
  void look_ahead(double gamma, PrimalPoint& z) const { blend(gamma, z.x); }
  // With the gradient at z.
  void step(const PrimalPoint& z, const SlidingNumbers& numbers, Run& run) {
    gradient_at(p_, z, g_);
    sliding_.slide({g_, numbers.beta, numbers.eta}, x_, run);
    blend(numbers.gamma, y_);
  }

  // y, evaluated.
  void look_at_y(PrimalPoint& out, Run& run) const {
    out.x = y_;
    p_.set->project(out.x);  // rounding
    run.charge(evaluate(p_, threads_, out) + differentiate(p_, threads_, out));
  }

  // Of oracles, beside the products with A: O(d) a slide.
  [[nodiscard]] static double work() { return 0; }

 private:
  // out = (1 - gamma) y + gamma x
  void blend(double gamma, std::vector<double>& out) const {
    for (std::size_t j = 0; j < x_.size(); ++j) out[j] = (1 - gamma) * y_[j] + gamma * x_[j];
  }

  const Problem& p_;
  int threads_;
  std::vector<double> x_, y_, g_;
  Sliding sliding_;
};

}  // namespace pdbfw
