#include "baselines/smoothness.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.hpp"

namespace pdbfw {
namespace {

constexpr int kMostIterations = 100;

// v / |v|; the length is given back. A length of 0 or beyond all numbers leaves v as it is.
double normalise(std::vector<double>& v) {
  double size = 0;
  for (const double v_j : v) size = std::max(size, std::abs(v_j));
  if (!(size > 0 && std::isfinite(size))) return size;
  for (double& v_j : v) v_j /= size;
  const double length = std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
  for (double& v_j : v) v_j /= length;
  return size * length;
}

}  // namespace

double primal_smoothness(const Problem& p, const Settings& settings, Run& run, double accuracy) {
  Random random(settings.seed);
  std::vector<double> v(static_cast<std::size_t>(p.d())), Bv(v.size()), Av(p.b.size());
  for (double& v_j : v) v_j = random.normal();
  normalise(v);
  double lambda = 0, residual = 0;
  for (int k = 0; k < kMostIterations && run.may_go_on(); ++k) {
    multiply(*p.A, v, Av, settings.threads);
    multiply_transposed(*p.A, Av, Bv, settings.threads);
    run.charge(2.0 * static_cast<double>(p.A->nonzeros()));
    lambda = std::inner_product(v.begin(), v.end(), Bv.begin(), 0.0);
    residual = 0;
    for (std::size_t j = 0; j < v.size(); ++j) residual += (Bv[j] - lambda * v[j]) * (Bv[j] - lambda * v[j]);
    residual = std::sqrt(residual);  // an eigenvalue lies within this of lambda
    v = Bv;
    if (!(normalise(v) > 0) || residual <= accuracy * lambda) break;
  }
  return p.loss->smoothness() * (lambda + residual) / static_cast<double>(p.n()) + p.regulariser->smoothness();
}

}  // namespace pdbfw
