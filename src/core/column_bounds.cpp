#include <algorithm>
#include <cmath>

#include "core/judge.hpp"
#include "linalg/above.hpp"

namespace pdbfw {
namespace {

// Sums of absolute values and of squares are rounded, too.
constexpr double kRoundedUp = 1 + 1e-10;
// What the products themselves may be off by, as a share of |a_j| |y|.
constexpr double kRounding = 1e-12;

std::vector<Index> by_sums(const ColumnBounds& bounds, double size, std::span<const double> y, int threads) {
  double largest_y = 0;
  bool has_the_signs = true;
  for (std::size_t i = 0; i < y.size(); ++i) {
    largest_y = std::max(largest_y, std::abs(y[i]));
    has_the_signs = has_the_signs && (y[i] == 0 || std::signbit(y[i]) == std::signbit(bounds.signs[i]));
  }
  const auto n = static_cast<double>(y.size());
  return positions_above(size * n / (kRoundedUp * largest_y * (has_the_signs ? 1 : 2)), bounds.sums, threads);
}

std::vector<Index> by_distance(const ColumnBounds& bounds, double size, std::span<const double> y, int threads) {
  double zz = 0, yz = 0, yy = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    zz += bounds.z[i] * bounds.z[i];
    yz += y[i] * bounds.z[i];
    yy += y[i] * y[i];
  }
  const double c = zz > 0 ? yz / zz : 0;
  double distance = 0;
  for (std::size_t i = 0; i < y.size(); ++i) distance += (y[i] - c * bounds.z[i]) * (y[i] - c * bounds.z[i]);
  const double reach = std::sqrt(distance) + kRounding * (std::sqrt(yy) + std::abs(c) * std::sqrt(zz));
  return positions_above(size, std::abs(c), bounds.u, kRoundedUp * reach / static_cast<double>(y.size()), bounds.norms,
                         threads);
}

}  // namespace

std::vector<Index> ColumnBounds::may_exceed(double size, std::span<const double> y, int threads) const {
  return signs.empty() ? by_distance(*this, size, y, threads) : by_sums(*this, size, y, threads);
}

}  // namespace pdbfw
