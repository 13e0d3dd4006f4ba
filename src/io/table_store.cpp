#include "io/table_store.hpp"

#include <cmath>

namespace pdbfw {

TableStore::TableStore(const ReadOptions& options)
    : min_features_(options.min_features), store_(make_row_store(options.float32)) {}

void TableStore::end_row(double target) {
  constexpr std::size_t kPieceEntries = std::size_t{1} << 15U;
  piece_.target.push_back(target);
  piece_.row_end.push_back(static_cast<Index>(piece_.at.size()));
  ++rows_;
  if (piece_.at.size() + piece_.target.size() >= kPieceEntries) hand_on();
}

void TableStore::hand_on() {
  store_->append(piece_);
  clear(piece_);
}

Dataset TableStore::finish(Index width) {
  hand_on();
  return store_->finish_table(width, min_features_);
}

bool is_beyond_float(double value) { return std::isfinite(value) && !std::isfinite(static_cast<float>(value)); }

}  // namespace pdbfw
