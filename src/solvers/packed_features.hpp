// A working set of features, its entries packed into arrays of their own: what the sweeps of the sequential solver
// stream through once most features rest inside the dead zone. [M16]
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "pdbfw/matrix.hpp"
#include "pdbfw/set.hpp"

namespace pdbfw {

// Rows in the order they are visited. Value is float where the rounding does not matter (the certificate never sees
// it), double elsewhere.
template <class Value>
struct PackedRows {
  struct Line {
    const std::uint32_t* at;
    const Value* value;
    Index size;
    [[nodiscard]] Index index(Index k) const { return static_cast<Index>(at[k]); }
  };
  std::vector<Index> offsets;
  std::unique_ptr<std::uint32_t[]> at;  // positions in the working set; not zeroed before they are written
  std::unique_ptr<Value[]> value;

  // The row at place q of the order.
  [[nodiscard]] Line operator[](Index q) const {
    const Index first = offsets[static_cast<std::size_t>(q)];
    return {at.get() + first, value.get() + first, offsets[static_cast<std::size_t>(q) + 1] - first};
  }
};

class PackedFeatures {
 public:
  using Rows = std::variant<std::monostate, PackedRows<float>, PackedRows<double>>;

  [[nodiscard]] bool is_in_use() const { return !std::holds_alternative<std::monostate>(rows_); }
  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] Index entries() const { return entries_; }
  [[nodiscard]] Index feature(std::size_t position) const { return features_[position]; }

  // Takes the features outside the zone, or inside it by less than a share of the multiplier, if that leaves out a good
  // part of the entries; else nothing is packed. `u` is that of all features.
  void choose(const DataMatrix& A, std::span<const double> u, const DeadZone& zone, std::span<const Index> order,
              bool as_float);
  void drop() { rows_ = std::monostate{}; }

  // Is a feature outside the zone that was not taken?
  [[nodiscard]] bool misses_one(std::span<const double> u, const DeadZone& zone) const;
  // Of the values of all features, those of the features taken.
  [[nodiscard]] std::vector<double> pick(std::span<const double> values) const;

 private:
  Rows rows_;
  std::vector<std::int32_t> features_;  // by position
  std::vector<std::int32_t> position_;  // by feature; negative: not taken
  Index entries_ = 0;
};

}  // namespace pdbfw
