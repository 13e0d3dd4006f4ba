// The rows of A on a working set W of features, packed into arrays of their own: what the sweeps stream through.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "linalg/kernels.hpp"
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
[[nodiscard]] inline std::vector<double> centres_of(const DataMatrix& A) {
  constexpr double kShareOfRows = 0.25;
  const auto d = static_cast<std::size_t>(A.columns());
  const auto n = static_cast<double>(A.rows());
  std::vector<double> centre(d, 0.0), count(d, 0.0);
  for_each_entry(A.by_row(), [&](Index, Index j, double value) {
    centre[static_cast<std::size_t>(j)] += value / n;
    count[static_cast<std::size_t>(j)] += value != 0 ? 1 : 0;
  });
  for (std::size_t j = 0; j < d; ++j)
    if (count[j] < kShareOfRows * n) centre[j] = 0;
  return centre;
}

// The non-zeros of these features, less their centres (none: all are 0).
[[nodiscard]] inline PackedRows pack(const DataMatrix& A, std::vector<Index> features,
                                     const std::vector<double>& centres) {
  constexpr std::int32_t kNone = -1;
  PackedRows out{.features = std::move(features), .offsets = {0}, .at = {}, .value = {}};
  std::vector<std::int32_t> place(static_cast<std::size_t>(A.columns()), kNone);
  std::vector<double> centred(out.features.size(), 0.0);  // the centres of W
  std::vector<std::int32_t> dense;                        // those that are not 0: every row has an entry of them
  for (std::size_t k = 0; k < out.features.size(); ++k) {
    const auto j = static_cast<std::size_t>(out.features[k]);
    place[j] = static_cast<std::int32_t>(k);
    if (!centres.empty()) centred[k] = centres[j];
    if (centred[k] != 0) dense.push_back(place[j]);
  }
  std::vector<double> row(out.features.size());
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < rows.count; ++i) {
          for (const std::int32_t k : dense) row[static_cast<std::size_t>(k)] = -centred[static_cast<std::size_t>(k)];
          const auto line = rows[i];
          for (Index k = 0; k < line.size; ++k) {
            const std::int32_t position = place[static_cast<std::size_t>(line.index(k))];
            if (position == kNone || line.value[k] == 0) continue;
            const auto value = static_cast<double>(line.value[k]);
            if (centred[static_cast<std::size_t>(position)] != 0) {
              row[static_cast<std::size_t>(position)] += value;
              continue;
            }
            out.at.push_back(position);
            out.value.push_back(value);
          }
          for (const std::int32_t k : dense) {
            out.at.push_back(k);
            out.value.push_back(row[static_cast<std::size_t>(k)]);
          }
          out.offsets.push_back(static_cast<Index>(out.at.size()));
        }
      },
      A.by_row());
  return out;
}

}  // namespace pdbfw::joint
