// The rows of A on a working set W of features, packed into arrays of their own: what the sweeps stream through.
#pragma once

#include <cstdint>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw::joint {

struct PackedRows {
  struct Line {
    const std::int32_t* at;  // positions in W
    const double* value;
    Index size;
  };
  std::vector<Index> features;  // W, ascending
  std::vector<Index> offsets;
  std::vector<std::int32_t> at;
  std::vector<double> value;

  [[nodiscard]] Line operator[](Index i) const {
    const Index first = offsets[static_cast<std::size_t>(i)];
    return {at.data() + first, value.data() + first, offsets[static_cast<std::size_t>(i) + 1] - first};
  }
  [[nodiscard]] double entries() const { return static_cast<double>(at.size()); }
};

// What is taken off each feature: its mean where a quarter of the rows has it, else 0.
[[nodiscard]] std::vector<double> centres_of(const DataMatrix& A);

// The non-zeros of these features, less their centres (none: all are 0).
[[nodiscard]] PackedRows pack(const DataMatrix& A, std::vector<Index> features, const std::vector<double>& centres);

}  // namespace pdbfw::joint
