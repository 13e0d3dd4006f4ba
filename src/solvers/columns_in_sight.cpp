#include "solvers/columns_in_sight.hpp"

#include <cmath>

#include "core/dual_value.hpp"
#include "linalg/kernels.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// In sight after a look at all columns: what is inside the zone by no more than this share of its border.
constexpr double kInSight = 0.9;
// And later: columns whose bound [M50] is above this share of the border.
constexpr double kBoundInSight = 0.7;

}  // namespace

void ColumnsInSight::look_at_all(std::span<const double> y) {
  since_all_ = 0;
  z_.assign(y.begin(), y.end());
  all_u_.resize(static_cast<std::size_t>(p_.d()));
  multiply_transposed(*p_.A, y, all_u_, threads_);
  for (double& u_j : all_u_) u_j /= -static_cast<double>(p_.n());
  work_ += static_cast<double>(p_.A->nonzeros());
  const DeadZone zone = p_.set->dead_zone(all_u_, p_.regulariser->curvatures());
  const double near = kInSight * std::abs(zone.multiplier);
  std::vector<Index> features;
  for (std::size_t j = 0; j < all_u_.size(); ++j)
    if (!(all_u_[j] <= zone.upper - near && all_u_[j] >= zone.lower + near)) features.push_back(static_cast<Index>(j));
  std::vector<double> u;
  for (const Index j : features) u.push_back(all_u_[static_cast<std::size_t>(j)]);
  see(std::move(features), std::move(u));
}

void ColumnsInSight::look(std::span<const double> y, const std::vector<Index>& few) {
  const ColumnBounds known = bounds();
  double border = price(*p_.set);
  if (border == 0) {
    see(few, products_with(few, y));
    border = zone_.multiplier;
  }
  if (!(border > 0)) return look_at_all(y);
  std::vector<Index> features = known.may_exceed(kBoundInSight * border, y, threads_);
  double entries = 0;
  std::visit(
      [&](const auto& columns) {
        for (const Index j : features) entries += static_cast<double>(columns[j].size);
      },
      p_.A->by_column());
  since_all_ += entries;
  if (since_all_ > static_cast<double>(p_.A->nonzeros())) return look_at_all(y);
  std::vector<double> u = products_with(features, y);
  see(std::move(features), std::move(u));
}

std::vector<double> ColumnsInSight::products_with(const std::vector<Index>& columns, std::span<const double> y) {
  std::vector<double> u(columns.size());
  work_ += multiply_transposed_on(*p_.A, columns, y, u, threads_);
  for (double& u_j : u) u_j /= -static_cast<double>(p_.n());
  return u;
}

void ColumnsInSight::see(std::vector<Index> features, std::vector<double> u) {
  const Curvatures q = p_.regulariser->curvatures();
  features_ = std::move(features);
  u_ = std::move(u);
  q_.clear();
  for (const Index j : features_) q_.push_back(q[j]);
  zone_ = p_.set->dead_zone(u_, curvatures());
}

const std::vector<double>& ColumnsInSight::norms() const {
  if (norms_.empty()) {
    norms_.resize(static_cast<std::size_t>(p_.d()));
    squared_norms(p_.A->by_column(), {}, norms_);
    for (double& norm : norms_) norm = std::sqrt(norm);
  }
  return norms_;
}

double ColumnsInSight::most_bend(Index j) const {
  const double norm = norms()[static_cast<std::size_t>(j)];
  return p_.regulariser->curvatures()[j] +
         p_.loss->of_samples().smoothness() / static_cast<double>(p_.n()) * norm * norm;
}

}  // namespace pdbfw
