#include "io/block_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>
#include <vector>

#include "io/block_source.hpp"
#include "io/read_options.hpp"

namespace pdbfw {
namespace {

// What a solve takes that keeps no row: vectors over rows and features, the program, its buffers and threads.
double memory_besides(Index rows, Index columns) {
  constexpr double kVectors = 12, kFixed = 0x1p28;
  return kFixed + kVectors * sizeof(double) * static_cast<double>(rows + columns);
}

std::shared_ptr<const BlockSource> make_source(std::shared_ptr<const BlockFile> file, const ReadOptions& options) {
  check_read_options(options);
  const BlockedTrailer& trailer = file->trailer();
  const RowRange range = checked_range(options, trailer.rows, file->name());
  const Index columns = std::max(trailer.columns, options.min_features);
  const auto memory = static_cast<double>(options.memory > 0 ? options.memory : usable_memory());
  const double room = memory - memory_besides(range.last - range.first, columns);
  return std::make_shared<const BlockSource>(std::move(file), range, columns, std::max(0.0, room));
}

// Indices and values of one kind, whatever that of the blocks: wide enough for all.
template <class Value, class Entry>
MatrixPtr load_sparse(const BlockSource& source) {
  std::vector<Index> offsets{0};
  std::vector<Entry> at;
  std::vector<Value> value;
  offsets.reserve(static_cast<std::size_t>(source.rows()) + 1);
  at.reserve(static_cast<std::size_t>(source.nonzeros()));
  value.reserve(static_cast<std::size_t>(source.nonzeros()));
  source.visit([&](Index, const Lines& lines) {
    std::visit(
        [&](const auto& rows) {
          for (Index i = 0; i < rows.count; ++i) {
            const auto row = rows[i];
            for (Index k = 0; k < row.size; ++k) {
              at.push_back(static_cast<Entry>(row.index(k)));
              value.push_back(static_cast<Value>(row.value[k]));
            }
            offsets.push_back(static_cast<Index>(at.size()));
          }
        },
        lines);
  });
  return own_csr<Value, Entry>(source.rows(), source.columns(), std::move(offsets), std::move(at), std::move(value));
}

template <class Value>
MatrixPtr load_dense(const BlockSource& source) {
  std::vector<Value> value;
  value.reserve(static_cast<std::size_t>(source.nonzeros()));
  source.visit([&](Index, const Lines& lines) {
    std::visit([&](const auto& rows) { value.insert(value.end(), rows.value.begin(), rows.value.end()); }, lines);
  });
  return own_dense_rows<Value>(source.rows(), source.columns(), std::move(value));
}

template <class Value>
MatrixPtr load(const BlockSource& source) {
  if (source.is_dense()) return load_dense<Value>(source);
  const auto blocks = source.blocks();
  const bool is_wide = std::any_of(blocks.begin(), blocks.end(),
                                   [](const BlockEntry& block) { return block.index_bytes == sizeof(std::int64_t); });
  return is_wide ? load_sparse<Value, std::int64_t>(source) : load_sparse<Value, std::int32_t>(source);
}

}  // namespace

bool is_blocked(std::string_view head) {
  std::uint32_t version = 0;
  if (head.size() < kBlockedHeadBytes || !head.starts_with(kCacheMagic)) return false;
  std::memcpy(&version, head.data() + kCacheMagic.size(), sizeof(version));
  return version == kBlockedVersion;
}

RowRange checked_range(const ReadOptions& options, Index rows, const std::string& name) {
  if (!options.rows) return {0, rows};
  const auto [first, last] = *options.rows;
  if (first < 0 || first >= last || last > rows)
    throw InputError(fmt::format("{}: rows", name), fmt::format("{} .. {}", first, last - 1),
                     fmt::format("at least one of 0 .. {}", rows - 1));
  return {first, last};
}

Dataset read_blocks(std::shared_ptr<const BlockFile> file, const ReadOptions& options) {
  const std::string name = file->name();
  try {
    const std::shared_ptr<const BlockSource> source = make_source(std::move(file), options);
    const auto blocks = source->blocks();
    const bool is_narrow = std::all_of(blocks.begin(), blocks.end(),
                                       [](const BlockEntry& block) { return block.value_bytes == sizeof(float); });
    Dataset data{is_narrow ? load<float>(*source) : load<double>(*source), source->targets()};
    if (options.float32) data.A = fitted(data.A, {.float32 = true});
    return data;
  } catch (const DataLost& error) {
    throw InputError(error.what());
  }
}

Dataset stream_blocks(std::shared_ptr<const BlockFile> file, const ReadOptions& options) {
  try {
    const std::shared_ptr<const BlockSource> source = make_source(std::move(file), options);
    std::vector<double> target = source->targets();
    return {std::make_shared<const DataMatrix>(source), std::move(target)};
  } catch (const DataLost& error) {
    throw InputError(error.what());
  }
}

}  // namespace pdbfw
