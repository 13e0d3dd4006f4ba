#include "baselines/low_rank/primal_point.hpp"

#include <utility>

#include "core/spectral_set.hpp"
#include "linalg/dense_product.hpp"

namespace pdbfw::low_rank {

void PrimalPoint::set(Factors X_in_factors, int threads) {
  factors = std::move(X_in_factors);
  has_factors = true;
  X = times_transposed(Matrix(factors.U * factors.s.asDiagonal()), factors.V, threads);
}

PrimalPoint point_at(const Problem& p, const Factors& start, int threads) {
  PrimalPoint point;
  point.set(start.rows() > 0 ? start : Factors::zero(p.d(), p.c()), threads);
  return point;
}

Factors factors_of(const Problem& p, const PrimalPoint& point) {
  return point.has_factors ? point.factors : full_spectrum(point.X, p.set->spectrum());
}

double evaluate(const Problem& p, int threads, PrimalPoint& point) {
  const bool by_factors = point.has_factors && p.map->apply_cost(point.factors.rank()) < p.map->pass_cost();
  if (by_factors)
    p.map->apply(point.factors, point.W, threads);
  else
    p.map->apply(point.X, point.W, threads);
  point.value = primal_value(p, threads, point.X, point.W);
  return by_factors ? p.map->apply_cost(point.factors.rank()) : p.map->pass_cost();
}

double differentiate(const Problem& p, int threads, PrimalPoint& point) {
  p.loss->gradients(point.W, point.Y, threads);
  point.u.setZero(p.d(), p.c());
  p.map->add_adjoint(point.Y, -1 / static_cast<double>(p.samples()), point.u, threads);
  return p.map->pass_cost();
}

double primal_value(const Problem& p, int threads, const Matrix& X, const Matrix& W) {
  return p.loss->total_value(W, threads) / static_cast<double>(p.samples()) + 0.5 * p.ridge * X.squaredNorm();
}

PrimalPointEngine::PrimalPointEngine(const Problem& p, const Settings& settings, const Start& start)
    : p_(p),
      is_theory_(settings.steps == "theory"),
      scale_(settings.step_scale),
      threads_(settings.threads),
      answer_(point_at(p, start.X, settings.threads)),
      dual_(p, settings),
      owed_(evaluate(p, threads_, answer_) + differentiate(p, threads_, answer_)) {}

}  // namespace pdbfw::low_rank
