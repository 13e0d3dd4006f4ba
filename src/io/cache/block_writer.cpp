#include "io/cache/block_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <variant>

#include "base/checksum.hpp"
#include "io/bytes/checked_file.hpp"

namespace pdbfw {
namespace {

constexpr Index kLargestNarrow = std::numeric_limits<std::int32_t>::max();

bool are_floats(std::span<const double> values) {
  int bad = 0;
  for (const double value : values)
    bad |= static_cast<int>(!(std::abs(value) <= std::numeric_limits<float>::max()) ||
                            static_cast<double>(static_cast<float>(value)) != value);
  return bad == 0;
}

void require_floats(std::span<const double> values) {
  for (const double value : values)
    if (!std::isfinite(static_cast<float>(value)))
      throw InputError(fmt::format("value {} is beyond the largest float, about 3.4e38", value));
}

// Whether every row holds the indices 0 .. width - 1.
bool are_dense(std::span<const Index> row_end, std::span<const Index> at, Index width) {
  if (width == 0 || static_cast<Index>(at.size()) / width != static_cast<Index>(row_end.size()) ||
      static_cast<Index>(at.size()) % width != 0)
    return false;
  for (std::size_t i = 0; i < row_end.size(); ++i)
    if (row_end[i] != static_cast<Index>(i + 1) * width) return false;
  return true;  // they ascend strictly and are below the width
}

}  // namespace

BlockWriter::BlockWriter(TextSink& sink, const std::string& name, bool float32, std::size_t block_bytes)
    : sink_(sink), name_(name), float32_(float32), block_bytes_(block_bytes) {
  require_little_endian(name_);
  const BlockedHeader header = blocked_header();
  sink_.write({reinterpret_cast<const char*>(&header), sizeof(header)});
  position_ = sizeof(header);
}

// As if all blocks were sparse with wide values and narrow indices, so that the same rows make the same blocks.
bool BlockWriter::is_full() const {
  constexpr std::size_t kEntryBytes = sizeof(double) + sizeof(std::int32_t);
  return value_.size() * kEntryBytes + target_.size() * 2 * sizeof(double) >= block_bytes_;
}

template <class LineBundle>
void BlockWriter::append_lines(const LineBundle& rows, std::span<const double> targets) {
  for (Index i = 0; i < rows.count; ++i) {
    const auto row = rows[i];
    Index* const at = at_.extend(static_cast<std::size_t>(row.size));
    double* const value = value_.extend(static_cast<std::size_t>(row.size));
    for (Index k = 0; k < row.size; ++k) {
      at[k] = row.index(k);
      value[k] = static_cast<double>(row.value[k]);
    }
    row_end_.push_back(static_cast<Index>(value_.size()));
    target_.push_back(targets[static_cast<std::size_t>(i)]);
    if (is_full()) write_block();
  }
}

void BlockWriter::append(const Lines& rows, std::span<const double> targets) {
  std::visit([&](const auto& own) { append_lines(own, targets); }, rows);
}

void BlockWriter::append(const RowPiece& piece) {
  const std::span<const Index> ends = piece.row_end.view();
  Index begin = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto size = static_cast<std::size_t>(ends[i] - begin);
    if (size > 0) {
      std::memcpy(at_.extend(size), piece.at.view().data() + begin, size * sizeof(Index));
      std::memcpy(value_.extend(size), piece.value.view().data() + begin, size * sizeof(double));
    }
    row_end_.push_back(static_cast<Index>(value_.size()));
    target_.push_back(piece.target.view()[i]);
    begin = ends[i];
    if (is_full()) write_block();
  }
}

template <class Value>
void BlockWriter::write_numbers(std::span<const Value> numbers) {
  const auto* const bytes = reinterpret_cast<const char*>(numbers.data());
  written_.insert(written_.end(), bytes, bytes + numbers.size_bytes());
  written_.resize((written_.size() + kCacheAlignment - 1) / kCacheAlignment * kCacheAlignment);
}

template <class To, class From>
void BlockWriter::write_as(std::span<const From> numbers) {
  const std::size_t before = written_.size();
  const std::size_t bytes = numbers.size() * sizeof(To);
  written_.resize((before + bytes + kCacheAlignment - 1) / kCacheAlignment * kCacheAlignment);
  char* place = written_.data() + before;
  for (const From number : numbers) {
    const To narrow = static_cast<To>(number);
    std::memcpy(place, &narrow, sizeof(To));
    place += sizeof(To);
  }
}

void BlockWriter::write_block() {
  if (target_.size() == 0) return;
  BlockEntry block{};
  block.begin = position_;
  block.first_row = trailer_.rows;
  block.rows = static_cast<Index>(target_.size());
  block.entries = static_cast<Index>(value_.size());
  for (std::size_t i = 0; i < row_end_.size(); ++i)  // indices ascend
    if (const Index end = row_end_.view()[i]; end > (i > 0 ? row_end_.view()[i - 1] : 0))
      block.columns = std::max(block.columns, at_.view()[static_cast<std::size_t>(end) - 1] + 1);
  const bool is_dense = are_dense(row_end_.view(), at_.view(), block.columns);
  const bool is_narrow = block.columns <= kLargestNarrow;
  block.layout = is_dense ? CacheLayout::dense : CacheLayout::sparse;
  block.index_bytes = is_dense ? 0 : is_narrow ? sizeof(std::int32_t) : sizeof(std::int64_t);
  if (float32_) require_floats(value_.view());
  block.value_bytes = float32_ || are_floats(value_.view()) ? sizeof(float) : sizeof(double);

  written_.clear();
  if (!is_dense) {
    constexpr Index kZero = 0;
    written_.insert(written_.end(), reinterpret_cast<const char*>(&kZero), reinterpret_cast<const char*>(&kZero + 1));
    write_numbers(row_end_.view());
    if (is_narrow)
      write_as<std::int32_t>(at_.view());
    else
      write_numbers(at_.view());
  }
  if (block.value_bytes == sizeof(float))
    write_as<float>(value_.view());
  else
    write_numbers(value_.view());
  const std::size_t matrix_bytes = written_.size();
  write_numbers<double>(target_.view());
  const auto bytes = std::as_bytes(std::span(written_));
  block.matrix_checksum = checksum(bytes.first(matrix_bytes));
  block.target_checksum = checksum(bytes.subspan(matrix_bytes));
  sink_.write({written_.data(), written_.size()});

  position_ += written_.size();
  trailer_.rows += block.rows;
  trailer_.entries += block.entries;
  trailer_.columns = std::max(trailer_.columns, block.columns);
  directory_.push_back(block);
  row_end_.resize_down(0);
  at_.resize_down(0);
  value_.resize_down(0);
  target_.resize_down(0);
}

void BlockWriter::finish(Index min_features) {
  write_block();
  if (trailer_.rows == 0) throw InputError("matrix rows", "0", "a cache file has at least one");
  trailer_.columns = std::max(trailer_.columns, min_features);
  trailer_.blocks = static_cast<Index>(directory_.size());
  trailer_.directory_begin = position_;
  trailer_.directory_checksum = checksum(std::as_bytes(std::span(directory_)));
  trailer_.file_bytes = position_ + directory_.size() * sizeof(BlockEntry) + sizeof(trailer_);
  trailer_.checksum = checksum_of(trailer_);
  std::copy(kBlockedEnd.begin(), kBlockedEnd.end(), trailer_.end.begin());
  sink_.write({reinterpret_cast<const char*>(directory_.data()), directory_.size() * sizeof(BlockEntry)});
  sink_.write({reinterpret_cast<const char*>(&trailer_), sizeof(trailer_)});
}

}  // namespace pdbfw
