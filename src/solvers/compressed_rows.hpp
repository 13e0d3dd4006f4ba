// The rows of A in the order they are visited, restricted to a working set of features and packed: what the sweeps of
// the sequential solver stream through.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Value is float where the rounding does not matter (the certificate never sees it), double elsewhere.
template <class Value>
struct CompressedRows {
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

// `position[j]` is the place of feature j in the working set, or negative; `entries` how many entries those features
// have.
template <class Value>
CompressedRows<Value> compress_rows(const Lines& rows, std::span<const Index> order,
                                    std::span<const std::int32_t> position, Index entries) {
  CompressedRows<Value> out;
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

}  // namespace pdbfw
