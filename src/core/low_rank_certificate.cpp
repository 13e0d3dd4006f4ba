#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/low_rank_certify.hpp"
#include "core/low_rank_team.hpp"
#include "core/spectral_set.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw::low_rank {
namespace {

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
SpectralDualPart look_at_set(const Problem& p, const Factors& X, const Matrix& Y, double slack, TopSpectrum& top,
                             CertificateTerms& terms) {
  const auto look = [&](const Operator& u) {
    Matrix product;
    u.times(X.V, product, top.threads());
    terms.at_x = X.U.cwiseProduct(product).colwise().sum().dot(X.s);
    SpectralDualPart part = p.set->dual_part(u, p.ridge, slack, top);
    terms.on_set = part.bound;
    terms.size_on_set = std::abs(part.bound);
    terms.out_of_reach = part.out_of_reach;
    return part;
  };
  const double scale = -1 / static_cast<double>(p.samples());
  const bool is_symmetric = p.set->spectrum() == Spectrum::eigenvalues;
  if (is_worth_forming(p)) {
    Matrix u = Matrix::Zero(p.d(), p.c());
    p.map->add_adjoint(Y, scale, u, top.threads());
    if (is_symmetric) u = 0.5 * (u + u.transpose()).eval();
    return look(DenseOperator(u));
  }
  const auto Z = p.map->adjoint(Y);
  if (!is_symmetric) return look(SumOperator({{scale, Z.get()}}));
  const TransposedOperator transposed(*Z);
  return look(SumOperator({{scale / 2, Z.get()}, {scale / 2, &transposed}}));
}

}  // namespace

Verdict certify(const Problem& p, const Factors& X, Matrix& Y, double slack, TopSpectrum& top, SpectralDualPart& part) {
  // P(X) = (1/n) sum_i f_i(W_i) + (ridge/2) |X|^2,  W = A(X)
  Matrix W;
  p.map->apply(X, W, top.threads());
  if (Y.rows() == 0) p.loss->gradients(p.B, W, Y, top.threads());

  // D(Y) = min_{X in C} { (ridge/2) |X|^2 - <u, X> } - (1/n) sum_i f_i*(Y_i),  u = -A*(Y) / n
  CertificateTerms terms = terms_of_rows(*p.loss, p.B, W, Y, p.samples(), p.team, top.threads());
  terms.regulariser = 0.5 * p.ridge * X.s.squaredNorm();
  const double unit = unit_of_gap(terms.loss + terms.regulariser, terms.objective_at_zero);
  part = look_at_set(p, X, Y, slack * unit, top, terms);

  Verdict verdict = conclude(terms);
  verdict.certificate.violation = p.set->violation(X);
  return verdict;
}

Certificate certify(const Problem& p, const Factors& X, const Matrix& Y, int threads, double slack) {
  together(p.team, [&] {
    check_shape("X", X.rows(), X.columns(), p.d(), p.c());
    check_shape("Y", Y.rows(), Y.cols(), p.n(), p.k());
  });
  TopSpectrum top(p.set->spectrum(), threads);
  SpectralDualPart part;
  Matrix y = Y;
  return certify(over_team(p), orthonormal(X, p.set->spectrum(), -1), y, slack, top, part).certificate;
}

Matrix dual_candidate(const Problem& p, const Factors& X, int threads) {
  check_shape("X", X.rows(), X.columns(), p.d(), p.c());
  Matrix W, Y;
  p.map->apply(X, W, threads);
  p.loss->gradients(p.B, W, Y, threads);
  return Y;
}

}  // namespace pdbfw::low_rank
