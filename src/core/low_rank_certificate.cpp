#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/low_rank_judge.hpp"
#include "linalg/operators.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw::low_rank {
namespace {

// A*(Y) is formed where its whole spectrum can be had exactly and it fits into memory with ease.
constexpr double kLargestFormed = 5e7;
bool is_worth_forming(const Problem& p) {
  return std::min(p.d(), p.c()) <= TopSpectrum::kExactSide &&
         static_cast<double>(p.d()) * static_cast<double>(p.c()) <= kLargestFormed;
}

// Where C holds symmetric matrices only, <u, X> sees the symmetric part of u.
SpectralDualPart look_at_set(const Problem& p, const Factors& X, const Matrix& Y, double slack, TopSpectrum& top,
                             CertificateTerms& terms) {
  const auto look = [&](const Operator& u) {
    terms.at_x = inner_product(u, X, top.threads());
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
  std::unique_ptr<const Operator> Z = p.map->adjoint(Y);
  if (is_symmetric) Z = std::make_unique<SymmetricPart>(std::move(Z));
  return look(SumOperator({{scale, Z.get()}}));
}

// The share of the tolerance that a certificate may give away to singular values that were bounded, not computed; of
// the gap as it is believed to be, where that is far from the tolerance still.
constexpr double kSlack = 0.05;
constexpr double kNear = 0.1;

// A point of C has s >= 0. Of a matrix of less than full rank, rounding leaves eigenvalues just below; what is not a
// number stays, to be seen.
Factors without_negative(Factors X) {
  Index kept = X.rank();
  while (kept > 0 && X.s[kept - 1] < 0) --kept;
  if (kept == X.rank()) return X;
  return X.head(kept);
}

// What concerns the rows here.
void validate_own(const Problem& p) {
  if (!p.map) throw InputError("map", "none", "a linear map");
  if (!p.loss) throw InputError("loss", "none", "a loss");
  if (!p.set) throw InputError("set", "none", "a set of matrices");
  if (p.n() < 1) throw InputError("map", "0 samples", "at least one");
  if (p.d() < 1 || p.c() < 1) throw InputError("map", fmt::format("{} x {}", p.d(), p.c()), "a matrix of some size");
  p.set->check_shape(p.d(), p.c());
  if (!(p.ridge >= 0 && std::isfinite(p.ridge)))
    throw InputError("ridge", fmt::format("{}", p.ridge), "a finite number >= 0");
  check_targets(*p.loss, p.n(), p.k());
  if (!p.team) return;
  if (p.map->name() != "rows")
    throw InputError("map", p.map->name(), "rows, the products with A, for several processes");
  if (p.loss->has_intercept())
    throw InputError("loss", p.loss->name(), "one without an intercept for several processes");
}

// What the members of a team must agree about.
void validate_team(const Problem& p) {
  require_same(p.team, {{"map", fmt::format("{} x {}", p.d(), p.c())},
                        {"loss", std::string(p.loss->name())},
                        {"ridge", fmt::format("{}", p.ridge)},
                        {"set", std::string(p.set->name())},
                        {"radius", fmt::format("{}", p.set->radius())}});
  const auto samples = static_cast<Index>(sum_over(p.team, static_cast<double>(p.n())));
  together(p.team, [&] {
    if (p.samples_of_team != samples)
      throw InputError("samples_of_team", fmt::format("{}", p.samples_of_team),
                       fmt::format("the rows of all processes, {}", samples));
  });
}

}  // namespace

Verdict certify(const Problem& p, const Factors& X, Matrix& Y, double slack, TopSpectrum& top, SpectralDualPart& part) {
  // P(X) = (1/n) sum_i f_i(W_i) + (ridge/2) |X|^2,  W = A(X)
  Matrix W;
  p.map->apply(X, W, top.threads());
  if (Y.rows() == 0) p.loss->gradients(W, Y, top.threads());

  // D(Y) = min_{X in C} { (ridge/2) |X|^2 - <u, X> } - (1/n) sum_i f_i*(Y_i),  u = -A*(Y) / n
  CertificateTerms terms = terms_of_rows(*p.loss, W, Y, p.samples(), p.team, top.threads());
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

Nothing Judge::nothing() const {
  const auto n = static_cast<double>(p_.samples());
  const Matrix zero = Matrix::Zero(p_.n(), p_.k());
  return {.objective_at_zero = p_.loss->total_value(zero, top_.threads()) / n,
          .dual = -p_.loss->total_conjugate(zero, top_.threads()) / n};
}

Judgement Judge::certify(Point& point, double believed_gap) {
  const double spectral_work = top_.work();
  point.X = without_negative(orthonormal(point.X, p_.set->spectrum(), -1));
  if (believed_gap < kNear) top_.expect(point.X.rank() + 1);  // at the solution that many values matter
  SpectralDualPart part;
  const Verdict verdict = low_rank::certify(p_, point.X, point.Y, kSlack * believed_gap, top_, part);
  return {.verdict = verdict,
          .multiplier = part.multiplier,
          .multiply_adds = p_.map->apply_cost(point.X.rank()) + p_.map->pass_cost(),
          .other = top_.work() - spectral_work};
}

void Judge::save(const Settings::Checkpoints& to, Point point, double /*multiplier*/, const TracePoint& at) {
  if (to.save_matrix) to.save_matrix({std::move(point.X), std::move(point.Y)}, at);
}

Matrix dual_candidate(const Problem& p, const Factors& X, int threads) {
  check_shape("X", X.rows(), X.columns(), p.d(), p.c());
  Matrix W, Y;
  p.map->apply(X, W, threads);
  p.loss->gradients(W, Y, threads);
  return Y;
}

void validate(const Problem& p) {
  together(p.team, [&] { validate_own(p); });
  if (p.team) validate_team(p);
}

}  // namespace pdbfw::low_rank
