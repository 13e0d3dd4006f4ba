#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/dual_value.hpp"
#include "core/joint_judge.hpp"
#include "linalg/products.hpp"

namespace pdbfw::joint {
namespace {

// Calls visit(numbers, k) for what C holds together: all of a matrix, or each of its columns.
template <class Visit>
void for_each_part(const Problem& p, const Matrix& M, const Visit& visit) {
  const auto rows = static_cast<std::size_t>(M.rows());
  if (!p.is_per_output) return visit(std::span(M.data(), rows * static_cast<std::size_t>(M.cols())), Index{0});
  Vector column(M.rows());
  for (Index k = 0; k < M.cols(); ++k) {
    if (rows > 0) column = M.col(k);  // without rows there is no memory that a column could point into
    visit(std::span<const double>(column.data(), rows), k);
  }
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

// A X. Throws InputError where X is not of the problem's shape.
Matrix products(const Problem& p, const SparseRows& X, int threads) {
  check_rows(p, X);
  Matrix W;
  multiply_rows(*p.A, X.at, X.value, W, threads);
  return W;
}

}  // namespace

std::vector<DeadZone> dead_zones(const Problem& p, const Matrix& U, double ridge, const std::vector<DeadZone>& guess) {
  std::vector<DeadZone> zones;
  for_each_part(p, U, [&](std::span<const double> u, Index k) {
    zones.push_back(p.set->dead_zone(u, {ridge, {}}, guess.empty() ? nullptr : &zone_of(guess, k)));
  });
  return zones;
}

double set_part(const Problem& p, const Matrix& U, double ridge, const std::vector<DeadZone>& zones) {
  double sum = 0;
  for_each_part(p, U, [&](std::span<const double> u, Index k) {
    sum += pdbfw::set_part(u, {ridge, {}}, zone_of(zones, k), p.set->radius());
  });
  return sum;
}

double total_multiplier(const std::vector<DeadZone>& zones) {
  double sum = 0;
  for (const DeadZone& zone : zones) sum += zone.multiplier;
  return sum;
}

void project(const Problem& p, Matrix& rows) {
  if (rows.rows() == 0) return;
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
  double largest = 0;
  for_each_part(p, rows, [&](std::span<const double> x, Index /*k*/) {
    largest = p.is_per_output ? std::max(largest, p.set->violation(x)) : p.set->violation(x);
  });
  return largest;
}

Verdict certify(const Problem& p, const SparseRows& X, Matrix& Y, int threads, DualSide& side) {
  // P(X) = (1/n) F(W) + (ridge/2) |X|^2,  W = A X
  Matrix W;
  multiply_rows(*p.A, X.at, X.value, W, threads);
  W.rowwise() += p.loss->intercepts(W, threads).transpose();
  p.loss->balance(Y);
  CertificateTerms terms = terms_of_rows(*p.loss, W, Y, p.n(), {}, threads);
  terms.regulariser = 0.5 * p.ridge * X.value.squaredNorm();

  // D(Y) = min_{X in C} { (ridge/2) |X|^2 - <U, X> } - (1/n) F*(Y),  U = -A'Y / n
  multiply_transposed(*p.A, Y, side.U, threads);
  side.U /= -static_cast<double>(p.n());
  side.zones = dead_zones(p, side.U, p.ridge);
  terms.on_set = set_part(p, side.U, p.ridge, side.zones);
  const double of_radius = total_multiplier(side.zones) * p.set->radius();
  terms.size_on_set = std::abs(of_radius) + std::abs(terms.on_set + of_radius);
  for (std::size_t k = 0; k < X.at.size(); ++k)
    terms.at_x += side.U.row(X.at[k]).dot(X.value.row(static_cast<Index>(k)));

  Verdict verdict = conclude(terms);
  verdict.certificate.violation = violation(p, X.value);
  return verdict;
}

Certificate certify(const Problem& p, const SparseRows& X, const Matrix& Y, int threads) {
  check_rows(p, X);
  check_shape("Y", Y.rows(), Y.cols(), p.n(), p.c());
  Matrix balanced = Y;
  DualSide side;
  return certify(p, X, balanced, threads, side).certificate;
}

Nothing Judge::nothing() const {
  const auto n = static_cast<double>(p_.n());
  const Matrix zero = Matrix::Zero(p_.n(), p_.c());
  return {.objective_at_zero = p_.loss->of_samples().total_value(zero, threads_) / n,
          .dual = -p_.loss->total_conjugate(zero, threads_) / n};
}

Judgement Judge::certify(Point& point, double /*believed_gap*/) const {
  DualSide side;
  const Verdict verdict = joint::certify(p_, point.X, point.Y, threads_, side);
  return {.verdict = verdict, .multiplier = total_multiplier(side.zones), .multiply_adds = 2 * pass(p_)};
}

void Judge::save(const Settings::Checkpoints& to, Point point, double /*multiplier*/, const TracePoint& at) {
  if (to.save_joint) to.save_joint({std::move(point.X), std::move(point.Y)}, at);
}

Matrix dual_candidate(const Problem& p, const SparseRows& X, int threads) {
  Matrix Y;
  p.loss->gradients(products(p, X, threads), Y, threads);
  return Y;
}

Vector intercepts(const Problem& p, const SparseRows& X, int threads) {
  if (!p.loss->has_intercept()) return Vector::Zero(p.c());
  return p.loss->intercepts(products(p, X, threads), threads);
}

void validate(const Problem& p) {
  if (!p.A) throw InputError("A", "none", "a data matrix");
  if (!p.loss) throw InputError("loss", "none", "a loss");
  if (!p.set) throw InputError("set", "none", "a set");
  if (p.n() < 1 || p.d() < 1)
    throw InputError("A", fmt::format("{} x {}", p.n(), p.d()), "at least one sample and one feature");
  if (p.c() < 1) throw InputError("outputs", fmt::format("{}", p.c()), "at least one");
  if (!p.set->has_dead_zone()) throw InputError("set", fmt::format("'{}'", p.set->name()), "one with a dead zone");
  if (p.set->violation({}) > 0) throw InputError("set", fmt::format("'{}'", p.set->name()), "one that holds zero");
  if (!(p.ridge >= 0 && std::isfinite(p.ridge)))
    throw InputError("ridge", fmt::format("{}", p.ridge), "a finite number >= 0");
  check_targets(*p.loss, p.n(), p.c());
}

}  // namespace pdbfw::joint
