#include "solvers/packed_features.hpp"

#include <cmath>
#include <limits>

namespace pdbfw {
namespace {

// Features inside the dead zone by less than this share of its multiplier are taken too.
constexpr double kNearBorder = 0.5;
// Packing costs about a pass; it must leave out a good part of the entries.
constexpr double kLargestShare = 0.85;

// `position[j]` is the place of feature j, or negative; `entries` how many entries the features taken have.
template <class Value>
PackedRows<Value> pack(const Lines& rows, std::span<const Index> order, std::span<const std::int32_t> position,
                       Index entries) {
  PackedRows<Value> out;
  out.offsets.reserve(order.size() + 1);
  out.offsets.push_back(0);
  // One more than needed: the loop writes an entry first and keeps it if it belongs, which saves a branch.
  const auto room = static_cast<std::size_t>(entries) + 1;
  out.at = std::make_unique_for_overwrite<std::uint32_t[]>(room);
  out.value = std::make_unique_for_overwrite<Value[]>(room);
  std::visit(
      [&](const auto& own) {
        Index next = 0;
        for (const Index row : order) {
          const auto line = own[row];
          for (Index k = 0; k < line.size; ++k) {
            const std::int32_t place = position[static_cast<std::size_t>(line.index(k))];
            out.at[static_cast<std::size_t>(next)] = static_cast<std::uint32_t>(place);
            out.value[static_cast<std::size_t>(next)] = static_cast<Value>(line.value[k]);
            next += place >= 0 ? 1 : 0;
          }
          out.offsets.push_back(next);
        }
      },
      rows);
  return out;
}

}  // namespace

void PackedFeatures::choose(const DataMatrix& A, std::span<const double> u, const DeadZone& zone,
                            std::span<const Index> order, bool as_float) {
  drop();
  if (A.columns() > std::numeric_limits<std::int32_t>::max()) return;  // positions are 32 bits wide
  const double near = kNearBorder * std::abs(zone.multiplier);
  features_.clear();
  position_.assign(u.size(), -1);
  entries_ = 0;
  std::visit(
      [&](const auto& columns) {
        for (std::size_t j = 0; j < u.size(); ++j) {
          if (!(u[j] > zone.upper - near || u[j] < zone.lower + near)) continue;
          position_[j] = static_cast<std::int32_t>(features_.size());
          features_.push_back(static_cast<std::int32_t>(j));
          entries_ += columns[static_cast<Index>(j)].size;
        }
      },
      A.by_column());
  if (static_cast<double>(entries_) > kLargestShare * static_cast<double>(A.nonzeros())) return;
  if (as_float)
    rows_ = pack<float>(A.by_row(), order, position_, entries_);
  else
    rows_ = pack<double>(A.by_row(), order, position_, entries_);
}

bool PackedFeatures::misses_one(std::span<const double> u, const DeadZone& zone) const {
  for (std::size_t j = 0; j < u.size(); ++j)
    if (position_[j] < 0 && zone.outside(u[j]) != 0) return true;
  return false;
}

std::vector<double> PackedFeatures::pick(std::span<const double> values) const {
  std::vector<double> picked;
  picked.reserve(features_.size());
  for (const std::int32_t j : features_) picked.push_back(values[static_cast<std::size_t>(j)]);
  return picked;
}

}  // namespace pdbfw
