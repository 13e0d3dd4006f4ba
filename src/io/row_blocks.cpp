#include "io/row_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include "io/decimal.hpp"
#include "io/input_stream.hpp"
#include "io/libsvm_parser.hpp"
#include "io/libsvm_reader.hpp"
#include "io/line_blocks.hpp"
#include "io/machine_memory.hpp"
#include "io/read_options.hpp"
#include "io/row_store.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

std::string head_of(const std::string& path) {
  constexpr std::size_t kHeadBytes = std::size_t{1} << 16U;
  InputStream stream(path);
  std::string head(kHeadBytes, '\0');
  std::size_t size = 0;
  while (size < head.size()) {
    const std::size_t read = stream.read(std::span(head).subspan(size));
    if (read == 0) break;
    size += read;
  }
  head.resize(size);
  return head;
}

bool can_be_read_in_blocks(const std::string& path) {
  std::error_code error;
  return path != "-" && std::filesystem::is_regular_file(path, error) && is_surely_libsvm(head_of(path));
}

}  // namespace

bool is_surely_libsvm(std::string_view head) {
  while (!head.empty()) {
    std::string_view line = head.substr(0, head.find_first_of("#\n"));
    head.remove_prefix(std::min(head.find('\n'), head.size() - 1) + 1);
    const std::string_view target = take_word(line);
    if (target.empty()) continue;
    double ignored = 0;
    if (parse_number(target, ignored) != NumberFault::none) return false;
    std::string_view entry = take_word(line);
    if (entry.starts_with("qid:")) entry = take_word(line);
    const std::size_t digits = std::min(entry.find_first_not_of("0123456789"), entry.size());
    return digits > 0 && digits < entry.size() && entry[digits] == ':';
  }
  return false;
}

RowBlocks::RowBlocks(std::string path, const ReadOptions& options)
    : path_(std::move(path)), options_(options), is_streamed_(can_be_read_in_blocks(path_)) {}

void RowBlocks::for_each(const Visit& visit) {
  if (is_streamed_) return stream(visit);
  if (!kept_) kept_ = read_dataset(path_, options_);
  visit({*kept_, {}});
}

void RowBlocks::stream(const Visit& visit) const {
  check_read_options(options_);
  InputStream source(path_);
  const LibsvmRules rules{options_.float32, most_features_in_memory()};
  LineBlocks blocks(source, kLibsvmBlockBytes);
  std::string text;
  LibsvmPiece piece;
  Index lines = 0;
  while (blocks.next(text)) {
    parse_libsvm_block(text, rules, piece);
    if (piece.fault)
      throw InputError(fmt::format("{}:{}:{}: {}", source.name(), lines + piece.fault->line, piece.fault->column,
                                   piece.fault->message));
    lines += piece.lines;
    const std::unique_ptr<RowStore> rows = make_row_store(options_.float32);
    rows->append(piece);
    const Dataset data = rows->finish(options_.min_features);
    visit({data, text});
  }
}

}  // namespace pdbfw
