// A data set as plain rows, to look at and to compare.
#pragma once

#include <variant>
#include <vector>

#include "pdbfw/dataset.hpp"
#include "reference/libsvm_reference.hpp"

namespace pdbfw::test {

inline std::vector<reference::Row> rows_of(const Dataset& data) {
  std::vector<reference::Row> rows(data.target.size());
  std::visit(
      [&](const auto& lines) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const auto line = lines[static_cast<Index>(i)];
          rows[i].target = data.target[i];
          for (Index k = 0; k < line.size; ++k)
            rows[i].entries.emplace_back(line.index(k), static_cast<double>(line.value[k]));
        }
      },
      data.A->by_row());
  return rows;
}

}  // namespace pdbfw::test
