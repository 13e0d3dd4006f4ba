#include "io/data/row_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
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

  void append(const RowPiece& piece) override {
    features_ = std::max(features_, piece.features);
    if (features_ > kLargestNarrow && std::holds_alternative<Narrow>(at_)) widen();
    std::visit([&](auto& at) { append_as(piece.at.view(), at); }, at_);
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
    else
      data.A = std::visit([&](auto& at) { return sparse(rows, columns, std::move(at)); }, at_);
    return data;
  }

  [[nodiscard]] Dataset finish_table(Index width, Index min_features) override {
    const bool is_half_full = 2 * static_cast<double>(value_.size()) >= static_cast<double>(count() * width);
    if (is_half_full && min_features <= width) fill_in_zeros(width);
    return finish(std::max(width, min_features));
  }

 private:
  using Narrow = GrowingArray<std::int32_t>;
  using Wide = GrowingArray<std::int64_t>;

  [[nodiscard]] Index count() const { return static_cast<Index>(target_.size()); }

  // So that every row holds every feature.
  void fill_in_zeros(Index width) {
    GrowingArray<Value> table;
    const auto cells = static_cast<std::size_t>(count() * width);
    if (cells == value_.size()) return;
    std::fill_n(table.extend(cells), cells, Value{0});
    const auto fill_in = [&](const auto& at) {
      Value* row = table.data();
      for (std::size_t i = 0; i + 1 < offsets_.size(); ++i, row += width)
        for (Index k = offsets_.view()[i]; k < offsets_.view()[i + 1]; ++k)
          row[at.view()[static_cast<std::size_t>(k)]] = value_.view()[static_cast<std::size_t>(k)];
    };
    std::visit(fill_in, at_);
    value_ = std::move(table);
  }

  // The first index beyond 32 bits.
  void widen() {
    Wide wide;
    append_as(std::get<Narrow>(at_).view(), wide);
    at_ = std::move(wide);
  }

  MatrixPtr dense(Index rows, Index columns) {
    at_ = {};
    offsets_ = {};
    auto storage = std::make_shared<const GrowingArray<Value>>(std::move(value_));
    return std::make_shared<const DataMatrix>(DenseLines<Value>{rows, columns, storage->view()},
                                              DataMatrix::Orientation::by_row, storage);
  }

  template <class Entry>
  MatrixPtr sparse(Index rows, Index columns, GrowingArray<Entry> at) {
    at.give_back_spare_memory();
    offsets_.give_back_spare_memory();
    auto storage = std::make_shared<const OwnedLines<Value, Entry>>(
        OwnedLines<Value, Entry>{std::move(offsets_), std::move(at), std::move(value_)});
    return std::make_shared<const DataMatrix>(storage->view(rows, columns), DataMatrix::Orientation::by_row, storage);
  }

  Index features_ = 0;
  GrowingArray<double> target_;
  GrowingArray<Index> offsets_;
  std::variant<Narrow, Wide> at_;  // indices, narrow while all fit 32 bits
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

void require_floats(std::span<const double> values) {
  for (const double value : values)
    if (!std::isfinite(static_cast<float>(value)))
      throw InputError(fmt::format("value {} is beyond the largest float, about 3.4e38", value));
}

}  // namespace pdbfw
