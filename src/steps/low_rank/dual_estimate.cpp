#include "steps/low_rank/dual_estimate.hpp"

#include <algorithm>

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"

namespace pdbfw::low_rank {

DualEstimate::DualEstimate(const Problem& p, const Settings& settings)
    : p_(p),
      accuracy_(std::min(1e-3, 0.1 * settings.tol)),
      projection_(p, settings, Projection::kForEstimates),
      top_(p.set->spectrum(), settings.threads, settings.seed),
      Y_(Matrix::Zero(p.n(), p.k())) {
  value_ = -p.loss->total_conjugate(Y_, settings.threads) / static_cast<double>(p.samples());
}

//   D(Y) = min_{X in C} { (ridge/2) |X|^2 - <u, X> } - (1/n) sum_i f_i*(Y_i),    at X = Proj_C(u / ridge)
double DualEstimate::look(const Matrix& Y, const Operator& u) {
  return keep(Y, u, p_.ridge > 0 ? projection_(SumOperator({{1 / p_.ridge, &u}})) : vertex(u));
}

double DualEstimate::look(const Matrix& Y, const Matrix& u) {
  const DenseOperator product(u);
  return keep(Y, product, p_.ridge > 0 ? projection_(Matrix(u / p_.ridge)) : vertex(product));
}

Factors DualEstimate::vertex(const Operator& u) {
  return p_.set->linear_oracle(SumOperator({{-1, &u}}), top_, accuracy_);
}

double DualEstimate::keep(const Matrix& Y, const Operator& u, const Factors& X) {
  const double part = 0.5 * p_.ridge * X.s.squaredNorm() - inner_product(u, X, top_.threads());
  const double value = part - p_.loss->total_conjugate(Y, top_.threads()) / static_cast<double>(p_.samples());
  if (value > value_) {
    value_ = value;
    Y_ = Y;
  }
  return value;
}

}  // namespace pdbfw::low_rank
