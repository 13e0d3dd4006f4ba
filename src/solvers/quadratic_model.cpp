#include "solvers/quadratic_model.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/dual_value.hpp"
#include "solvers/face_hessian.hpp"

namespace pdbfw {
namespace {

// The nearest point of a set, where the features have scales of their own.                                    [M15]
// v <- argmin over x in C of  (1/2) sum_j c_j (x_j - v_j)^2,  or of that + alpha |x|_1 for a penalty in the place of C:
// the point of the dead zone of u_j = c_j v_j. Returns the zone.
DeadZone take_nearest(const Set& set, std::span<const double> c, std::span<double> v) {
  std::vector<double> u(v.size());
  for (std::size_t a = 0; a < v.size(); ++a) u[a] = c[a] * v[a];
  const DeadZone zone = set.dead_zone(u, {0, c});
  for (std::size_t a = 0; a < v.size(); ++a) {
    const double outside = zone.outside(u[a]);
    v[a] = outside == 0 ? 0 : outside / c[a];
  }
  set.project(v);  // rounding
  return zone;
}

using Vector = Eigen::VectorXd;

// Tries on the bent path before the straight one is taken, and the share of the slope that the model must fall by
// there.
constexpr int kMostBends = 4;
constexpr double kFairShare = 0.1;
constexpr double kRounding = 1e-14;
// On the way to the face: steps of the power method, what it may fall short by, and projected-gradient steps.
constexpr int kPowerSteps = 10;
constexpr double kPowerMargin = 1.1;
constexpr int kFaceSteps = 50;
// Features that hardly curve count as if they curved by this share of the largest.
constexpr double kFlat = 1e-14;
// What a multiply-add of a factorisation costs beside one with an entry of A, which has to be fetched.
constexpr double kDense = 0.25;
// So many may enter a face at once, however small it is.
constexpr std::size_t kFewestToEnter = 5;
// An entry enters when its gradient exceeds the multiplier by more than rounding.
constexpr double kEnters = 1e-10;

// The active-set method on J. Signs are those of the entries on the face; entries off the face are zero.
class ActiveSet {
 public:
  ActiveSet(const LocalPoint& point, const Set& set, Hessian& H)
      : H_(H),
        set_(set),
        price_(price(set)),
        is_tight_(point.is_tight && price_ == 0),
        is_one_sided_(point.is_one_sided),
        is_always_tight_(set.violation({}) > 0),
        multiplier_(price_) {
    const auto size = static_cast<Index>(point.x.size());
    x_ = Eigen::Map<const Vector>(point.x.data(), size);
    g_ = Eigen::Map<const Vector>(point.gradient.data(), size);
    sign_ = Vector::Zero(size);
    for (Index a = 0; a < size; ++a)
      if (x_[a] != 0) enter(a, x_[a] > 0 ? 1.0 : -1.0);
    room_ = std::max(kFewestToEnter, face_.size() / 4);
  }

  std::vector<double> minimise(double most_effort, Run& run) {
    for (int t = 0; t < H_.most_faces() && H_.effort() <= most_effort && run.may_go_on(); ++t) {
      if (face_.empty() && !let_enter()) break;
      H_.choose_face(face_);
      const Vector dx = newton_direction();
      if (!dx.allFinite()) break;
      if (!move(dx)) continue;  // an obstacle: another face
      if (is_tight_ && !is_always_tight_ && multiplier_ < 0) {
        is_tight_ = false;  // the ball holds nothing back
        continue;
      }
      if (!let_enter()) break;
    }
    return {x_.data(), x_.data() + x_.size()};
  }

 private:
  void enter(Index a, double sign) {
    face_.push_back(a);
    sign_[a] = sign;
  }

  // -H^-1 (g + multiplier s), with the multiplier that keeps s'x on a tight face, or the price of a penalty.
  Vector newton_direction() {
    const Vector s = sign_(face_);
    Vector dx = -H_.solve(g_(face_) + price_ * s);
    multiplier_ = price_;
    if (is_tight_) {
      const Vector along = H_.solve(s);
      multiplier_ = s.dot(dx) / s.dot(along);
      dx -= multiplier_ * along;
    }
    return dx;
  }

