#include "solvers/dual_newton.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace pdbfw {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

// A row rests if its proximal step, however short, would not move it: it is at its end of the domain and wants beyond.
constexpr double kShortStep = 1e-8;

std::vector<Index> free_rows(const Problem& p, std::span<const double> y, std::span<const double> w) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (p.loss->dual_prox(p.b[i], w[i], y[i], kShortStep) != y[i]) rows.push_back(static_cast<Index>(i));
  return rows;
}

// The columns of J, the free rows only, each column divided by sqrt(q_j).
Matrix scaled_columns(const Problem& p, std::span<const Index> rows, std::span<const Index> features) {
  const Curvatures q = p.regulariser->curvatures();
  std::vector<Index> place(static_cast<std::size_t>(p.n()), -1);
  for (std::size_t r = 0; r < rows.size(); ++r) place[static_cast<std::size_t>(rows[r])] = static_cast<Index>(r);
  Matrix out = Matrix::Zero(static_cast<Index>(rows.size()), static_cast<Index>(features.size()));
  std::visit(
      [&](const auto& columns) {
        for (std::size_t a = 0; a < features.size(); ++a) {
          const auto line = columns[features[a]];
          const double scale = 1 / std::sqrt(q[features[a]]);
          for (Index k = 0; k < line.size; ++k) {
            const Index r = place[static_cast<std::size_t>(line.index(k))];
            if (r >= 0) out(r, static_cast<Index>(a)) = scale * static_cast<double>(line.value[k]);
          }
        }
      },
      p.A->by_column());
  return out;
}

}  // namespace

std::vector<double> dual_newton_direction(const Problem& p, std::span<const double> y, std::span<const double> w,
                                          std::span<const double> u, const DeadZone& zone, double& multiply_adds) {
  const auto n = static_cast<double>(p.n());
  const Curvatures q = p.regulariser->curvatures();
  const std::vector<Index> rows = free_rows(p, y, w);
  if (rows.empty()) return {};
  std::vector<Index> features;
  std::vector<double> scaled_sign;  // s_j / sqrt(q_j)
  for (std::size_t j = 0; j < u.size(); ++j) {
    const double outside = zone.outside(u[j]);
    if (outside == 0) continue;
    features.push_back(static_cast<Index>(j));
    scaled_sign.push_back((outside > 0 ? 1 : -1) / std::sqrt(q[static_cast<Index>(j)]));
  }

  const Matrix B = scaled_columns(p, rows, features);
  Matrix H = Matrix::Zero(B.rows(), B.rows());
  H.selfadjointView<Eigen::Lower>().rankUpdate(B, 1 / (n * n));
  multiply_adds += static_cast<double>(B.rows()) * static_cast<double>(B.size()) / 2;
  if (zone.is_tight && !features.empty()) {
    const Eigen::Map<const Vector> s(scaled_sign.data(), B.cols());
    H.selfadjointView<Eigen::Lower>().rankUpdate(B * s, -1 / (n * n * s.squaredNorm()));
  }
  Vector gradient(B.rows());
  for (Index r = 0; r < B.rows(); ++r) {
    const auto i = static_cast<std::size_t>(rows[static_cast<std::size_t>(r)]);
    const double slope = p.loss->conjugate_derivative(p.b[i], y[i]);
    // f*'' = 1 / f'' at the point where f' = y; at an end of the domain that of the curved piece.
    const double curvature = p.loss->second_derivative(p.b[i], slope);
    gradient[r] = (w[i] - slope) / n;
    H(r, r) += 1 / (n * (curvature > 0 ? curvature : p.loss->smoothness()));
  }
  const Vector e = Eigen::LLT<Matrix>(H).solve(gradient);
  if (!e.allFinite()) return {};
  std::vector<double> direction(y.size(), 0.0);
  for (Index r = 0; r < B.rows(); ++r) direction[static_cast<std::size_t>(rows[static_cast<std::size_t>(r)])] = e[r];
  return direction;
}

}  // namespace pdbfw
