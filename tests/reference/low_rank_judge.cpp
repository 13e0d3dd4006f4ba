#include "reference/low_rank_judge.hpp"

#include <algorithm>
#include <cmath>

#include "core/spectral_set.hpp"
#include "reference/spectrum.hpp"

namespace pdbfw::reference {

Vector nearest_values(const Vector& s, double radius) {
  if (s.cwiseMax(0.0).sum() <= radius) return s.cwiseMax(0.0);
  double low = 0, high = s.maxCoeff();
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    ((s.array() - middle).max(0.0).sum() > radius ? low : high) = middle;
  }
  return (s.array() - high).max(0.0);
}

Certificate certify(const low_rank::Problem& p, const Matrix& X, const Matrix& Y) {
  const auto n = static_cast<double>(p.n());
  Matrix W;
  p.map->apply(X, W);
  Matrix u = Matrix::Zero(p.d(), p.c());
  p.map->add_adjoint(Y, -1 / n, u);
  const bool is_psd = p.set->spectrum() == Spectrum::eigenvalues;
  Vector sigma, values;
  if (is_psd) {
    sigma = eigenvalues(u);
    values = eigenvalues(X);
  } else {
    sigma = singular_values(u);
    values = singular_values(X);
  }
  Certificate out;
  out.primal = p.loss->total_value(W) / n + 0.5 * p.ridge * X.squaredNorm();
  out.violation = std::max({0.0, values.sum() - p.set->radius(), -values.minCoeff()});
  double part = -p.set->radius() * std::max(0.0, sigma.maxCoeff());
  if (p.ridge > 0) {
    const Vector q = nearest_values(sigma / p.ridge, p.set->radius());
    part = 0.5 * p.ridge * q.squaredNorm() - sigma.dot(q);
  }
  out.dual = part - p.loss->total_conjugate(Y) / n;
  out.gap = out.primal - out.dual;
  out.relative_gap = out.gap / std::abs(out.primal);
  return out;
}

}  // namespace pdbfw::reference
