#include "solvers/quadratic_model.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "solvers/face_hessian.hpp"

namespace pdbfw {
namespace {

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
// What a multiply-add of a factorisation costs beside one with an entry of A, which has to be fetched.
constexpr double kDense = 0.25;
// An entry enters when its gradient exceeds the multiplier by more than rounding.
constexpr double kEnters = 1e-10;

// The active-set method on J. Signs are those of the entries on the face; entries off the face are zero.
class ActiveSet {
 public:
  ActiveSet(const LocalPoint& point, const Set& set, Hessian& H)
      : H_(H),
        set_(set),
        is_tight_(point.is_tight),
        is_one_sided_(point.is_one_sided),
        is_always_tight_(set.violation({}) > 0) {
    const auto size = static_cast<Index>(point.x.size());
    x_ = Eigen::Map<const Vector>(point.x.data(), size);
    g_ = Eigen::Map<const Vector>(point.gradient.data(), size);
    sign_ = Vector::Zero(size);
    for (Index a = 0; a < size; ++a)
      if (x_[a] != 0) enter(a, x_[a] > 0 ? 1.0 : -1.0);
  }

  ModelMinimum minimise(double most_effort, Monitor& monitor) {
    bool is_found = false;
    for (int t = 0; t < H_.most_faces() && H_.effort() <= most_effort && monitor.may_go_on(); ++t) {
      if (face_.empty() && !let_enter()) break;
      H_.choose_face(face_);
      const Vector dx = newton_direction();
      if (!dx.allFinite()) break;
      if (!move(dx)) continue;  // an obstacle: another face
      if (is_tight_ && !is_always_tight_ && multiplier_ < 0) {
        is_tight_ = false;  // the ball holds nothing back
        continue;
      }
      if (!let_enter()) {
        is_found = true;
        break;
      }
    }
    return {{x_.data(), x_.data() + x_.size()}, is_found};
  }

 private:
  void enter(Index a, double sign) {
    face_.push_back(a);
    sign_[a] = sign;
  }