  // To the minimum of the face if nothing is in the way. Otherwise some way along the bent path, on which entries stop
  // at zero, or as far as the straight one allows; then false, and the face has changed.
  bool move(const Vector& dx) {
    const double t = longest_step(dx);
    if (t == 1) {
      x_(face_) += dx;
      g_ += H_.apply(dx);
      return true;
    }
    if (move_bent(dx)) return false;
    x_(face_) += t * dx;
    g_ += t * H_.apply(dx);
    // An entry that stopped the step is at zero up to rounding.
    for (std::size_t k = 0; k < face_.size(); ++k) {
      double& x_a = x_[face_[k]];
      const double step = t * dx[static_cast<Index>(k)];
      if (step * sign_[face_[k]] <= 0 && x_a * sign_[face_[k]] <= kRounding * std::abs(step)) x_a = 0;
    }
    leave_at_zero();
    return false;
  }

  // The largest t <= 1 for which x + t dx keeps its signs and stays in the ball.
  double longest_step(const Vector& dx) {
    double t = 1;
    for (std::size_t k = 0; k < face_.size(); ++k) {
      const Index a = face_[k];
      const double end = x_[a] + dx[static_cast<Index>(k)];
      if (end * sign_[a] < 0) t = std::min(t, x_[a] / -dx[static_cast<Index>(k)]);
    }
    const double growth = sign_(face_).dot(dx), room = std::max(0.0, set_.radius() - sign_.dot(x_));
    if (price_ == 0 && !is_tight_ && growth > 0 && growth * t > room) {
      t = room / growth;
      is_tight_ = true;
    }
    return t;
  }

  // Many entries may want to leave at once, and one at a time takes as many factorisations: let them, if the model
  // falls by a fair share of what its slope promises.
  bool move_bent(const Vector& dx) {
    double t = 1;
    for (int halving = 0; halving < kMostBends; ++halving, t /= 2) {
      Vector x = x_(face_) + t * dx;
      for (std::size_t k = 0; k < face_.size(); ++k)
        if (x[static_cast<Index>(k)] * sign_[face_[k]] < 0) x[static_cast<Index>(k)] = 0;
      set_.project({x.data(), static_cast<std::size_t>(x.size())});
      const Vector e = x - x_(face_), image = H_.apply(e);
      const double slope = (g_(face_) + price_ * sign_(face_)).dot(e);
      if (!(slope < 0 && slope + 0.5 * e.dot(image(face_)) <= kFairShare * slope)) continue;
      x_(face_) = x;
      g_ += image;
      leave_at_zero();
      return true;
    }
    return false;
  }

  void leave_at_zero() {
    std::erase_if(face_, [this](Index a) {
      if (x_[a] != 0) return false;
      sign_[a] = 0;
      return true;
    });
  }

  // At the minimum of a face: the entries off it whose gradient exceeds the multiplier most. Twice as many as the last
  // time; or, when those were all turned back at once, an eighth, down to the most eager one, which by theory can move.
  // False: no entry would enter, or none can.
  bool let_enter() {
    const auto is_back = [this](Index a) { return x_[a] == 0; };
    const bool are_back = !entered_.empty() && std::all_of(entered_.begin(), entered_.end(), is_back);
    if (are_back && entered_.size() == 1) return false;
    room_ = are_back ? std::max<std::size_t>(1, entered_.size() / 8) : 2 * room_;
    const double bound = multiplier_ + kEnters * (std::abs(multiplier_) + g_.cwiseAbs().mean());
    const auto eagerness = [this](Index a) { return is_one_sided_ ? -g_[a] : std::abs(g_[a]); };
    entered_.clear();
    for (Index a = 0; a < g_.size(); ++a)
      if (sign_[a] == 0 && eagerness(a) > bound) entered_.push_back(a);
    if (entered_.size() > room_) {
      std::sort(entered_.begin(), entered_.end(),
                [&](Index a, Index b) { return eagerness(a) != eagerness(b) ? eagerness(a) > eagerness(b) : a < b; });
      entered_.resize(room_);
    }
    for (const Index a : entered_) enter(a, g_[a] < 0 ? 1.0 : -1.0);
    return !entered_.empty();
  }

