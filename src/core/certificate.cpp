#include "pdbfw/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/certify.hpp"
#include "core/dual_value.hpp"
#include "linalg/support_product.hpp"

namespace pdbfw {
namespace {

void check_length(std::string_view name, std::size_t length, Index wanted, std::string_view meaning) {
  if (static_cast<Index>(length) != wanted)
    throw InputError(name, fmt::format("{} entries", length), fmt::format("{} entries, {}", wanted, meaning));
}

// Values that agree to this many digits agree: the sums behind them are rounded in the last ones.
constexpr double kRounding = 1e-13;

}  // namespace

Certificate certify(const Problem& p, std::span<const double> x, std::span<const double> y, int threads) {
  DualSide side;
  return certify(p, x, y, threads, side);
}

Certificate certify(const Problem& p, std::span<const double> x, std::span<const double> y, int threads,
                    DualSide& side) {
  check_length("x", x.size(), p.d(), "one per feature");
  check_length("y", y.size(), p.n(), "one per sample");
  const auto n = static_cast<double>(p.n());
  Certificate certificate;

  // P(x) = (1/n) sum_i f_i(w_i) + g(x),  w = A x
  std::vector<double> w(y.size());
  multiply_support(*p.A, x, w, threads);
  certificate.primal = p.loss->total_value(p.b, w) / n + p.regulariser->value(x);
  certificate.violation = p.set->violation(x);

  // D(y) = min_{x in C} { g(x) - <u, x> } - (1/n) sum_i f_i*(y_i),  u = -A'y / n
  std::vector<double>& u = side.u;
  u.resize(x.size());
  multiply_transposed(*p.A, y, u, threads);
  for (double& u_j : u) u_j /= -n;
  const Curvatures q = p.regulariser->curvatures();
  const DeadZone& zone = side.zone = p.set->dead_zone(u, q);
  certificate.dual = set_part(u, q, zone, p.set->radius()) - p.loss->total_conjugate(p.b, y) / n;

  certificate.gap = certificate.primal - certificate.dual;
  if (!std::isfinite(certificate.gap)) {  // an overflow proves nothing
    certificate.gap = certificate.relative_gap = std::numeric_limits<double>::infinity();
    return certificate;
  }
  if (std::abs(certificate.gap) <= kRounding * std::abs(certificate.primal)) certificate.gap = 0;
  std::fill(w.begin(), w.end(), 0.0);
  const double at_zero = p.loss->total_value(p.b, w) / n;
  constexpr double kSmallest = std::numeric_limits<double>::min();
  certificate.relative_gap =
      certificate.gap / std::max({std::abs(certificate.primal), kTinyFraction * at_zero, kSmallest});
  return certificate;
}

std::vector<double> dual_candidate(const Problem& p, std::span<const double> x, int threads) {
  check_length("x", x.size(), p.d(), "one per feature");
  std::vector<double> w(p.b.size()), y(p.b.size());
  multiply(*p.A, x, w, threads);
  p.loss->derivatives(p.b, w, y);
  return y;
}

}  // namespace pdbfw
