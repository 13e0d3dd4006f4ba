// Rows of a format that states every value (CSV, idx): zeros are left out while they are collected.
#pragma once

#include <algorithm>
#include <memory>

#include "io/row_store.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

class TableStore {
 public:
  explicit TableStore(const ReadOptions& options);

  [[nodiscard]] Index rows() const { return rows_; }
  void add(Index column, double value) {
    if (value == 0) return;
    piece_.at.push_back(column);
    piece_.value.push_back(value);
    piece_.features = std::max(piece_.features, column + 1);
  }
  void end_row(double target);

  // Dense when at least half of the values are not 0. The store is empty afterwards.
  [[nodiscard]] Dataset finish(Index width);

 private:
  void hand_on();

  Index min_features_;
  Index rows_ = 0;
  std::unique_ptr<RowStore> store_;
  RowPiece piece_;
};

// Whether a finite number would become an infinite float.
[[nodiscard]] bool is_beyond_float(double value);

}  // namespace pdbfw
