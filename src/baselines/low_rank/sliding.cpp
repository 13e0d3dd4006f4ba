#include "baselines/low_rank/sliding.hpp"

#include <algorithm>
#include <cmath>

#include "core/spectral_set.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw::low_rank {
namespace {

// Where the tolerance is out of reach.
constexpr Index kMostClassicSteps = 100'000, kMostCorrectiveSteps = 200;
// The inner gap is known up to its rounding, in this share of what it is the sum of.
constexpr double kRounding = 1e-14;
// A new vector adds nothing to a basis if this is left of it.
constexpr double kNothingNew = 1e-8;
// The share of the tolerance that the oracle may be off; and its range, relative to the oracle's value.
constexpr double kShareOfTolerance = 0.1, kFinest = 1e-10, kCoarsest = 0.1;

// An orthonormal basis that grows by a vector at a time.
class Basis {
 public:
  explicit Basis(Matrix Q) : Q_(std::move(Q)) {}
  [[nodiscard]] const Matrix& Q() const { return Q_; }
  // Whether there was something new in v.
  bool add(Vector v) {
    const double length = v.norm();
    for (int round = 0; round < 2; ++round) v -= Q_ * (Q_.transpose() * v);  // twice is enough
    if (!(v.norm() > kNothingNew * length)) return false;
    Q_.conservativeResize(Eigen::NoChange, Q_.cols() + 1);
    Q_.rightCols(1) = v.normalized();
    return true;
  }

 private:
  Matrix Q_;
};

}  // namespace

Sliding::Sliding(const Problem& p, const Settings& settings, InnerSteps steps)
    : p_(p), steps_(steps), top_(p.set->spectrum(), settings.threads, settings.seed) {}

void Sliding::slide(const Goal& goal, Iterate& X, Run& run) {
  base_ = goal.g - goal.beta * X.dense();
  if (steps_ == InnerSteps::classic)
    classic(goal, X, run);
  else
    corrective(goal, X, run);
}

Factors Sliding::vertex(const Goal& goal, const Iterate& X, double accuracy, Run& run) {
  run.charge(0, 1);
  const DenseOperator base(base_);
  const auto x = X.as_operator();
  return p_.set->linear_oracle(SumOperator({{1, &base}, {goal.beta, x.get()}}), top_, accuracy);
}

// X <- X + t (V - X),   t = min(1, gap / (beta |V - X|^2))
void Sliding::classic(const Goal& goal, Iterate& X, Run& run) {
  double base_X = X.formed() ? base_.cwiseProduct(*X.formed()).sum() : inner_product(base_, X.factors());  // <base, X>
  double accuracy = kCoarsest;
  for (Index k = 0; k < kMostClassicSteps && run.may_go_on(); ++k) {
    const Factors V = vertex(goal, X, accuracy, run);
    const double XX = X.squared_norm(), XV = X.inner(V), VV = V.s.squaredNorm(), base_V = inner_product(base_, V);
    const double at_X = base_X + goal.beta * XX, at_V = base_V + goal.beta * XV, gap = at_X - at_V;
    const double least = std::max(goal.tolerance, kRounding * (std::abs(at_X) + std::abs(at_V)));
    const double needed =
        std::clamp(kShareOfTolerance * std::max(goal.tolerance, gap) / std::abs(at_V), kFinest, kCoarsest);
    if (!(gap > least)) {
      if (accuracy <= 2 * needed || !std::isfinite(gap)) return;
      accuracy = needed;  // the vertex may have been too rough to tell
      continue;
    }
    accuracy = needed;
    const double t = std::min(1.0, gap / (goal.beta * (VV - 2 * XV + XX)));
    X.blend(t, V);
    base_X = (1 - t) * base_X + t * base_V;
  }
}

// The best point of C among U S V' is given by S = Proj( U'(X_0 - g / beta) V ), X_0 - g / beta = -base / beta.
void Sliding::corrective(const Goal& goal, Iterate& X, Run& run) {
  const Factors start = orthonormal(X.factors(), p_.set->spectrum());
  Basis left(start.U), right(start.V);
  Matrix image = base_ * start.V;  // of the right basis
  double accuracy = kCoarsest;
  for (Index k = 0; k < kMostCorrectiveSteps; ++k) {
    if (image.cols() > 0) {
      const Factors S = p_.set->project(Matrix(left.Q().transpose() * image / -goal.beta));
      X.blend(1, {left.Q() * S.U, S.s, right.Q() * S.V});
    }
    if (!run.may_go_on()) return;
    const Factors V = vertex(goal, X, accuracy, run);
    const Factors now = X.factors();
    const double at_X = inner_product(base_, now) + goal.beta * X.squared_norm();
    const double at_V = inner_product(base_, V) + goal.beta * X.inner(V), gap = at_X - at_V;
    accuracy = std::clamp(kShareOfTolerance * std::max(goal.tolerance, gap) / std::abs(at_V), kFinest, kCoarsest);
    const double least = std::max(goal.tolerance, kRounding * (std::abs(at_X) + std::abs(at_V)));
    if (!(gap > least) || V.rank() == 0) return;
    const bool has_left = left.add(V.U.col(0)), has_right = right.add(V.V.col(0));
    if (!has_left && !has_right) return;
    if (!has_right) continue;
    image.conservativeResize(Eigen::NoChange, image.cols() + 1);
    image.rightCols(1) = base_ * right.Q().rightCols(1);
  }
}

}  // namespace pdbfw::low_rank
