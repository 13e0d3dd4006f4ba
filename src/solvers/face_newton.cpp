#include "solvers/face_newton.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>

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
constexpr int kMostConjugateSteps = 200;
constexpr double kConjugateTolerance = 1e-4;

// B = diag(sqrt(f_i'' / n)) A_J, only the rows that curve, by row.
struct CurvedRows {
  std::vector<Index> start{0};
  std::vector<Index> at;  // position in the support
  std::vector<double> value;
  [[nodiscard]] Index count() const { return static_cast<Index>(start.size()) - 1; }
};

CurvedRows gather_rows(const Problem& p, const Face& face, std::span<const double> w) {
  const auto n = static_cast<double>(p.n());
  std::vector<Index> fill(w.size() + 1, 0);
  std::vector<double> root(w.size());
  for (std::size_t i = 0; i < w.size(); ++i) root[i] = std::sqrt(p.loss->second_derivative(p.b[i], w[i]) / n);
  return std::visit(
      [&](const auto& columns) {
        for (const Index j : face.support) {
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
        for (std::size_t a = 0; a < face.support.size(); ++a) {
          const auto line = columns[face.support[a]];
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

using Solve = std::function<Vector(const Vector&)>;  // v -> H^-1 v

Solve primal_cholesky(const CurvedRows& B, Vector q, double& multiply_adds) {
  Matrix H = gram(B, q.size(), multiply_adds);
  const double scale = H.diagonal().mean() + q.mean();
  H.diagonal() += q.array().matrix() + Vector::Constant(q.size(), kDamping * scale);
  auto factor = std::make_shared<Eigen::LLT<Eigen::MatrixXd>>(H);
  return [factor](const Vector& v) { return Vector(factor->solve(v)); };
}

// H^-1 = Q^-1 - Q^-1 B' (I + B Q^-1 B')^-1 B Q^-1,  Q = diag(q)
Solve dual_cholesky(const CurvedRows& B, Vector q, double& multiply_adds) {
  auto rows = std::make_shared<Matrix>(dense(B, q.size()));
  const double scale = rows->squaredNorm() / static_cast<double>(q.size());
  q.array() += kDampingWoodbury * scale;
  const Matrix scaled = *rows * q.cwiseSqrt().cwiseInverse().asDiagonal();
  Matrix K = Matrix::Identity(B.count(), B.count());
  K.selfadjointView<Eigen::Lower>().rankUpdate(scaled);
  multiply_adds += static_cast<double>(B.value.size()) * static_cast<double>(B.count()) / 2;
  auto factor = std::make_shared<Eigen::LLT<Eigen::MatrixXd>>(K);
  return [factor, rows, q](const Vector& v) {
    const Vector first = v.cwiseQuotient(q);
    const Vector inner = factor->solve(*rows * first);
    return Vector(first - (rows->transpose() * inner).cwiseQuotient(q));
  };
}

// Conjugate gradients, preconditioned by the diagonal. An inexact direction is still one of descent.
Solve conjugate_gradients(std::shared_ptr<const CurvedRows> B, Vector q, double& multiply_adds) {
  Vector diagonal = q;
  for (std::size_t k = 0; k < B->value.size(); ++k) diagonal[B->at[k]] += B->value[k] * B->value[k];
  const double shift = kDamping * diagonal.mean();
  diagonal.array() += shift;
  q.array() += shift;
  return [B = std::move(B), q, diagonal, &multiply_adds](const Vector& v) {
    Vector x = Vector::Zero(v.size()), r = v, s = r.cwiseQuotient(diagonal), direction = s;
    double rs = r.dot(s);
    const double enough = kConjugateTolerance * kConjugateTolerance * rs;
    for (int t = 0; t < kMostConjugateSteps && rs > enough; ++t) {
      const Vector image =
          multiply_transposed(*B, multiply(*B, direction), direction.size()) + q.cwiseProduct(direction);
      multiply_adds += 2.0 * static_cast<double>(B->value.size());
      const double step = rs / direction.dot(image);
      x += step * direction;
      r -= step * image;
      s = r.cwiseQuotient(diagonal);
      const double next = r.dot(s);
      direction = s + (next / rs) * direction;
      rs = next;
    }
    return x;
  };
}

}  // namespace

std::vector<double> newton_direction(const Problem& p, const Face& face, std::span<const double> gradient,
                                     std::span<const double> w, double& multiply_adds) {
  const auto size = static_cast<Index>(face.support.size());
  auto B = std::make_shared<CurvedRows>(gather_rows(p, face, w));
  multiply_adds += static_cast<double>(B->value.size());
  const Curvatures curvatures = p.regulariser->curvatures();
  Vector q(size);
  for (Index a = 0; a < size; ++a) q[a] = curvatures[face.support[static_cast<std::size_t>(a)]];

  Solve solve;
  if (std::min(size, B->count()) > kLargestCholesky)
    solve = conjugate_gradients(B, q, multiply_adds);
  else if (size <= B->count())
    solve = primal_cholesky(*B, q, multiply_adds);
  else
    solve = dual_cholesky(*B, q, multiply_adds);

  // dx = -H^-1 (g - nu s) with nu such that s'dx = 0 on a tight face.
  const Eigen::Map<const Vector> g(gradient.data(), size), s(face.sign.data(), size);
  Vector dx = -solve(g);
  if (face.is_tight) {
    const Vector along = solve(s);
    dx -= (s.dot(dx) / s.dot(along)) * along;
  }
  return {dx.data(), dx.data() + size};
}

}  // namespace pdbfw
