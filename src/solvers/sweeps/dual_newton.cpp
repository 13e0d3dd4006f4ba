#include "solvers/sweeps/dual_newton.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "linalg/gram.hpp"

namespace pdbfw {
namespace {

using Vector = Eigen::VectorXd;

// A row rests if its proximal step, however short, would not move it: it is at its end of the domain and wants beyond.
constexpr double kShortStep = 1e-8;

std::vector<Index> free_rows(const Problem& p, std::span<const double> y, std::span<const double> w) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (p.loss->dual_prox(i, w[i], y[i], kShortStep) != y[i]) rows.push_back(static_cast<Index>(i));
  return rows;
}

// B = A_FJ Q_J^-1/2: free rows F, features J outside the zone. `positions` are those of J in W.
RowMatrix scaled_rows(const PackedRows& packed, std::span<const Index> free, std::span<const Index> positions,
                      std::span<const double> scale) {
  const auto width = static_cast<Index>(positions.size());
  RowMatrix out = RowMatrix::Zero(static_cast<Index>(free.size()), width);
  std::vector<Index> column(static_cast<std::size_t>(packed.width()), -1);
  for (Index c = 0; c < width; ++c) column[static_cast<std::size_t>(positions[static_cast<std::size_t>(c)])] = c;
  std::visit(
      [&](const auto& rows) {
        for (std::size_t r = 0; r < free.size(); ++r) {
          const auto line = rows[free[r]];
          double* const to = out.data() + static_cast<Index>(r) * width;
          if constexpr (requires { line.at; }) {
            for (Index k = 0; k < line.size; ++k) {
              const Index c = column[static_cast<std::size_t>(line.index(k))];
              if (c >= 0) to[c] = scale[static_cast<std::size_t>(c)] * static_cast<double>(line.value[k]);
            }
          } else {
            for (std::size_t c = 0; c < positions.size(); ++c)
              to[c] = scale[c] * static_cast<double>(line.value[positions[c]]);
          }
        }
      },
      packed.rows());
  return out;
}

}  // namespace

std::vector<double> dual_newton_direction(const Problem& p, const DualPoint& at, double& multiply_adds) {
  const std::span<const double> y = at.y, w = at.w;
  const auto n = static_cast<double>(p.n());
  const std::vector<Index> rows = free_rows(p, y, w);
  if (rows.empty()) return {};
  std::vector<Index> positions;
  std::vector<double> scale, scaled_sign;  // 1 / sqrt(q_j) / n and s_j / sqrt(q_j)
  for (std::size_t a = 0; a < at.u.size(); ++a) {
    const double outside = at.zone.outside(at.u[a]);
    if (outside == 0) continue;
    positions.push_back(static_cast<Index>(a));
    const double root = std::sqrt(at.q[static_cast<Index>(a)]);
    scale.push_back(1 / (n * root));
    scaled_sign.push_back((outside > 0 ? 1 : -1) / root);
  }

  const RowMatrix B = scaled_rows(at.rows, rows, positions, scale);
  Eigen::MatrixXd H = lower_gram(B);
  multiply_adds += static_cast<double>(B.rows()) * static_cast<double>(B.size()) / 2;
  if (at.zone.is_tight && !positions.empty()) {
    const Eigen::Map<const Vector> s(scaled_sign.data(), B.cols());
    H.selfadjointView<Eigen::Lower>().rankUpdate(B * s, -1 / s.squaredNorm());
  }
  Vector gradient(B.rows());
  for (Index r = 0; r < B.rows(); ++r) {
    const auto i = static_cast<std::size_t>(rows[static_cast<std::size_t>(r)]);
    const double slope = p.loss->conjugate_derivative(i, y[i]);
    // f*'' = 1 / f'' at the point where f' = y; at an end of the domain that of the curved piece.
    const double curvature = p.loss->second_derivative(i, slope);
    gradient[r] = (w[i] - slope) / n;
    H(r, r) += 1 / (n * (curvature > 0 ? curvature : p.loss->smoothness()));
  }
  const Vector e = Eigen::LLT<Eigen::MatrixXd>(H).solve(gradient);
  if (!e.allFinite()) return {};
  std::vector<double> direction(y.size(), 0.0);
  for (Index r = 0; r < B.rows(); ++r) direction[static_cast<std::size_t>(rows[static_cast<std::size_t>(r)])] = e[r];
  return direction;
}

}  // namespace pdbfw
