#include "io/row_blocks.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/machine_memory.hpp"
#include "io/bytes/input_stream.hpp"
#include "io/bytes/text_lines.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/data/read_options.hpp"
#include "io/data/row_store.hpp"

namespace pdbfw {
namespace {

// Options that only read_dataset knows what to do with.
bool are_plain(const ReadOptions& options) {
  const bool can_be_libsvm = options.format == DataFormat::automatic || options.format == DataFormat::libsvm;
  return can_be_libsvm && options.labels.empty() && options.label_column.empty() &&
         options.header == ReadOptions::Header::automatic && !options.classes;
}

bool can_be_read_in_blocks(const std::string& path, const ReadOptions& options) {
  std::error_code error;
  if (path == "-" || !are_plain(options) || !std::filesystem::is_regular_file(path, error)) return false;
  return options.format == DataFormat::libsvm ||
         recognise_format(InputStream(path).peek(kFormatBytes), path) == DataFormat::libsvm;
}

}  // namespace

RowBlocks::RowBlocks(std::string path, const ReadOptions& options)
    : path_(std::move(path)), options_(options), is_streamed_(can_be_read_in_blocks(path_, options_)) {
  if (!is_streamed_) kept_ = read_dataset(path_, options_);
}

void RowBlocks::for_each(const Visit& visit) const {
  if (is_streamed_) return stream(visit);
  visit({*kept_, {}});
}

void RowBlocks::stream(const Visit& visit) const {
  check_read_options(options_);
  InputStream source(path_);
  const LibsvmRules rules{options_.float32, most_features_in_memory()};
  LineBlocks blocks(source, source.name(), kLibsvmBlockBytes);
  std::string text;
  LibsvmPiece piece;
  Index lines = 0, count = 0;
  while (blocks.next(text)) {
    parse_libsvm_block(text, rules, piece);
    if (piece.fault)
      throw InputError(fmt::format("{}:{}:{}: {}", source.name(), lines + piece.fault->line, piece.fault->column,
                                   piece.fault->message));
    lines += piece.lines;
    count += static_cast<Index>(piece.target.size());
    const std::unique_ptr<RowStore> rows = make_row_store(options_.float32);
    rows->append(piece);
    const Dataset data = rows->finish(options_.min_features);
    visit({data, text});
  }
  if (count == 0) throw InputError(fmt::format("{}: no samples", source.name()));
}

}  // namespace pdbfw
