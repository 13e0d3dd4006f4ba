#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/certify.hpp"
#include "core/dual_value.hpp"
#include "core/joint_certify.hpp"
#include "linalg/block_products.hpp"

namespace pdbfw::joint {
namespace {

// What the terms of D lose to rounding, as a share of their size.
constexpr double kCancelled = 16 * std::numeric_limits<double>::epsilon();

std::span<const double> as_vector(const Matrix& M) { return {M.data(), static_cast<std::size_t>(M.size())}; }
std::span<const double> as_vector(const Vector& v) { return {v.data(), static_cast<std::size_t>(v.size())}; }

void check_shape(std::string_view name, Index rows, Index columns, Index wanted_rows, Index wanted_columns) {
  if (rows != wanted_rows || columns != wanted_columns)
    throw InputError(name, fmt::format("{} x {}", rows, columns), fmt::format("{} x {}", wanted_rows, wanted_columns));
}

void check_rows(const Problem& p, const SparseRows& X) {
  check_shape("X", X.rows, X.columns(), p.d(), p.c());
  check_shape("X.value", X.value.rows(), X.columns(), static_cast<Index>(X.at.size()), p.c());
  Index last = -1;
  for (const Index j : X.at) {
    if (j <= last || j >= p.d())
      throw InputError("X.at", fmt::format("{} after {}", j, last), fmt::format("ascending, 0 .. {}", p.d() - 1));
    last = j;
  }
}

}  // namespace

std::vector<DeadZone> dead_zones(const Problem& p, const Matrix& U, double ridge, const std::vector<DeadZone>& guess) {
  const Curvatures q{ridge, {}};
  const auto near = [&](Index k) { return guess.empty() ? nullptr : &zone_of(guess, k); };
  if (!p.is_per_output) return {p.set->dead_zone(as_vector(U), q, near(0))};
  std::vector<DeadZone> zones;
  for (Index k = 0; k < U.cols(); ++k) {
    const Vector column = U.col(k);
    zones.push_back(p.set->dead_zone(as_vector(column), q, near(k)));
  }
  return zones;
}

double set_part(const Problem& p, const Matrix& U, double ridge, const std::vector<DeadZone>& zones) {
  const Curvatures q{ridge, {}};
  if (!p.is_per_output) return pdbfw::set_part(as_vector(U), q, zones[0], p.set->radius());
  double sum = 0;
  for (Index k = 0; k < U.cols(); ++k) {
    const Vector column = U.col(k);
    sum += pdbfw::set_part(as_vector(column), q, zone_of(zones, k), p.set->radius());
  }
  return sum;
}

double total_multiplier(const std::vector<DeadZone>& zones) {
  double sum = 0;
  for (const DeadZone& zone : zones) sum += zone.multiplier;
  return sum;
}

void project(const Problem& p, Matrix& rows) {
  if (!p.is_per_output) {
    p.set->project({rows.data(), static_cast<std::size_t>(rows.size())});
    return;
  }
  for (Index k = 0; k < rows.cols(); ++k) {
    Vector column = rows.col(k);
    p.set->project({column.data(), static_cast<std::size_t>(column.size())});
    rows.col(k) = column;
  }
}

double violation(const Problem& p, const Matrix& rows) {
  if (!p.is_per_output) return p.set->violation(as_vector(rows));
  double largest = 0;
  for (Index k = 0; k < rows.cols(); ++k) {
    const Vector column = rows.col(k);
    largest = std::max(largest, p.set->violation(as_vector(column)));
  }
  return largest;
}

Certificate certify(const Problem& p, const SparseRows& X, Matrix& Y, int threads, DualSide& side) {
  const auto n = static_cast<double>(p.n());
  Certificate certificate;

  // P(X) = (1/n) F(W) + (ridge/2) |X|^2,  W = A X
  Matrix W;
  multiply_rows(*p.A, X.at, X.value, W, threads);
  const Vector t = p.loss->intercepts(p.B, W, threads);
  W.rowwise() += t.transpose();
  certificate.primal = p.loss->total_value(p.B, W, threads) / n + 0.5 * p.ridge * X.value.squaredNorm();
  certificate.violation = violation(p, X.value);

  // D(Y) = min_{X in C} { (ridge/2) |X|^2 - <U, X> } - (1/n) F*(Y),  U = -A'Y / n
  p.loss->balance(Y);
  multiply_transposed(*p.A, Y, side.U, threads);
  side.U /= -n;
  side.zones = dead_zones(p, side.U, p.ridge);
  const double on_set = set_part(p, side.U, p.ridge, side.zones);
  const double conjugate = p.loss->total_conjugate(p.B, Y, threads) / n;
  // Where two large numbers all but cancel, their rounding is no proof; nor is what rounding leaves of the sums of the
  // columns of Y, which meets the intercepts.
  const double unbalanced = t.cwiseAbs().dot(Y.colwise().sum().cwiseAbs().transpose()) / n;
  certificate.dual = on_set - conjugate - kCancelled * (std::abs(on_set) + std::abs(conjugate)) - unbalanced;

  certificate.gap = proven_gap(certificate.primal, certificate.dual);
  certificate.relative_gap = certificate.gap;
  if (!std::isfinite(certificate.gap)) return certificate;
  W.setZero();
  const double at_zero = p.loss->total_value(p.B, W, threads) / n;
  certificate.relative_gap /=
      std::max({std::abs(certificate.primal), kTinyFraction * at_zero, std::numeric_limits<double>::min()});
  return certificate;
}

Certificate certify(const Problem& p, const SparseRows& X, const Matrix& Y, int threads) {
  check_rows(p, X);
  check_shape("Y", Y.rows(), Y.cols(), p.n(), p.c());
  Matrix balanced = Y;
  DualSide side;
  return certify(p, X, balanced, threads, side);
}

Matrix dual_candidate(const Problem& p, const SparseRows& X, int threads) {
  check_rows(p, X);
  Matrix W, Y;
  multiply_rows(*p.A, X.at, X.value, W, threads);
  p.loss->gradients(p.B, W, Y, threads);
  return Y;
}

Vector intercepts(const Problem& p, const SparseRows& X, int threads) {
  if (!p.loss->has_intercept()) return Vector::Zero(p.c());
  check_rows(p, X);
  Matrix W;
  multiply_rows(*p.A, X.at, X.value, W, threads);
  return p.loss->intercepts(p.B, W, threads);
}

}  // namespace pdbfw::joint
