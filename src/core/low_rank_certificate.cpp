#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/certify.hpp"
#include "core/low_rank_certify.hpp"
#include "core/low_rank_team.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw::low_rank {
namespace {

// What the terms of D lose to rounding, as a share of their size.
constexpr double kCancelled = 16 * std::numeric_limits<double>::epsilon();

// A*(Y) is formed where its whole spectrum can be had exactly and it fits into memory with ease.
constexpr double kLargestFormed = 5e7;
bool is_worth_forming(const Problem& p) {
  return std::min(p.d(), p.c()) <= TopSpectrum::kExactSide &&
         static_cast<double>(p.d()) * static_cast<double>(p.c()) <= kLargestFormed;
}

void check_shape(std::string_view name, Index rows, Index columns, Index wanted_rows, Index wanted_columns) {
  if (rows != wanted_rows || columns != wanted_columns)
    throw InputError(name, fmt::format("{} x {}", rows, columns), fmt::format("{} x {}", wanted_rows, wanted_columns));
}

// M', borrowed.
class TransposedOperator final : public Operator {
 public:
  explicit TransposedOperator(const Operator& M) : M_(M) {}
  [[nodiscard]] Index rows() const override { return M_.columns(); }
  [[nodiscard]] Index columns() const override { return M_.rows(); }
  void times(const Matrix& V, Matrix& out, int threads) const override { M_.transposed_times(V, out, threads); }
  void transposed_times(const Matrix& U, Matrix& out, int threads) const override { M_.times(U, out, threads); }
  [[nodiscard]] double cost() const override { return M_.cost(); }

 private:
  const Operator& M_;
};

// Where C holds symmetric matrices only, <u, X> sees the symmetric part of u.
SpectralDualPart set_part(const Problem& p, const Matrix& Y, double slack, TopSpectrum& top) {
  const double scale = -1 / static_cast<double>(p.samples());
  const bool is_symmetric = p.set->spectrum() == Spectrum::eigenvalues;
  if (is_worth_forming(p)) {
    Matrix u = Matrix::Zero(p.d(), p.c());
    p.map->add_adjoint(Y, scale, u, top.threads());
    if (is_symmetric) u = 0.5 * (u + u.transpose()).eval();
    return p.set->dual_part(DenseOperator(u), p.ridge, slack, top);
  }
  const auto Z = p.map->adjoint(Y);
  if (!is_symmetric) return p.set->dual_part(SumOperator({{scale, Z.get()}}), p.ridge, slack, top);
  const TransposedOperator transposed(*Z);
  return p.set->dual_part(SumOperator({{scale / 2, Z.get()}, {scale / 2, &transposed}}), p.ridge, slack, top);
}

}  // namespace

Certificate certify(const Problem& p, const Factors& X, Matrix& Y, double slack, TopSpectrum& top,
                    SpectralDualPart& part) {
  const auto n = static_cast<double>(p.samples());
  Certificate certificate;

  // P(X) = (1/n) sum_i f_i(W_i) + (ridge/2) |X|^2,  W = A(X)
  Matrix W;
  p.map->apply(X, W, top.threads());
  certificate.primal = p.loss->total_value(p.B, W, top.threads()) / n + 0.5 * p.ridge * X.s.squaredNorm();
  certificate.violation = p.set->violation(X);
  if (Y.rows() == 0) p.loss->gradients(p.B, W, Y, top.threads());

  // D(Y) = min_{X in C} { (ridge/2) |X|^2 - <u, X> } - (1/n) sum_i f_i*(Y_i),  u = -A*(Y) / n
  W.setZero();
  const double at_zero = p.loss->total_value(p.B, W, top.threads()) / n;
  const double size = std::max({std::abs(certificate.primal), kTinyFraction * at_zero});
  part = set_part(p, Y, slack * size, top);
  const double conjugate = p.loss->total_conjugate(p.B, Y, top.threads()) / n;
  certificate.dual = part.bound - conjugate - kCancelled * (std::abs(part.bound) + std::abs(conjugate));

  certificate.gap = proven_gap(certificate.primal, certificate.dual);
  certificate.relative_gap = std::isfinite(certificate.gap)
                                 ? certificate.gap / std::max(size, std::numeric_limits<double>::min())
                                 : certificate.gap;
  return certificate;
}

Certificate certify(const Problem& p, const Factors& X, const Matrix& Y, int threads, double slack) {
  together(p.team, [&] {
    check_shape("X", X.rows(), X.columns(), p.d(), p.c());
    check_shape("Y", Y.rows(), Y.cols(), p.n(), p.k());
  });
  TopSpectrum top(p.set->spectrum(), threads);
  SpectralDualPart part;
  Matrix y = Y;
  return certify(over_team(p), orthonormal(X, p.set->spectrum(), -1), y, slack, top, part);
}

Matrix dual_candidate(const Problem& p, const Factors& X, int threads) {
  check_shape("X", X.rows(), X.columns(), p.d(), p.c());
  Matrix W, Y;
  p.map->apply(X, W, threads);
  p.loss->gradients(p.B, W, Y, threads);
  return Y;
}

}  // namespace pdbfw::low_rank