  Hessian& H_;
  const Set& set_;
  Vector x_, g_, sign_;
  Positions face_;
  double price_;  // of a penalty in the place of C: what the signs cost, whatever the radius
  bool is_tight_, is_one_sided_;
  bool is_always_tight_;  // C does not hold zero
  Positions entered_;     // the last ones
  std::size_t room_;      // the number of entries that may enter at once
  double multiplier_;
};

// Accelerated projected gradients on the model (Beck, Teboulle 2009): they cost no pass over the data, and find the
// face. Returns the point where they have come to, its gradient, and whether it is on the border of the ball.
LocalPoint near_minimiser(const LocalPoint& start, const Set& set, const Eigen::MatrixXd& H) {
  const auto size = static_cast<Index>(start.x.size());
  const Eigen::Map<const Vector> x0(start.x.data(), size), g0(start.gradient.data(), size);
  // Distances are measured in the diagonal of H, so that the scale of a feature does not matter.
  const Vector metric = H.diagonal().cwiseMax(kFlat * H.diagonal().maxCoeff());
  constexpr double kGolden = 0.6180339887498949;
  Vector v(size);  // where the power method begins: no vector that a matrix could be made for
  for (Index a = 0; a < size; ++a) v[a] = std::fmod(static_cast<double>(a + 1) * kGolden, 1.0) - 0.5;
  double lipschitz = 0;  // of H in that metric
  for (int t = 0; t < kPowerSteps; ++t) {
    const Vector image = (H * v).cwiseQuotient(metric);
    lipschitz = image.norm() / v.norm();
    if (!(lipschitz > 0)) return start;
    v = image / image.norm();
  }
  lipschitz *= kPowerMargin;
  const Vector curvature = lipschitz * metric;
  LocalPoint point = start;
  Vector x = x0, ahead = x0;
  double momentum = 1;
  for (int t = 0; t < kFaceSteps; ++t) {
    Vector next = ahead - (g0 + H * (ahead - x0)).cwiseQuotient(curvature);
    point.is_tight = take_nearest(set, {curvature.data(), start.x.size()}, {next.data(), start.x.size()}).is_tight;
    const double next_momentum = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    ahead = next + (momentum - 1) / next_momentum * (next - x);
    x = next;
    momentum = next_momentum;
  }
  const Vector g = g0 + H * (x - x0);
  const double paid = price(set) * (x.lpNorm<1>() - x0.lpNorm<1>());
  if (!(g0.dot(x - x0) + 0.5 * (g - g0).dot(x - x0) + paid < 0)) return start;
  point.x.assign(x.data(), x.data() + size);
  point.gradient.assign(g.data(), g.data() + size);
  return point;
}

}  // namespace

std::vector<double> minimise_kept_model(const Problem& p, const LocalPoint& everything, std::span<const double> w,
                                        double least_curvature, KeptGram& kept, double most_effort, Run& run) {
  double multiply_adds = 0;
  const Eigen::MatrixXd& gram = kept.at(w, least_curvature, multiply_adds);
  const Curvatures curvatures = p.regulariser->curvatures();
  Vector q(gram.rows());
  for (Index j = 0; j < q.size(); ++j) q[j] = curvatures[j];
  const LocalPoint near = near_minimiser(everything, *p.set, gram + Eigen::MatrixXd(q.asDiagonal()));
  const auto H = make_hessian(gram, q);
  std::vector<double> minimum = ActiveSet(near, *p.set, *H).minimise(most_effort, run);
  run.charge(multiply_adds);
  return minimum;
}

std::vector<double> minimise_model(const Problem& p, const LocalPoint& point, const FeatureRows& rows,
                                   std::span<const double> w, double least_curvature, double most_effort, Run& run) {
  double multiply_adds = 0;
  const auto H = make_hessian(p, rows, point.feature, w, least_curvature, multiply_adds);
  std::vector<double> minimum = ActiveSet(point, *p.set, *H).minimise(most_effort, run);
  run.charge(multiply_adds);
  run.charge_other(kDense * H->effort());
  return minimum;
}

}  // namespace pdbfw
