#include "io/data/row_store.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {
namespace {

constexpr Index kLargestNarrow = std::numeric_limits<std::int32_t>::max();

template <class To, class From>
void append_as(std::span<const From> from, GrowingArray<To>& to) {
  std::transform(from.begin(), from.end(), to.extend(from.size()), [](From x) { return static_cast<To>(x); });
}

template <class Value>
class TypedRowStore final : public RowStore {
 public:
  TypedRowStore() { offsets_.push_back(0); }

  [[nodiscard]] Index count() const override { return static_cast<Index>(target_.size()); }

  void append(const RowPiece& piece) override {
    features_ = std::max(features_, piece.features);
    if (features_ > kLargestNarrow && !is_wide_) widen();
    if (is_wide_)
      append_as(piece.at.view(), wide_);
    else
      append_as(piece.at.view(), narrow_);
    append_as(piece.target.view(), target_);
    const auto before = static_cast<Index>(value_.size());
    append_as(piece.value.view(), value_);
    for (const Index end : piece.offsets.view().subspan(1)) offsets_.push_back(before + end);
  }

  [[nodiscard]] Dataset finish(Index min_features) override {
    const auto target = target_.view();
    const Index columns = std::max(features_, min_features);
    // The targets first: while they are copied, the spare memory of the other arrays is not touched yet.
    Dataset data{nullptr, std::vector<double>(target.begin(), target.end())};
    target_ = {};
    value_.give_back_spare_memory();
    const auto entries = static_cast<Index>(value_.size());
    const auto rows = static_cast<Index>(data.target.size());
    if (columns > 0 && entries % columns == 0 && entries / columns == rows)
      data.A = dense(rows, columns);
    else if (is_wide_)
      data.A = sparse(rows, columns, std::move(wide_));
    else
      data.A = sparse(rows, columns, std::move(narrow_));
    return data;
  }

  [[nodiscard]] Dataset finish_table(Index width, Index min_features) override {
    const bool is_half_full = 2 * static_cast<double>(value_.size()) >= static_cast<double>(count() * width);
    if (is_half_full && min_features <= width) fill_in_zeros(width);
    return finish(std::max(width, min_features));
  }

 private:
  // So that every row holds every feature.
  void fill_in_zeros(Index width) {
    GrowingArray<Value> table;
    const auto cells = static_cast<std::size_t>(count() * width);
    if (cells == value_.size()) return;
    std::fill_n(table.extend(cells), cells, Value{0});
    Value* const row = table.data();
    for (Index i = 0; i < count(); ++i)
      for (Index k = offsets_.view()[static_cast<std::size_t>(i)]; k < offsets_.view()[static_cast<std::size_t>(i) + 1];
           ++k)
        row[i * width + index(k)] = value_.view()[static_cast<std::size_t>(k)];
    value_ = std::move(table);
  }

  [[nodiscard]] Index index(Index k) const {
    const auto entry = static_cast<std::size_t>(k);
    return is_wide_ ? wide_.view()[entry] : narrow_.view()[entry];
  }

  // The first index beyond 32 bits.
  void widen() {
    append_as(narrow_.view(), wide_);
    narrow_ = {};
    is_wide_ = true;
  }

  MatrixPtr dense(Index rows, Index columns) {
    narrow_ = {};
    wide_ = {};
    offsets_ = {};
    auto storage = std::make_shared<const GrowingArray<Value>>(std::move(value_));
    return std::make_shared<const DataMatrix>(DenseLines<Value>{rows, columns, storage->view()},
                                              DataMatrix::Orientation::by_row, storage);
  }

  template <class Entry>
  MatrixPtr sparse(Index rows, Index columns, GrowingArray<Entry> at) {
    struct Storage {
      GrowingArray<Index> offsets;
      GrowingArray<Entry> at;
      GrowingArray<Value> value;
    };
    at.give_back_spare_memory();
    offsets_.give_back_spare_memory();
    auto storage = std::make_shared<const Storage>(Storage{std::move(offsets_), std::move(at), std::move(value_)});
    return std::make_shared<const DataMatrix>(
        SparseLines<Value, Entry>{rows, columns, storage->offsets.view(), storage->at.view(), storage->value.view()},
        DataMatrix::Orientation::by_row, storage);
  }

  Index features_ = 0;
  bool is_wide_ = false;
  GrowingArray<double> target_;
  GrowingArray<Index> offsets_;
  GrowingArray<std::int32_t> narrow_;  // indices, while all fit 32 bits
  GrowingArray<std::int64_t> wide_;    // indices, once one does not
  GrowingArray<Value> value_;
};

}  // namespace

std::unique_ptr<RowStore> make_row_store(bool float32) {
  if (float32) return std::make_unique<TypedRowStore<float>>();
  return std::make_unique<TypedRowStore<double>>();
}

TableStore::TableStore(const ReadOptions& options)
    : min_features_(options.min_features), store_(make_row_store(options.float32)) {
  clear(piece_);
}

void TableStore::end_row(double target) {
  constexpr std::size_t kPieceEntries = std::size_t{1} << 15U;
  piece_.target.push_back(target);
  piece_.offsets.push_back(static_cast<Index>(piece_.at.size()));
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
