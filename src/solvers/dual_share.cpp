#include "solvers/dual_share.hpp"

#include <vector>

#include "core/dual_value.hpp"

namespace pdbfw {
namespace {

// A dual value that is more than this share of the primal one is near the optimum.
constexpr double kNear = 0.5;

}  // namespace

DualShare best_share(const Problem& p, std::span<const double> y, std::span<const double> u, const Curvatures& q,
                     const DeadZone& zone, double primal) {
  const auto at = [&](double share) -> DualShare {
    std::vector<double> some_y(y.begin(), y.end()), some_u(u.begin(), u.end());
    for (double& y_i : some_y) y_i *= share;
    for (std::size_t j = 0; j < u.size(); ++j) {
      some_u[j] *= share;
      if (q[static_cast<Index>(j)] == 0) some_u[j] -= zone.outside(some_u[j]);  // rounding
    }
    return {share, set_part(some_u, q, zone, p.set->radius()) -
                       p.loss->of_samples().total_conjugate(some_y) / static_cast<double>(p.n())};
  };
  if (price(*p.set) == 0) return at(1);
  const double most = share_inside(u, q, zone), least = share_inside(u, {}, zone);
  const DualShare first = at(most);
  if (least == most || first.value > kNear * primal) return first;
  const DualShare second = at(least);
  return first.value >= second.value ? first : second;
}

}  // namespace pdbfw
