#include "baselines/low_rank/primal_point.hpp"

#include <utility>

#include "core/spectral_set.hpp"
#include "linalg/dense_product.hpp"

namespace pdbfw::low_rank {

void PrimalPoint::set(Factors x_in_factors, int threads) {
  factors = std::move(x_in_factors);
  has_factors = true;
  rank = factors.rank();
  x = times_transposed(Matrix(factors.U * factors.s.asDiagonal()), factors.V, threads);
}

PrimalPoint point_at(const Problem& p, const Factors& start, int threads) {
  PrimalPoint point;
  point.set(start.rows() > 0 ? start : Factors::zero(p.d(), p.c()), threads);
  return point;
}

Factors factors_of(const Problem& p, const PrimalPoint& point) {
  return point.has_factors ? point.factors : full_spectrum(point.x, p.set->spectrum());
}

double evaluate(const Problem& p, int threads, PrimalPoint& point) {
  const bool by_factors = point.has_factors && p.map->apply_cost(point.factors.rank()) < p.map->pass_cost();
  if (by_factors)
    p.map->apply(point.factors, point.w, threads);
  else
    p.map->apply(point.x, point.w, threads);
  point.value = objective(p, point.w, point.x.squaredNorm(), threads);
  return by_factors ? p.map->apply_cost(point.factors.rank()) : p.map->pass_cost();
}

void take_derivatives(const Problem& p, int threads, PrimalPoint& point) {
  p.loss->gradients(point.w, point.y, threads);
}

double differentiate(const Problem& p, int threads, PrimalPoint& point) {
  take_derivatives(p, threads, point);
  point.u.setZero(p.d(), p.c());
  p.map->add_adjoint(point.y, -1 / static_cast<double>(p.samples()), point.u, threads);
  return p.map->pass_cost();
}

void go_along(const Problem& p, int threads, const PrimalPoint& from, const PrimalPoint& to, double t,
              PrimalPoint& out) {
  out.rank = to.rank;
  out.has_factors = false;
  out.x = from.x + t * (to.x - from.x);
  out.w = from.w + t * (to.w - from.w);
  out.value = objective(p, out.w, out.x.squaredNorm(), threads);
}

double gradient_size(const Problem& p, const PrimalPoint& point) { return (p.ridge * point.x - point.u).norm(); }

PrimalPointEngine::PrimalPointEngine(const Problem& p, const Settings& settings, const Start& start)
    : p_(p),
      is_theory_(settings.steps == "theory"),
      scale_(settings.step_scale),
      threads_(settings.threads),
      answer_(point_at(p, start.X, settings.threads)),
      projection_(p, settings, Projection::kForSteps),
      dual_(p, settings),
      owed_(evaluate(p, threads_, answer_) + differentiate(p, threads_, answer_)) {}

}  // namespace pdbfw::low_rank
