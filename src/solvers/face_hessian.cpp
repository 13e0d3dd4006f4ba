#include "solvers/face_hessian.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "linalg/decompositions.hpp"

namespace pdbfw {
namespace {

// Above this size of the smaller form a Cholesky factor costs more than some hundred products with A_J.
constexpr Index kLargestCholesky = 2'000;
// H may be singular without a ridge; this much of its mean diagonal is added. It bends the direction a little, never
// the solution: the line search and the certificate do not know of it.
constexpr double kDamping = 1e-10;
constexpr double kDampingWoodbury = 1e-7;
constexpr int kMostConjugateSteps = 100;
constexpr double kConjugateTolerance = 1e-4;
constexpr int kMostFacesByConjugateGradients = 5;

// B = diag(root) A_J with root_i = sqrt(f_i'' / n), only the rows that curve, by row. With free columns Z the curvature
// of the loss is B'(I - G G')B, where G has these rows of diag(root) Z (Z' diag(root^2) Z)^(-1/2).              [M38]
struct CurvedRows {
  std::vector<Index> start{0};
  std::vector<std::uint32_t> at;  // position in J
  std::vector<double> value;
  Eigen::MatrixXd G;  // no columns where there are no free ones
  [[nodiscard]] Index count() const { return static_cast<Index>(start.size()) - 1; }
  [[nodiscard]] bool is_centred() const { return G.cols() > 0; }
};

// G of the rows in `kept`, by the eigenvectors of Z' diag(root^2) Z: directions that do not curve are left out.
Eigen::MatrixXd free_rows(const FreeColumns& Z, std::span<const double> root, std::span<const std::size_t> kept) {
  constexpr double kNothing = 1e-13;
  Eigen::MatrixXd R(static_cast<Index>(root.size()), Z.count);
  for (Index c = 0; c < Z.count; ++c)
    for (Index i = 0; i < R.rows(); ++i)
      R(i, c) = root[static_cast<std::size_t>(i)] * Z[c][static_cast<std::size_t>(i)];
  const Vector length = R.colwise().norm().transpose();
  for (Index c = 0; c < Z.count; ++c)
    if (length[c] > 0) R.col(c) /= length[c];
  const Eigenpairs eigen = eigenpairs(R.transpose() * R);
  Index rank = 0;
  while (rank < Z.count && eigen.values[Z.count - 1 - rank] > kNothing) ++rank;
  const Eigen::MatrixXd basis =
      eigen.vectors.rightCols(rank) * eigen.values.tail(rank).cwiseSqrt().cwiseInverse().asDiagonal();
  Eigen::MatrixXd G(static_cast<Index>(kept.size()), rank);
  for (std::size_t k = 0; k < kept.size(); ++k)
    G.row(static_cast<Index>(k)) = R.row(static_cast<Index>(kept[k])) * basis;
  return G;
}

CurvedRows gather_rows(const Problem& p, const FeatureRows& rows, std::span<const Index> features,
                       std::span<const double> w, double least_curvature) {
  const auto n = static_cast<double>(p.n());
  std::vector<double> root(w.size());
  const std::vector<double> at = shifted(w, p.loss->free_columns(), p.loss->free_weights(p.b, w));
  for (std::size_t i = 0; i < w.size(); ++i)
    root[i] = std::sqrt(std::max(p.loss->second_derivative(p.b[i], at[i]), least_curvature) / n);
  constexpr std::uint32_t kLeftOut = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place_in_J(rows.features.size(), kLeftOut);
  for (std::size_t a = 0, k = 0; a < features.size(); ++k)
    if (rows.features[k] == features[a]) place_in_J[k] = static_cast<std::uint32_t>(a++);

  CurvedRows out;
  std::vector<std::size_t> kept;
  out.at.resize(rows.place.size() + 1);  // an entry is written first and kept if it belongs, which saves a branch
  out.value.resize(rows.place.size() + 1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (root[i] == 0) continue;
    const std::size_t first = next;
    for (auto k = static_cast<std::size_t>(rows.start[i]); k < static_cast<std::size_t>(rows.start[i + 1]); ++k) {
      const std::uint32_t place = place_in_J[rows.place[k]];
      out.at[next] = place;
      out.value[next] = root[i] * rows.value[k];
      next += place != kLeftOut ? 1 : 0;
    }
    if (next == first) continue;
    out.start.push_back(static_cast<Index>(next));
    kept.push_back(i);
  }
  out.at.resize(next);
  out.value.resize(next);
  if (p.loss->has_free_columns()) out.G = free_rows(p.loss->free_columns(), root, kept);
  return out;
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

// (I - G T G') B with (I - G T G')^2 = I - G G': in the eigenvectors of G'G, of eigenvalues s <= 1, T is
// (1 - (1 - s)^(1/2)) / s.
Eigen::MatrixXd dense(const CurvedRows& B, Index columns) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(B.count(), columns);
  for (Index r = 0; r < B.count(); ++r)
    for (auto k = static_cast<std::size_t>(B.start[static_cast<std::size_t>(r)]);
         k < static_cast<std::size_t>(B.start[static_cast<std::size_t>(r) + 1]); ++k)
      out(r, B.at[k]) = B.value[k];
  if (B.is_centred()) {
    const Eigenpairs eigen = eigenpairs(B.G.transpose() * B.G);
    const Vector T =
        eigen.values.unaryExpr([](double s) { return s > 0 ? (1 - std::sqrt(std::max(0.0, 1 - s))) / s : 0.0; });
    const Eigen::MatrixXd along = B.G * eigen.vectors;
    out -= along * (T.asDiagonal() * (along.transpose() * out)).eval();
  }
  return out;
}

// B'(I - G G')B, row by row: the sum over rows of (entries of the row)^2 / 2 multiply-adds.
Eigen::MatrixXd gram(const CurvedRows& B, Index columns, double& multiply_adds) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(columns, columns);
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
  out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  if (B.is_centred()) {
    Eigen::MatrixXd C(columns, B.G.cols());
    for (Index c = 0; c < C.cols(); ++c) C.col(c) = multiply_transposed(B, B.G.col(c), columns);
    multiply_adds += static_cast<double>(B.value.size()) * static_cast<double>(C.cols());
    out.noalias() -= C * C.transpose();
  }
  return out;
}

// |J| x |J|, for fewer features than rows.
class PrimalForm final : public Hessian {
 public:
  PrimalForm(Eigen::MatrixXd gram, const Vector& q) : H_(std::move(gram)) {
    const double scale = H_.diagonal().mean() + q.mean();
    H_.diagonal() += q + Vector::Constant(q.size(), kDamping * scale);
  }
  void choose_face(const Positions& face) override {
    face_ = face;
    factor_.factor(H_(face, face));
    const auto size = static_cast<double>(face.size());
    effort_ += size * size * size / 6;
  }
  [[nodiscard]] Vector solve(const Vector& v) override { return factor_.solve(v); }
  [[nodiscard]] Vector apply(const Vector& v) override {
    effort_ += static_cast<double>(H_.rows() * v.size());
    return H_(Eigen::all, face_) * v;
  }

