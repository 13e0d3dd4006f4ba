#include "solvers/sweeps/leaps.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/gram.hpp"

namespace pdbfw {
namespace {

using Vector = Eigen::VectorXd;

// Newton's method [M17], while a step costs no more than this number of passes. The first sweeps are cheap, and leave
// fewer features outside the zone; a step that is cheaper still need not wait.
constexpr double kMostNewtonPasses = 50;
constexpr Index kFirstNewton = 3;
constexpr double kCheapNewton = 4;
constexpr int kMostHalvings = 11;
constexpr Index kLongestPause = 16;
// A line through the last two ends of a path is followed for this multiple of the distance between them.
constexpr double kFarthest = 2;

double newton_passes(const SweepState& s) {
  return s.n * s.n * (s.n / 6 + static_cast<double>(s.nonzeros) / 2) / static_cast<double>(s.p.A->nonzeros());
}

// A row rests if its proximal step, however short, would not move it: it is at its end of the domain and wants beyond.
constexpr double kShortStep = 1e-8;

std::vector<Index> free_rows(const SweepState& s) {
  std::vector<Index> rows;
  for (std::size_t i = 0; i < s.y.size(); ++i)
    if (s.loss.dual_prox(i, s.w[i], s.y[i], kShortStep) != s.y[i]) rows.push_back(static_cast<Index>(i));
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

// D(y, lambda) is quadratic (or smooth) as long as no feature crosses the border of the dead zone and no y_i meets the
// end of its domain. The direction that maximises it on that piece, lambda included: [M17]
//     [ diag(f_i*'') / n + A_J X A_J' / n^2 ] e = grad_y D   on the rows that are free to move,  e_i = 0 on the others,
//     J = the features outside the zone,  X = Q_J^-1 - Q_J^-1 s s' Q_J^-1 / (s' Q_J^-1 s) if the radius is met, else
//     Q_J^-1.
// Empty if the system cannot be solved. w is exact. `multiply_adds` grows by those with entries of A.
std::vector<double> newton_direction(const SweepState& s, double& multiply_adds) {
  const std::vector<Index> rows = free_rows(s);
  const Curvatures q = s.q_in_play();
  if (rows.empty()) return {};
  std::vector<Index> positions;
  std::vector<double> scale, scaled_sign;  // 1 / sqrt(q_j) / n and s_j / sqrt(q_j)
  for (std::size_t a = 0; a < s.now.u.size(); ++a) {
    const double outside = s.zone.outside(s.now.u[a]);
    if (outside == 0) continue;
    positions.push_back(static_cast<Index>(a));
    const double root = std::sqrt(q[static_cast<Index>(a)]);
    scale.push_back(1 / (s.n * root));
    scaled_sign.push_back((outside > 0 ? 1 : -1) / root);
  }

  const RowMatrix B = scaled_rows(s.rows.in_memory(), rows, positions, scale);
  Eigen::MatrixXd H = lower_gram(B);
  multiply_adds += static_cast<double>(B.rows()) * static_cast<double>(B.size()) / 2;
  if (s.zone.is_tight && !positions.empty()) {
    const Eigen::Map<const Vector> signs(scaled_sign.data(), B.cols());
    H.selfadjointView<Eigen::Lower>().rankUpdate(B * signs, -1 / signs.squaredNorm());
  }
  Vector gradient(B.rows());
  for (Index r = 0; r < B.rows(); ++r) {
    const auto i = static_cast<std::size_t>(rows[static_cast<std::size_t>(r)]);
    const double slope = s.loss.conjugate_derivative(i, s.y[i]);
    // f*'' = 1 / f'' at the point where f' = y; at an end of the domain that of the curved piece.
    const double curvature = s.loss.second_derivative(i, slope);
    gradient[r] = (s.w[i] - slope) / s.n;
    H(r, r) += 1 / (s.n * (curvature > 0 ? curvature : s.loss.smoothness()));
  }
  const Vector e = Eigen::LLT<Eigen::MatrixXd>(H).solve(gradient);
  if (!e.allFinite()) return {};
  std::vector<double> direction(s.y.size(), 0.0);
  for (Index r = 0; r < B.rows(); ++r) direction[static_cast<std::size_t>(rows[static_cast<std::size_t>(r)])] = e[r];
  return direction;
}

}  // namespace

bool Leaps::newton_pays() const { return s_.has_few_rows && newton_passes(s_) <= kMostNewtonPasses; }

void Leaps::newton_if_due(Index sweeps, Run& run) {
  if (std::exchange(proximity_, s_.proximity) != s_.proximity) next_newton_ = 0, pause_ = 1;
  if (!newton_pays() || sweeps < next_newton_ || (sweeps < kFirstNewton && newton_passes(s_) > kCheapNewton)) return;
  s_.verify_products(run);
  double multiply_adds = 0;
  const std::vector<double> e = newton_direction(s_, multiply_adds);
  run.charge(multiply_adds);
  if (!e.empty() && leap(e, 1, kMostHalvings, run)) {
    pause_ = 1;
    return;
  }
  pause_ = std::min(2 * pause_, kLongestPause);
  next_newton_ = sweeps + pause_;
}

void Leaps::along_path(Run& run) {
  const double radius = s_.p.set->radius();
  const double t = std::log(radius / ends_.radius) / std::log(ends_.radius / ends_.radius_before);
  std::vector<double> y = s_.y;
  if (!ends_.y_before.empty() && t > 0 && t <= kFarthest) {
    std::vector<double> e(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) e[i] = y[i] - ends_.y_before[i];
    leap(e, t, 0, run);
  }
  ends_ = {std::move(y), ends_.radius, radius};
}

bool Leaps::leap(std::span<const double> e, double t, int most_halvings, Run& run) {
  const SweepState::Place before = s_.place();
  for (int halving = 0; halving <= most_halvings && run.may_go_on(); ++halving, t /= 2) {
    for (std::size_t i = 0; i < e.size(); ++i) s_.y[i] = s_.loss.dual_prox(i, 0, before.y[i] + t * e[i], 0);
    s_.refresh_products(run);
    s_.look();
    if (s_.dual > before.dual) return true;
  }
  s_.return_to(before);
  return false;
}

}  // namespace pdbfw
