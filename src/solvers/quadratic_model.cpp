#include "solvers/quadratic_model.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <memory>

namespace pdbfw {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// Above this size of the smaller form a Cholesky factor costs more than some hundred products with A_J.
constexpr Index kLargestCholesky = 2'000;
// H may be singular without a ridge; this much of its mean diagonal is added. It bends the direction a little, never
// the solution: the line search and the certificate do not know of it.
constexpr double kDamping = 1e-10;
constexpr double kDampingWoodbury = 1e-7;
constexpr int kMostConjugateSteps = 100;
constexpr double kConjugateTolerance = 1e-4;
// Faces that are tried before the point reached so far has to do, if the effort does not end it before.
constexpr int kMostFaces = 1'000;
constexpr int kMostFacesByConjugateGradients = 5;
// Tries on the bent path before the straight one is taken, and the share of the slope that the model must fall by
// there.
constexpr int kMostBends = 4;
constexpr double kFairShare = 0.1;
constexpr double kRounding = 1e-14;
// An entry enters when its gradient exceeds the multiplier by more than rounding.
constexpr double kEnters = 1e-10;

// B = diag(sqrt(f_i'' / n)) A_J, only the rows that curve, by row.
struct CurvedRows {
  std::vector<Index> start{0};
  std::vector<Index> at;  // position in the support
  std::vector<double> value;
  [[nodiscard]] Index count() const { return static_cast<Index>(start.size()) - 1; }
};

CurvedRows gather_rows(const Problem& p, std::span<const Index> features, std::span<const double> w) {
  const auto n = static_cast<double>(p.n());
  std::vector<Index> fill(w.size() + 1, 0);
  std::vector<double> root(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) root[i] = std::sqrt(p.loss->second_derivative(p.b[i], w[i]) / n);
  return std::visit(
      [&](const auto& columns) {
        for (const Index j : features) {
          const auto line = columns[j];
          for (Index k = 0; k < line.size; ++k) ++fill[static_cast<std::size_t>(line.index(k))];
        }
        CurvedRows rows;
        Index total = 0;
        for (std::size_t i = 0; i < w.size(); ++i) {
          if (root[i] == 0 || fill[i] == 0) {
            fill[i] = -1;
            continue;
          }
          const Index entries = fill[i];
          fill[i] = total;
          total += entries;
          rows.start.push_back(total);
        }
        rows.at.resize(static_cast<std::size_t>(total));
        rows.value.resize(static_cast<std::size_t>(total));
        for (std::size_t a = 0; a < features.size(); ++a) {
          const auto line = columns[features[a]];
          for (Index k = 0; k < line.size; ++k) {
            const auto i = static_cast<std::size_t>(line.index(k));
            if (fill[i] < 0) continue;
            const auto place = static_cast<std::size_t>(fill[i]++);
            rows.at[place] = static_cast<Index>(a);
            rows.value[place] = root[i] * static_cast<double>(line.value[k]);
          }
        }
        return rows;
      },
      p.A->by_column());
}

Vector multiply(const CurvedRows& B, const Vector& v) {
  Vector out = Vector::Zero(B.count());
  for (Index r = 0; r < B.count(); ++r) {
    double sum = 0;
    for (auto k = static_cast<std::size_t>(B.start[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(B.start[static_cast<std::size_t>(r) + 1]); ++k)
      sum += B.value[k] * v[B.at[k]];
    out[r] = sum;
  }
  return out;
}

Vector multiply_transposed(const CurvedRows& B, const Vector& v, Index columns) {
  Vector out = Vector::Zero(columns);
  for (Index r = 0; r < B.count(); ++r)
    for (auto k = static_cast<std::size_t>(B.start[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(B.start[static_cast<std::size_t>(r) + 1]); ++k)
      out[B.at[k]] += v[r] * B.value[k];
  return out;
}

Matrix dense(const CurvedRows& B, Index columns) {
  Matrix out = Matrix::Zero(B.count(), columns);
  for (Index r = 0; r < B.count(); ++r)
    for (auto k = static_cast<std::size_t>(B.start[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(B.start[static_cast<std::size_t>(r) + 1]); ++k)
      out(r, B.at[k]) = B.value[k];
  return out;
}

// The lower triangle of B'B, row by row: the sum over rows of (entries of the row)^2 / 2 multiply-adds.
Matrix gram(const CurvedRows& B, Index columns, double& multiply_adds) {
  Matrix out = Matrix::Zero(columns, columns);
  for (Index r = 0; r < B.count(); ++r) {
    const Index first = B.start[static_cast<std::size_t>(r)], last = B.start[static_cast<std::size_t>(r) + 1];
    for (Index k = first; k < last; ++k) {
      // Positions ascend inside a row, so (l, k) with l >= k is the lower triangle, written down one column.
      double* const column = out.col(B.at[static_cast<std::size_t>(k)]).data();
      const double value = B.value[static_cast<std::size_t>(k)];
      for (Index l = k; l < last; ++l)
        column[B.at[static_cast<std::size_t>(l)]] += value * B.value[static_cast<std::size_t>(l)];
    }
    const auto entries = static_cast<double>(last - first);
    multiply_adds += entries * (entries + 1) / 2;
  }
  return out;
}

// H restricted to faces: positions F of J.
using Positions = std::vector<Index>;

class Hessian {
 public:
  Hessian() = default;
  Hessian(const Hessian&) = delete;
  Hessian& operator=(const Hessian&) = delete;
  virtual ~Hessian() = default;
  virtual void choose_face(const Positions& face) = 0;
  [[nodiscard]] virtual Vector solve(const Vector& v) = 0;  // H_FF^-1 v
  [[nodiscard]] virtual Vector apply(const Vector& v) = 0;  // H_JF v
  [[nodiscard]] virtual int most_faces() const { return kMostFaces; }
  // Multiply-adds of any kind since the beginning, factorisations included.
  [[nodiscard]] double effort() const { return effort_; }

 protected:
  double effort_ = 0;
};

// |J| x |J|, for fewer features than rows.
class PrimalForm final : public Hessian {
 public:
  PrimalForm(const CurvedRows& B, const Vector& q, double& multiply_adds) : H_(gram(B, q.size(), multiply_adds)) {
    const double scale = H_.diagonal().mean() + q.mean();
    H_.diagonal() += q + Vector::Constant(q.size(), kDamping * scale);
    H_.triangularView<Eigen::StrictlyUpper>() = H_.transpose();
  }
  void choose_face(const Positions& face) override {
    face_ = face;
    factor_.compute(H_(face, face));
    const auto size = static_cast<double>(face.size());
    effort_ += size * size * size / 6;
  }
  [[nodiscard]] Vector solve(const Vector& v) override { return factor_.solve(v); }
  [[nodiscard]] Vector apply(const Vector& v) override {
    effort_ += static_cast<double>(H_.rows() * v.size());
    return H_(Eigen::all, face_) * v;
  }

 private:
  Matrix H_;
  Positions face_;
  Eigen::LLT<Matrix> factor_;
};

// rows x rows, for fewer rows than features:  H^-1 = Q^-1 - Q^-1 B' (I + B Q^-1 B')^-1 B Q^-1,  Q = diag(q)
class DualForm final : public Hessian {
 public:
  DualForm(const CurvedRows& B, const Vector& q, double& multiply_adds)
      : B_(dense(B, q.size())), q_(q), multiply_adds_(multiply_adds) {
    q_.array() += kDampingWoodbury * B_.squaredNorm() / static_cast<double>(q.size());
  }
  // K = I + B_F Q_F^-1 B_F' is kept from face to face: only the columns that come and go cost anything.
  void choose_face(const Positions& face) override {
    std::vector<bool> stays(static_cast<std::size_t>(q_.size()), false), was(stays);
    for (const Index a : face_) was[static_cast<std::size_t>(a)] = true;
    for (const Index a : face) stays[static_cast<std::size_t>(a)] = true;
    Positions leaving, coming;
    for (const Index a : face_)
      if (!stays[static_cast<std::size_t>(a)]) leaving.push_back(a);
    for (const Index a : face)
      if (!was[static_cast<std::size_t>(a)]) coming.push_back(a);
    if (K_.size() == 0 || 2 * (leaving.size() + coming.size()) > face.size()) {
      K_ = Matrix::Identity(B_.rows(), B_.rows());
      add_columns(face, 1);
    } else {
      add_columns(coming, 1);
      add_columns(leaving, -1);
    }
    factor_.compute(K_);
    const auto size = static_cast<double>(K_.rows());
    effort_ += size * size * size / 6;
    face_ = face;
    q_face_ = q_(face);
    B_face_ = B_(Eigen::all, face);
  }
  [[nodiscard]] Vector solve(const Vector& v) override {
    const Vector first = v.cwiseQuotient(q_face_);
    const Vector inner = factor_.solve(B_face_ * first);
    count(2.0 * static_cast<double>(B_face_.size()));
    return first - (B_face_.transpose() * inner).cwiseQuotient(q_face_);
  }
  [[nodiscard]] Vector apply(const Vector& v) override {
    Vector out = B_.transpose() * (B_face_ * v);
    count(static_cast<double>(B_face_.size() + B_.size()));
    for (std::size_t k = 0; k < face_.size(); ++k) out[face_[k]] += q_[face_[k]] * v[static_cast<Index>(k)];
    return out;
  }

 private:
  void add_columns(const Positions& columns, double sign) {
    if (columns.empty()) return;
    const Vector scale = q_(columns).cwiseSqrt().cwiseInverse();
    K_.selfadjointView<Eigen::Lower>().rankUpdate(B_(Eigen::all, columns) * scale.asDiagonal(), sign);
    count(static_cast<double>(B_.rows()) * static_cast<double>(B_.rows()) / 2 * static_cast<double>(columns.size()));
  }
  void count(double with_entries_of_A) {
    multiply_adds_ += with_entries_of_A;
    effort_ += with_entries_of_A;
  }

  Matrix B_, B_face_, K_;
  Vector q_, q_face_;
  double& multiply_adds_;
  Positions face_;
  Eigen::LLT<Matrix> factor_;
};

// Many features and many rows: conjugate gradients, preconditioned by the diagonal. An inexact direction is still one
// of descent.
class ProductForm final : public Hessian {
 public:
  ProductForm(CurvedRows B, Vector q, double& multiply_adds)
      : B_(std::move(B)), q_(std::move(q)), multiply_adds_(multiply_adds) {
    diagonal_ = q_;
    for (std::size_t k = 0; k < B_.value.size(); ++k) diagonal_[B_.at[k]] += B_.value[k] * B_.value[k];
    const double shift = kDamping * diagonal_.mean();
    diagonal_.array() += shift;
    q_.array() += shift;
  }
  void choose_face(const Positions& face) override { face_ = face; }
  [[nodiscard]] Vector apply(const Vector& v) override {
    Vector wide = Vector::Zero(q_.size());
    wide(face_) = v;
    multiply_adds_ += 2.0 * static_cast<double>(B_.value.size());
    effort_ += 2.0 * static_cast<double>(B_.value.size());
    return multiply_transposed(B_, multiply(B_, wide), wide.size()) + q_.cwiseProduct(wide);
  }
  [[nodiscard]] Vector solve(const Vector& v) override {
    const Vector diagonal = diagonal_(face_);
    Vector x = Vector::Zero(v.size()), r = v, s = r.cwiseQuotient(diagonal), direction = s;
    double rs = r.dot(s);
    const double enough = kConjugateTolerance * kConjugateTolerance * rs;
    for (int t = 0; t < kMostConjugateSteps && rs > enough; ++t) {
      const Vector image = apply(direction)(face_);
      const double step = rs / direction.dot(image);
      x += step * direction;
      r -= step * image;
      s = r.cwiseQuotient(diagonal);
      const double next = r.dot(s);
      direction = s + (next / rs) * direction;
      rs = next;
    }
    return x;
  }
  [[nodiscard]] int most_faces() const override { return kMostFacesByConjugateGradients; }

 private:
  CurvedRows B_;
  Vector q_, diagonal_;
  double& multiply_adds_;
  Positions face_;
};

std::unique_ptr<Hessian> make_hessian(CurvedRows B, const Vector& q, double& multiply_adds) {
  // Where no row curves H is diagonal, and Eigen's factors are not made for matrices without rows.
  if (B.count() == 0 || std::min(q.size(), B.count()) > kLargestCholesky)
    return std::make_unique<ProductForm>(std::move(B), q, multiply_adds);
  if (q.size() <= B.count()) return std::make_unique<PrimalForm>(B, q, multiply_adds);
  return std::make_unique<DualForm>(B, q, multiply_adds);
}

// The active-set method on J. Signs are those of the entries on the face; entries off the face are zero.
class ActiveSet {
 public:
  ActiveSet(const LocalPoint& point, const Set& set, Hessian& H)
      : H_(H), set_(set), is_tight_(point.is_tight), is_one_sided_(point.is_one_sided) {
    const auto size = static_cast<Index>(point.x.size());
    x_ = Eigen::Map<const Vector>(point.x.data(), size);
    g_ = Eigen::Map<const Vector>(point.gradient.data(), size);
    sign_ = Vector::Zero(size);
    for (Index a = 0; a < size; ++a)
      if (x_[a] != 0) enter(a, x_[a] > 0 ? 1.0 : -1.0);
  }

  std::vector<double> minimise(double most_effort) {
    for (int t = 0; t < H_.most_faces() && H_.effort() <= most_effort; ++t) {
      if (face_.empty() && !let_enter()) break;
      H_.choose_face(face_);
      const Vector dx = newton_direction();
      if (!dx.allFinite()) break;
      if (!move(dx)) continue;  // an obstacle: another face
      if (is_tight_ && !is_one_sided_ && multiplier_ < 0) {
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
  bool has_moved_ = true;
  double multiplier_ = 0;
};

}  // namespace

std::vector<double> minimise_model(const Problem& p, const LocalPoint& point, std::span<const double> w,
                                   double most_effort, double& multiply_adds) {
  CurvedRows B = gather_rows(p, point.feature, w);
  multiply_adds += static_cast<double>(B.value.size());
  const Curvatures curvatures = p.regulariser->curvatures();
  Vector q(static_cast<Index>(point.feature.size()));
  for (Index a = 0; a < q.size(); ++a) q[a] = curvatures[point.feature[static_cast<std::size_t>(a)]];
  const auto H = make_hessian(std::move(B), q, multiply_adds);
  return ActiveSet(point, *p.set, *H).minimise(most_effort);
}

}  // namespace pdbfw