 private:
  Eigen::MatrixXd H_;
  Positions face_;
  Cholesky factor_;
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
      K_ = Eigen::MatrixXd::Identity(B_.rows(), B_.rows());
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

  Eigen::MatrixXd B_, B_face_, K_;
  Vector q_, q_face_;
  double& multiply_adds_;
  Positions face_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
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
    Vector image = multiply(B_, wide);
    if (B_.is_centred()) image -= B_.G * (B_.G.transpose() * image).eval();
    return multiply_transposed(B_, image, wide.size()) + q_.cwiseProduct(wide);
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

}  // namespace

std::unique_ptr<Hessian> make_hessian(Eigen::MatrixXd gram, const Vector& q) {
  return std::make_unique<PrimalForm>(std::move(gram), q);
}

FeatureRows rows_on(const DataMatrix& A, std::vector<Index> features) {
  FeatureRows out{std::move(features), std::vector<Index>(static_cast<std::size_t>(A.rows()) + 1, 0), {}, {}};
  std::visit(
      [&](const auto& columns) {
        for (const Index j : out.features) {
          const auto line = columns[j];
          for (Index k = 0; k < line.size; ++k) ++out.start[static_cast<std::size_t>(line.index(k)) + 1];
        }
        std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
        out.place.resize(static_cast<std::size_t>(out.start.back()));
        out.value.resize(out.place.size());
        std::vector<Index> next(out.start.begin(), out.start.end() - 1);
        for (std::size_t a = 0; a < out.features.size(); ++a) {
          const auto line = columns[out.features[a]];
          for (Index k = 0; k < line.size; ++k) {
            const auto to = static_cast<std::size_t>(next[static_cast<std::size_t>(line.index(k))]++);
            out.place[to] = static_cast<std::uint32_t>(a);
            out.value[to] = static_cast<double>(line.value[k]);
          }
        }
      },
      A.by_column());
  return out;
}

std::unique_ptr<Hessian> make_hessian(const Problem& p, const FeatureRows& rows, std::span<const Index> features,
                                      std::span<const double> w, double least_curvature, double& multiply_adds) {
  const Curvatures curvatures = p.regulariser->curvatures();
  Vector q(static_cast<Index>(features.size()));
  for (Index a = 0; a < q.size(); ++a) q[a] = curvatures[features[static_cast<std::size_t>(a)]];
  CurvedRows B = gather_rows(p, rows, features, w, least_curvature);
  multiply_adds += static_cast<double>(B.value.size());
  // Where no row curves H is diagonal, and Eigen's factors are not made for matrices without rows.
  if (B.count() == 0 || std::min(q.size(), B.count()) > kLargestCholesky)
    return std::make_unique<ProductForm>(std::move(B), q, multiply_adds);
  if (q.size() <= B.count()) return std::make_unique<PrimalForm>(gram(B, q.size(), multiply_adds), q);
  return std::make_unique<DualForm>(B, q, multiply_adds);
}

}  // namespace pdbfw
