#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <variant>

#include "base/checksum.hpp"
#include "io/bytes/checked_file.hpp"
#include "io/bytes/input.hpp"
#include "io/bytes/output_file.hpp"
#include "io/cache/block_file.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/data/read_options.hpp"

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

// Whether every row holds the indices 0 .. width - 1.
bool are_dense(const RowPiece& rows) {
  const std::span<const Index> offsets = rows.offsets.view();
  if (rows.features == 0) return false;
  for (std::size_t i = 0; i < offsets.size(); ++i)
    if (offsets[i] != static_cast<Index>(i) * rows.features) return false;
  return true;  // they ascend strictly and are below the width
}

// A thread that parses holds a piece of text and its numbers.
constexpr Index kThreadBytes = Index{12} << 20U;
// Blocks are held as wide numbers and as the bytes that are written.
constexpr Index kBlockCopies = 4;

void append(const Dataset& data, BlockWriter& writer) {
  data.A->visit_rows([&](Index first, const Lines& rows) {
    writer.append(rows, std::span(data.target).subspan(static_cast<std::size_t>(first)));
  });
}

// What reading a file whole may take at most, told by its length: numbers in text are short, and packed ones shorter.
double most_bytes(const std::string& path, DataFormat format, bool is_packed) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  const bool is_text = format == DataFormat::csv || format == DataFormat::matrix_market;
  return error ? 0 : static_cast<double>(bytes) * (is_text ? 8 : 3) * (is_packed ? 10 : 1);
}

void require_room(const std::string& path, DataFormat format, bool is_packed, Index memory) {
  constexpr double kMebi = 1024 * 1024;
  const double wanted = most_bytes(path, format, is_packed);
  if (wanted <= static_cast<double>(memory)) return;
  throw InputError(
      fmt::format("{}: files in this format are read whole, which may take {:.0f} MiB, more than the {:.0f} "
                  "MiB of memory that are given; LIBSVM's text is read in pieces",
                  path, wanted / kMebi, static_cast<double>(memory) / kMebi));
}

void append_file(const std::string& path, const ReadOptions& options, Index memory, BlockWriter& writer) {
  if (is_block_file(path)) {
    ReadOptions plain = options;
    plain.min_features = 0;
    return append(open_streamed(path, plain), writer);
  }
  InputStream stream(path);
  const DataFormat format = recognise_format(stream.peek(kFormatBytes), path, options.format);
  if (format != DataFormat::libsvm) {
    if (path == "-") throw InputError("DATA", "'-'", "LIBSVM's text, for a given amount of memory");
    require_room(path, format, stream.is_packed(), memory);
    return append(read_dataset(path, options), writer);
  }
  if (!options.labels.empty() || !options.label_column.empty() || options.header != ReadOptions::Header::automatic)
    return static_cast<void>(read_dataset(path, options));  // which says what is wrong
  read_libsvm_pieces(stream, stream.name(), options,
                     [&](const LibsvmPiece& piece) { writer.append(piece.rows(), piece.target.view()); });
}

}  // namespace

BlockWriter::BlockWriter(TextSink& sink, const std::string& name, bool float32, std::size_t block_bytes)
    : sink_(sink), name_(name), float32_(float32), block_bytes_(block_bytes) {
  require_little_endian(name_);
  const BlockedHeader header = blocked_header();
  write_one(sink_, header);
  position_ = sizeof(header);
  clear(block_);
}

// As if all blocks were sparse with wide values and narrow indices, so that the same rows make the same blocks.
bool BlockWriter::is_full() const {
  constexpr std::size_t kEntryBytes = sizeof(double) + sizeof(std::int32_t);
  return block_.value.size() * kEntryBytes + block_.target.size() * 2 * sizeof(double) >= block_bytes_;
}

