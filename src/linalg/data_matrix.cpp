// DataMatrix: checks what it is given and builds the other orientation on demand.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <tuple>
#include <utility>

#include "linalg/check_lines.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {
namespace {

template <class Value, class Entry>
struct SparseStorage {
  std::vector<Index> offsets;
  std::vector<Entry> at;
  std::vector<Value> value;
};

template <class Value, class Entry>
SparseLines<Value, Entry> view(Index count, Index length, const SparseStorage<Value, Entry>& storage) {
  return {count, length, storage.offsets, storage.at, storage.value};
}

template <class Entry, class Value, class OldEntry>
std::pair<Lines, std::shared_ptr<const void>> transposed_with(const SparseLines<Value, OldEntry>& lines) {
  auto storage = std::make_shared<SparseStorage<Value, Entry>>();
  // Counting sort by index: first how many entries each new line gets, then where it starts, then the entries in order.
  std::vector<Index>& offsets = storage->offsets;
  offsets.assign(static_cast<std::size_t>(lines.length) + 1, 0);
  for (const OldEntry at : lines.at) ++offsets[static_cast<std::size_t>(at) + 1];
  for (std::size_t j = 1; j < offsets.size(); ++j) offsets[j] += offsets[j - 1];
  storage->at.resize(lines.at.size());
  storage->value.resize(lines.value.size());
  for (Index i = 0; i < lines.count; ++i) {
    const auto line = lines[i];
    for (Index k = 0; k < line.size; ++k) {
      const auto place = static_cast<std::size_t>(offsets[static_cast<std::size_t>(line.at[k])]++);
      storage->at[place] = static_cast<Entry>(i);
      storage->value[place] = line.value[k];
    }
  }
  // Every offset has moved to the start of the next line; move them back.
  for (std::size_t j = offsets.size() - 1; j > 0; --j) offsets[j] = offsets[j - 1];
  offsets[0] = 0;
  return {view(lines.length, lines.count, *storage), storage};
}

// A line of the transpose holds as index the number of a line of the original, so its width follows `count`.
template <class Value, class Entry>
std::pair<Lines, std::shared_ptr<const void>> transposed(const SparseLines<Value, Entry>& lines) {
  if (lines.count <= std::numeric_limits<std::int32_t>::max()) return transposed_with<std::int32_t>(lines);
  return transposed_with<std::int64_t>(lines);
}

template <class Value>
std::pair<Lines, std::shared_ptr<const void>> transposed(const DenseLines<Value>& lines) {
  const std::size_t size = lines.value.size();
  const std::shared_ptr<Value[]> storage = std::make_shared_for_overwrite<Value[]>(size);
  // In tiles, so that both sides stay in the cache.
  constexpr Index kTile = 32;
  for (Index i0 = 0; i0 < lines.count; i0 += kTile)
    for (Index j0 = 0; j0 < lines.length; j0 += kTile)
      for (Index i = i0; i < std::min(i0 + kTile, lines.count); ++i)
        for (Index j = j0; j < std::min(j0 + kTile, lines.length); ++j)
          storage[j * lines.count + i] = lines[i].value[j];
  return {DenseLines<Value>{lines.length, lines.count, std::span<const Value>(storage.get(), size)}, storage};
}

struct Examined {
  Index count;
  Index length;
  Index entries;
  std::uint64_t fingerprint;
};

Examined examine(const Lines& lines, DataMatrix::Orientation orientation, int threads) {
  return std::visit(
      [&](const auto& own) -> Examined {
        check(own, threads);
        return {own.count, own.length, static_cast<Index>(own.value.size()), fingerprint(own, orientation, threads)};
      },
      lines);
}

// A certificate takes A x from the rows and A'y from the columns: of two matrices it would prove nothing.
void check_agreement(const Examined& rows, const Examined& columns) {
  const auto say = [](const Examined& lines) {
    return fmt::format("{} lines of length {} with {} entries", lines.count, lines.length, lines.entries);
  };
  if (rows.count != columns.length || rows.length != columns.count || rows.entries != columns.entries)
    throw InputError("matrix columns", say(columns), fmt::format("the transpose of {}", say(rows)));
  if (rows.fingerprint != columns.fingerprint)
    throw InputError("matrix columns", "entries that differ from those of the rows", "the same matrix");
}

template <class Value, class Entry, class Offset>
MatrixPtr borrow(DataMatrix::Orientation orientation, Index count, Index length, std::span<const Offset> offsets,
                 std::span<const Entry> at, std::span<const Value> value) {
  auto wide = std::make_shared<std::vector<Index>>(offsets.begin(), offsets.end());
  if (wide->empty()) wide->push_back(0);
  return std::make_shared<const DataMatrix>(SparseLines<Value, Entry>{count, length, *wide, at, value}, orientation,
                                            wide);
}

}  // namespace

DataMatrix::DataMatrix(Lines lines, Orientation given, std::shared_ptr<const void> storage)
    : given_(lines), orientation_(given), storage_(std::move(storage)) {
  std::visit(
      [this](const auto& own) {
        check(own, 1);
        rows_ = orientation_ == Orientation::by_row ? own.count : own.length;
        columns_ = orientation_ == Orientation::by_row ? own.length : own.count;
        nonzeros_ = static_cast<Index>(own.value.size());
      },
      given_);
}

