#include "baselines/low_rank/sampled_gradient.hpp"

namespace pdbfw::low_rank {

Matrix SampledGradient::gradients(const std::vector<Index>& rows, const Matrix& W) const {
  Matrix Y;
  p_.loss->subset(rows)->gradients(W, Y, threads_);
  return Y;
}

double SampledGradient::add(const std::vector<Index>& rows, const Matrix& Y, PrimalPoint& at) {
  const MapPtr some = p_.map->subset(rows);
  some->add_adjoint(Y, -1 / static_cast<double>(rows.size()), at.u, threads_);
  return some->pass_cost();
}

double SampledGradient::plain(Index b, PrimalPoint& at) {
  if (b >= p_.n()) {
    at.value = objective(p_, at.w, at.x.squaredNorm(), threads_);
    return differentiate(p_, threads_, at);
  }
  const std::vector<Index> rows = sampler_.draw(b);
  at.u.setZero(p_.d(), p_.c());
  return add(rows, gradients(rows, at.w(rows, Eigen::all)), at);
}

double SampledGradient::reduced(Index b, const PrimalPoint& snapshot, PrimalPoint& at) {
  if (b >= p_.n()) return plain(b, at);
  const std::vector<Index> rows = sampler_.draw(b);
  at.u = snapshot.u;
  return add(rows, gradients(rows, at.w(rows, Eigen::all)) - snapshot.y(rows, Eigen::all), at);
}

double SampledGradient::reduced(std::span<const Index> chosen, const PrimalPoint& snapshot, PrimalPoint& at) {
  const std::vector<Index> rows(chosen.begin(), chosen.end());
  const MapPtr some = p_.map->subset(rows);
  Matrix W;
  double cost = some->pass_cost();
  if (at.has_factors && some->apply_cost(at.factors.rank()) < cost) {
    some->apply(at.factors, W, threads_);
    cost = some->apply_cost(at.factors.rank());
  } else {
    some->apply(at.x, W, threads_);
  }
  const Matrix change = gradients(rows, W) - snapshot.y(rows, Eigen::all);
  at.u = snapshot.u;
  some->add_adjoint(change, -1 / static_cast<double>(rows.size()), at.u, threads_);
  return cost + some->pass_cost();
}

}  // namespace pdbfw::low_rank