void BlockWriter::append(const Lines& rows, std::span<const double> targets) {
  const auto append_all = [&](const auto& own) {
    for (Index i = 0; i < own.count; ++i) {
      add_row(targets[static_cast<std::size_t>(i)], own[i], block_);
      if (is_full()) write_block();
    }
  };
  std::visit(append_all, rows);
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
  if (block_.target.size() == 0) return;
  const std::span<const double> values = block_.value.view();
  BlockEntry block{};
  block.begin = position_;
  block.first_row = trailer_.rows;
  block.rows = static_cast<Index>(block_.target.size());
  block.entries = static_cast<Index>(values.size());
  block.columns = block_.features;
  const bool is_dense = are_dense(block_);
  const bool is_narrow = block.columns <= kLargestNarrow;
  block.layout = is_dense ? CacheLayout::dense : CacheLayout::sparse;
  block.index_bytes = is_dense ? 0 : is_narrow ? sizeof(std::int32_t) : sizeof(std::int64_t);
  if (float32_) require_floats(values);
  block.value_bytes = float32_ || are_floats(values) ? sizeof(float) : sizeof(double);

  written_.clear();
  if (!is_dense) {
    write_as<Index>(block_.offsets.view());
    if (is_narrow)
      write_as<std::int32_t>(block_.at.view());
    else
      write_as<std::int64_t>(block_.at.view());
  }
  if (block.value_bytes == sizeof(float))
    write_as<float>(values);
  else
    write_as<double>(values);
  const std::size_t matrix_bytes = written_.size();
  write_as<double>(block_.target.view());
  const auto bytes = std::as_bytes(std::span(written_));
  block.matrix_checksum = checksum(bytes.first(matrix_bytes));
  block.target_checksum = checksum(bytes.subspan(matrix_bytes));
  sink_.write({written_.data(), written_.size()});

  position_ += written_.size();
  trailer_.rows += block.rows;
  trailer_.entries += block.entries;
  trailer_.columns = std::max(trailer_.columns, block.columns);
  directory_.push_back(block);
  clear(block_);
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
  write_numbers(sink_, std::span<const BlockEntry>(directory_));
  write_one(sink_, trailer_);
}

std::vector<std::string> matching_files(const std::string& pattern) {
  std::error_code error;
  if (pattern.find_first_of("*?[") == pattern.npos || std::filesystem::exists(pattern, error)) return {pattern};
  glob_t found{};
  std::vector<std::string> files;
  if (::glob(pattern.c_str(), 0, nullptr, &found) == 0) files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::sort(files.begin(), files.end());  // by bytes: the same order on every machine
  if (files.empty()) throw InputError(fmt::format("no file matches '{}'", pattern));
  return files;
}

void write_blocks_to(TextSink& sink, const std::string& name, const std::vector<std::string>& files,
                     const ReadOptions& options, Index memory) {
  if (memory < kLeastMemory)
    throw InputError("memory", fmt::format("{} bytes", memory), fmt::format("at least {} MiB", kLeastMemory >> 20U));
  if (files.empty()) throw InputError("data", "no file", "at least one");
  if (options.classes) throw InputError("classes", "given", "none for a given amount of memory");
  if (options.rows) throw InputError("rows", "given", "none for a given amount of memory");
  ReadOptions reading = options;
  reading.threads = static_cast<int>(
      std::clamp<Index>((memory - kLeastMemory / 2) / 2 / kThreadBytes, 1, std::max(1, options.threads)));
  const Index block_bytes = std::min(static_cast<Index>(kBlockBytes), memory / 4 / kBlockCopies);
  BlockWriter writer(sink, name, options.float32, static_cast<std::size_t>(block_bytes));
  for (const std::string& file : files) append_file(file, reading, memory, writer);
  writer.finish(options.min_features);
}

void write_blocks_to(TextSink& sink, const std::string& name, const Dataset& data) {
  check_targets(data);
  BlockWriter writer(sink, name);
  append(data, writer);
  writer.finish(data.A->columns());
}

void write_blocks(const std::string& path, const std::vector<std::string>& data, const ReadOptions& options,
                  Index memory) {
  write_whole_file(path, [&](OutputFile& file) { write_blocks_to(file, file.name(), data, options, memory); });
}

void write_blocks(const std::string& path, const Dataset& data) {
  write_whole_file(path, [&](OutputFile& file) { write_blocks_to(file, file.name(), data); });
}

}  // namespace pdbfw
