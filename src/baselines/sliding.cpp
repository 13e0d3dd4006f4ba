#include "baselines/sliding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pdbfw {
namespace {

constexpr std::size_t kExtremes = 256;
constexpr Index kStepsBetweenLooks = 256;
// Where the tolerance is out of reach; pairwise steps converge fast, so that more would be rounding.
constexpr Index kMostClassicSteps = 10'000'000, kMostPairwiseSteps = 10'000;
constexpr Index kPairwiseStepsPerFeature = 20, kFewestPairwiseSteps = 100;
// The inner gap is known up to its rounding, in this share of what it is the sum of.
constexpr double kRounding = 1e-15;

}  // namespace

Sliding::Sliding(const Problem& p, InnerSteps steps)
    : p_(p),
      steps_(steps),
      holds_zero_(p.set->violation(std::vector<double>(1)) == 0),
      is_in_(static_cast<std::size_t>(p.d())) {}

void Sliding::slide(const Goal& goal, std::vector<double>& x, Run& run) {
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

void Sliding::add(Index j, const Goal& goal, double x_0) {
  is_in_[static_cast<std::size_t>(j)] = 1;
  S_.push_back(j);
  feature_.push_back({x_0, x_0, goal.g[static_cast<std::size_t>(j)]});
}

void Sliding::find_extremes(const Goal& goal, bool largest, Extremes& out) {
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
Index Sliding::extreme(const Goal& goal, bool largest, Extremes& from) {
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
Sliding::Vertex Sliding::best_vertex(const Goal& goal) {
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
bool Sliding::step(const Goal& goal, Run& run) {
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

void Sliding::move(const Goal& goal, std::size_t at, double x) {
  Feature& f = feature_[at];
  f.x = x;
  f.gradient = goal.g[static_cast<std::size_t>(S_[at])] + goal.beta * (x - f.x_0);
}

// x <- x + t (v - x),   t = min(1, gap / (beta |v - x|^2))
void Sliding::classic_step(const Goal& goal, const Vertex& to, double gap) {
  double distance = 0;
  for (std::size_t k = 0; k < feature_.size(); ++k) {
    const double e = (k == to.at ? to.value : 0) - feature_[k].x;
    distance += e * e;
  }
  const double t = std::min(1.0, gap / (goal.beta * distance));
  for (std::size_t k = 0; k < feature_.size(); ++k)
    move(goal, k, (1 - t) * feature_[k].x + (k == to.at ? t * to.value : 0));
}

// x <- x + t (v - a):  a is the vertex in use, radius sign(x_k) e_k of weight |x_k| / radius or 0 with what is left of
// the weight, at which the gradient is worst.
void Sliding::pairwise_step(const Goal& goal, const Vertex& to) {
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

void SlidingPoint::step(const PrimalPoint& z, const SlidingNumbers& numbers, Run& run) {
  gradient_at(p_, z, g_);
  sliding_.slide({g_, numbers.beta, numbers.eta}, x_, run);
  blend(numbers.gamma, y_);
}

void SlidingPoint::look_at_y(PrimalPoint& out, Run& run) const {
  out.x = y_;
  p_.set->project(out.x);  // rounding
  run.charge(evaluate(p_, threads_, out) + differentiate(p_, threads_, out));
}

}  // namespace pdbfw