DataMatrix::DataMatrix(Lines rows, Lines columns, std::shared_ptr<const void> storage, int threads)
    : given_(rows), orientation_(Orientation::by_row), storage_(std::move(storage)), other_(columns) {
  const Examined by_row = examine(given_, Orientation::by_row, threads);
  check_agreement(by_row, examine(*other_, Orientation::by_column, threads));
  rows_ = by_row.count;
  columns_ = by_row.length;
  nonzeros_ = by_row.entries;
}

DataMatrix::DataMatrix(std::shared_ptr<const RowSource> source)
    : source_(std::move(source)),
      orientation_(Orientation::by_row),
      rows_(source_->rows()),
      columns_(source_->columns()),
      nonzeros_(source_->nonzeros()) {
  check_shape(rows_, columns_);
}

void DataMatrix::visit_rows(const RowVisitor& visitor) const {
  if (source_)
    source_->visit(visitor);
  else
    visitor(0, by_row());
}

bool DataMatrix::is_dense() const {
  if (source_) return source_->is_dense();
  return std::holds_alternative<DenseLines<double>>(given_) || std::holds_alternative<DenseLines<float>>(given_);
}

const Lines& DataMatrix::lines(Orientation wanted) const {
  if (source_)
    throw InputError("data", "streamed from a file",
                     "data in memory, for all but training, certifying and predicting (docs/scaling.md)");
  if (wanted == orientation_) return given_;
  // No exception leaves call_once when memory has ended: glibc would want some to unwind it, and end the process.
  std::call_once(other_is_built_, [this] {
    if (other_) return;
    try {
      std::visit([this](const auto& own) { std::tie(other_, other_storage_) = transposed(own); }, given_);
    } catch (const std::bad_alloc&) {
      other_.reset();
    }
  });
  if (!other_) throw std::bad_alloc();
  return *other_;
}

template <class Value, class Entry, class Offset>
MatrixPtr borrow_csr(Index rows, Index columns, std::span<const Offset> offsets, std::span<const Entry> at,
                     std::span<const Value> value) {
  return borrow(DataMatrix::Orientation::by_row, rows, columns, offsets, at, value);
}

template <class Value, class Entry, class Offset>
MatrixPtr borrow_csc(Index rows, Index columns, std::span<const Offset> offsets, std::span<const Entry> at,
                     std::span<const Value> value) {
  return borrow(DataMatrix::Orientation::by_column, columns, rows, offsets, at, value);
}

template <class Value>
MatrixPtr borrow_dense_rows(Index rows, Index columns, std::span<const Value> value) {
  return std::make_shared<const DataMatrix>(DenseLines<Value>{rows, columns, value}, DataMatrix::Orientation::by_row,
                                            nullptr);
}

template <class Value>
MatrixPtr borrow_dense_columns(Index rows, Index columns, std::span<const Value> value) {
  return std::make_shared<const DataMatrix>(DenseLines<Value>{columns, rows, value}, DataMatrix::Orientation::by_column,
                                            nullptr);
}

template <class Value>
MatrixPtr own_dense_rows(Index rows, Index columns, std::vector<Value> value) {
  auto storage = std::make_shared<const std::vector<Value>>(std::move(value));
  return std::make_shared<const DataMatrix>(DenseLines<Value>{rows, columns, *storage}, DataMatrix::Orientation::by_row,
                                            storage);
}

template <class Value, class Entry>
MatrixPtr own_csr(Index rows, Index columns, std::vector<Index> offsets, std::vector<Entry> at,
                  std::vector<Value> value) {
  auto storage = std::make_shared<SparseStorage<Value, Entry>>();
  *storage = {std::move(offsets), std::move(at), std::move(value)};
  return std::make_shared<const DataMatrix>(view(rows, columns, *storage), DataMatrix::Orientation::by_row, storage);
}

// clang-format off
#define PDBFW_SPARSE(Value, Entry, Offset)                                                                           \
  template MatrixPtr borrow_csr<Value, Entry, Offset>(Index, Index, std::span<const Offset>, std::span<const Entry>, \
                                                      std::span<const Value>);                                       \
  template MatrixPtr borrow_csc<Value, Entry, Offset>(Index, Index, std::span<const Offset>, std::span<const Entry>, \
                                                      std::span<const Value>);
#define PDBFW_DENSE(Value)                                                                                           \
  PDBFW_SPARSE(Value, std::int32_t, std::int32_t) PDBFW_SPARSE(Value, std::int32_t, std::int64_t)                    \
  PDBFW_SPARSE(Value, std::int64_t, std::int32_t) PDBFW_SPARSE(Value, std::int64_t, std::int64_t)                    \
  template MatrixPtr borrow_dense_rows<Value>(Index, Index, std::span<const Value>);                                 \
  template MatrixPtr borrow_dense_columns<Value>(Index, Index, std::span<const Value>);                              \
  template MatrixPtr own_dense_rows<Value>(Index, Index, std::vector<Value>);                                        \
  template MatrixPtr own_csr<Value, std::int32_t>(Index, Index, std::vector<Index>, std::vector<std::int32_t>,       \
                                                  std::vector<Value>);                                               \
  template MatrixPtr own_csr<Value, std::int64_t>(Index, Index, std::vector<Index>, std::vector<std::int64_t>,       \
                                                  std::vector<Value>);
PDBFW_DENSE(double)
PDBFW_DENSE(float)
#undef PDBFW_DENSE
#undef PDBFW_SPARSE
// clang-format on

}  // namespace pdbfw