  // -H^-1 (g + multiplier s), with the multiplier that keeps s'x on a tight face.
  Vector newton_direction() {
    const Vector s = sign_(face_);
    Vector dx = -H_.solve(g_(face_));
    multiplier_ = 0;
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
      has_moved_ = true;
      return true;
    }
    if (move_bent(dx)) return false;
    has_moved_ = t > 0;
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
    if (!is_tight_ && growth > 0 && growth * t > room) {
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
      const double slope = g_(face_).dot(e);
      if (!(slope < 0 && slope + 0.5 * e.dot(image(face_)) <= kFairShare * slope)) continue;
      x_(face_) = x;
      g_ += image;
      has_moved_ = true;
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

  // At the minimum of a face: every entry off it whose gradient exceeds the multiplier, or, when the last ones to enter
  // were turned back at once, only the most eager one, which by theory can move. False: nobody wants to.
  bool let_enter() {
    const double bound = multiplier_ + kEnters * (std::abs(multiplier_) + g_.cwiseAbs().mean());
    Index most_eager = -1;
    double most = bound;
    for (Index a = 0; a < g_.size(); ++a) {
      if (sign_[a] != 0) continue;
      const double eagerness = is_one_sided_ ? -g_[a] : std::abs(g_[a]);
      if (eagerness <= bound) continue;
      if (has_moved_) enter(a, g_[a] < 0 ? 1.0 : -1.0);
      if (eagerness > most) {
        most = eagerness;
        most_eager = a;
      }
    }
    if (most_eager < 0) return false;
    if (!has_moved_) enter(most_eager, g_[most_eager] < 0 ? 1.0 : -1.0);
    has_moved_ = false;
    return true;
  }

  Hessian& H_;
  const Set& set_;
  Vector x_, g_, sign_;
  Positions face_;
  bool is_tight_, is_one_sided_;
  bool is_always_tight_;  // C does not hold zero
  bool has_moved_ = true;
  double multiplier_ = 0;
};

// Accelerated projected gradients on the model (Beck, Teboulle 2009): they cost no pass over the data, and find the
// face. Returns the point where they have come to, its gradient, and whether it is on the border of the ball.
LocalPoint near_minimiser(const LocalPoint& start, const Set& set, const Eigen::MatrixXd& H) {
  const auto size = static_cast<Index>(start.x.size());
  const Eigen::Map<const Vector> x0(start.x.data(), size), g0(start.gradient.data(), size);
  Vector v = Vector::Ones(size);
  double lipschitz = 0;
  for (int t = 0; t < kPowerSteps; ++t) {
    const Vector image = H * v;
    lipschitz = image.norm() / v.norm();
    if (!(lipschitz > 0)) return start;
    v = image / image.norm();
  }
  lipschitz *= kPowerMargin;
  LocalPoint point = start;
  Vector x = x0, ahead = x0;
  double momentum = 1;
  for (int t = 0; t < kFaceSteps; ++t) {
    Vector next = ahead - (g0 + H * (ahead - x0)) / lipschitz;
    std::span<double> entries(next.data(), static_cast<std::size_t>(size));
    point.is_tight = set.dead_zone(entries, {1.0, {}}).is_tight;
    set.project(entries);
    const double next_momentum = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    ahead = next + (momentum - 1) / next_momentum * (next - x);
    x = next;
    momentum = next_momentum;
  }
  const Vector g = g0 + H * (x - x0);
  if (!(g0.dot(x - x0) + 0.5 * (g - g0).dot(x - x0) < 0)) return start;
  point.x.assign(x.data(), x.data() + size);
  point.gradient.assign(g.data(), g.data() + size);
  return point;
}

// The entries of a point that are not zero.
LocalPoint support_of(const LocalPoint& point) {
  LocalPoint out;
  out.is_tight = point.is_tight;
  out.is_one_sided = point.is_one_sided;
  for (std::size_t k = 0; k < point.x.size(); ++k) {
    if (point.x[k] == 0) continue;
    out.feature.push_back(point.feature[k]);
    out.x.push_back(point.x[k]);
    out.gradient.push_back(point.gradient[k]);
  }
  return out;
}

}  // namespace

ModelMinimum minimise_kept_model(const Problem& p, const LocalPoint& everything, std::span<const double> w,
                                 KeptGram& kept, double most_effort, Monitor& monitor) {
  double multiply_adds = 0;
  const Eigen::MatrixXd& gram = kept.at(w, multiply_adds);
  const Curvatures curvatures = p.regulariser->curvatures();
  Vector q(gram.rows());
  for (Index j = 0; j < q.size(); ++j) q[j] = curvatures[j];
  const LocalPoint local = support_of(near_minimiser(everything, *p.set, gram + Eigen::MatrixXd(q.asDiagonal())));
  std::vector<double> out(everything.x.size(), 0.0);
  if (local.feature.empty()) return {out, true};
  const auto on_support = make_hessian(gram(local.feature, local.feature), q(local.feature));
  const auto [x, is_found] = ActiveSet(local, *p.set, *on_support).minimise(most_effort, monitor);
  monitor.charge(multiply_adds);
  for (std::size_t k = 0; k < x.size(); ++k) out[static_cast<std::size_t>(local.feature[k])] = x[k];
  return {out, is_found};
}

ModelMinimum minimise_model(const Problem& p, const LocalPoint& point, const FeatureRows& rows,
                            std::span<const double> w, double most_effort, Monitor& monitor) {
  double multiply_adds = 0;
  const auto H = make_hessian(p, rows, point.feature, w, multiply_adds);
  ModelMinimum minimum = ActiveSet(point, *p.set, *H).minimise(most_effort, monitor);
  monitor.charge(multiply_adds);
  monitor.charge_other(kDense * H->effort());
  return minimum;
}

}  // namespace pdbfw
