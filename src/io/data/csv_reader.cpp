#include "io/data/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/machine_memory.hpp"
#include "base/numbers.hpp"
#include "io/bytes/text.hpp"
#include "io/data/row_store.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kBehindQuote = "something follows the quote that closes a cell";
constexpr std::size_t kMostRecordBytes = std::size_t{1} << 28U;  // an open quote must not swallow a large file

// Without the blanks around it.
std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

bool is_number(std::string_view cell) {
  double ignored = 0;
  return parse_number(cell, ignored) != NumberFault::not_a_number;  // NaN is one here, and refused later
}

class CsvTable {
 public:
  CsvTable(ByteSource& source, const std::string& name, const ReadOptions& options, bool has_label_column)
      : records_(source, name), name_(name), options_(options), store_(options) {
    if (!records_.next()) throw InputError(fmt::format("{}: no samples", name));
    columns_ = records_.cells().size();
    if (is_header()) names_.assign(records_.cells().begin(), records_.cells().end());
    label_ = has_label_column ? find_label() : columns_;
    if (width() == 0) records_.fail(0, "one column only: a label and at least one feature are needed");
    if (width() > most_features_in_memory()) records_.fail(0, "weights for so many features do not fit into memory");
    if (names_.empty()) read_row();
  }

  Dataset read() {
    while (records_.next()) read_row();
    if (store_.rows() == 0) throw InputError(fmt::format("{}: no samples, only names of columns", name_));
    return store_.finish(width());
  }

 private:
  [[nodiscard]] Index width() const { return static_cast<Index>(columns_) - (label_ < columns_ ? 1 : 0); }

  // A first line in which anything is no number. Numbers with holes between them are a row with holes: to take it for
  // names would lose it without a word.
  [[nodiscard]] bool is_header() const {
    if (options_.header != ReadOptions::Header::automatic) return options_.header == ReadOptions::Header::yes;
    const std::vector<std::string_view>& cells = records_.cells();
    if (std::none_of(cells.begin(), cells.end(), is_number)) return true;
    return !std::all_of(cells.begin(), cells.end(),
                        [](std::string_view cell) { return is_number(cell) || is_missing(cell); });
  }

  [[nodiscard]] bool could_be_names() const {
    return options_.header == ReadOptions::Header::automatic && names_.empty() && store_.rows() == 0;
  }

  [[nodiscard]] std::size_t find_label() const {
    const std::string& wanted = options_.label_column;
    if (wanted.empty()) return 0;
    const auto found = std::find(names_.begin(), names_.end(), wanted);
    if (found != names_.end()) {
      if (std::find(found + 1, names_.end(), wanted) != names_.end())
        throw InputError("label_column", pdbfw::in_quotes(wanted), fmt::format("a name that {} has only once", name_));
      return static_cast<std::size_t>(found - names_.begin());
    }
    const auto count = static_cast<Index>(columns_);
    const Index number = number_from<Index>(wanted).value_or(0);
    if (number == 0 || number > count || number < -count)
      throw InputError(
          "label_column", pdbfw::in_quotes(wanted),
          fmt::format("a name in the first line of {}, or a number in 1 .. {} or -{} .. -1", name_, count, count));
    return static_cast<std::size_t>(number > 0 ? number - 1 : count + number);
  }

  void read_row() {
    const std::size_t cells = records_.cells().size();
    if (cells != columns_)
      records_.fail(std::min(cells - 1, columns_),
                    fmt::format("{} cells where the first line has {}", cells, columns_));
    double target = 0;
    Index feature = 0;
    for (std::size_t j = 0; j < columns_; ++j) {
      if (j == label_)
        target = number(j);
      else
        store_.add(feature++, number(j));
    }
    store_.end_row(target);
  }

  [[nodiscard]] double number(std::size_t j) const {
    const std::string_view cell = records_.cells()[j];
    double value = 0;
    const NumberFault fault = parse_number(cell, value, options_.float32 && j != label_);
    if (fault != NumberFault::none)
      records_.fail(
          j, fmt::format("column {}: {}{}", column_name(j), cell.empty() ? "the cell is empty" : describe(fault, cell),
                         could_be_names() && is_missing(cell) ? "; if this line holds names, header is yes" : ""));
    return value;
  }

  [[nodiscard]] std::string column_name(std::size_t j) const {
    return names_.empty() ? fmt::format("{}", j + 1) : fmt::format("{} ({})", j + 1, pdbfw::in_quotes(names_[j]));
  }

  CsvRecords records_;
  const std::string& name_;
  const ReadOptions& options_;
  TableStore store_;
  std::size_t columns_ = 0;
  std::size_t label_ = 0;  // columns_ when there is none
  std::vector<std::string> names_;
};

}  // namespace

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 8> kMarks = {"", "?", "NA", "na", "N/A", "n/a", "NULL", "null"};
  return std::find(kMarks.begin(), kMarks.end(), cell) != kMarks.end();
}

CsvRecords::CsvRecords(ByteSource& source, std::string name, std::size_t block_bytes, Otherwise otherwise)
    : source_(source), name_(std::move(name)), block_bytes_(block_bytes), otherwise_(otherwise) {}

bool CsvRecords::next() {
  do {
    if (!find_record()) return false;
    if (is_first_ && record_.starts_with(kByteOrderMark)) record_.remove_prefix(kByteOrderMark.size());
  } while (trimmed(record_).empty());
  if (is_first_) find_separator();
  is_first_ = false;
  split();
  return true;
}

// A record ends at the first line end outside quotes.
bool CsvRecords::find_record() {
  line_ = next_line_;
  bool is_quoted = false;
  std::size_t line_end = buffer_.find('\n', begin_);  // kept, because there can be many quotes before it
  for (std::size_t length = 0;;) {
    if (!is_quoted && line_end < begin_ + length) line_end = buffer_.find('\n', begin_ + length);
    const std::size_t newline = is_quoted ? std::string::npos : line_end;
    const std::size_t quote = std::string_view(buffer_).substr(0, newline).find('"', begin_ + length);
    const std::size_t stop = std::min(newline, quote);
    if (stop == std::string::npos) {
      length = buffer_.size() - begin_;
      if (length > kMostRecordBytes)
        throw InputError(fmt::format("{}:{}:1: a record of more than {} bytes (an open quote?)", name_, line_, length));
      if (refill()) {
        line_end = buffer_.find('\n', begin_ + length);
        continue;
      }
      if (length == 0) return false;
      if (is_quoted) throw InputError(fmt::format("{}:{}:1: a quote of this record is never closed", name_, line_));
      record_ = std::string_view(buffer_).substr(begin_, length);
      begin_ = buffer_.size();
      break;
    }
    length = stop - begin_ + 1;
    if (buffer_[stop] == '"') {
      is_quoted = !is_quoted;
      continue;
    }
    record_ = std::string_view(buffer_).substr(begin_, length - 1);
    begin_ = stop + 1;
    break;
  }
  next_line_ = line_ + 1 + std::count(record_.begin(), record_.end(), '\n');
  if (record_.ends_with('\r')) record_.remove_suffix(1);
  return true;
}

// More text behind what is left in the buffer; false when there is none.
bool CsvRecords::refill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  return append_block(source_, block_bytes_, buffer_);
}

void CsvRecords::find_separator() {
  bool is_quoted = false;
  std::string outside;  // quotes
  for (const char c : record_) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted) outside += c;
  }
  separator_ = otherwise_ == Otherwise::blanks ? ' ' : ',';
  for (const char c : {',', ';', '\t'})
    if (outside.find(c) != std::string::npos) separator_ = c;
}

void CsvRecords::split() {
  cells_.clear();
  places_.clear();
  unquoted_.clear();
  if (separator_ == ' ') return split_at_blanks();
  for (std::size_t first = 0;; ++first) {
    const std::size_t text = std::min(record_.find_first_not_of(' ', first), record_.size());
    std::size_t end = 0;
    if (text < record_.size() && record_[text] == '"') {
      end = std::min(record_.find_first_not_of(' ', split_quoted(text)), record_.size());
      if (end < record_.size() && record_[end] != separator_) fail_at(end, kBehindQuote);
    } else {
      end = std::min(record_.find(separator_, first), record_.size());
      split_plain(std::min(text, end), end);
    }
    first = end;
    if (first == record_.size()) return;
  }
}

void CsvRecords::split_at_blanks() {
  std::size_t first = record_.find_first_not_of(kBlanks);
  while (first != record_.npos) {
    std::size_t end = 0;
    if (record_[first] == '"') {
      end = split_quoted(first);
      if (end < record_.size() && kBlanks.find(record_[end]) == kBlanks.npos) fail_at(end, kBehindQuote);
    } else {
      end = std::min(record_.find_first_of(kBlanks, first), record_.size());
      split_plain(first, end);
    }
    first = record_.find_first_not_of(kBlanks, end);
  }
}

// The cell without quotes that lies there.
void CsvRecords::split_plain(std::size_t first, std::size_t end) {
  // Else find_record() would have counted it as one that opens or closes.
  if (const std::size_t quote = record_.substr(0, end).find('"', first); quote != record_.npos)
    fail_at(quote, "a quote inside a cell that does not begin with one");
  add_cell(first, trimmed(record_.substr(first, end - first)));
}

void CsvRecords::add_cell(std::size_t first, std::string_view text) {
  cells_.push_back(text);
  places_.push_back(first);
}

// The cell whose quote opens at `first`; says what comes behind the one that closes it.
std::size_t CsvRecords::split_quoted(std::size_t first) {
  // There is one, or the record would go on: all quotes before this cell stood in pairs.
  std::size_t close = record_.find('"', first + 1);
  std::string* pieces = nullptr;
  std::size_t begin = first + 1;
  while (close + 1 < record_.size() && record_[close + 1] == '"') {
    if (pieces == nullptr) pieces = &unquoted_.emplace_back();
    pieces->append(record_.substr(begin, close + 1 - begin));
    begin = close + 2;
    close = record_.find('"', begin);
  }
  const std::string_view last = record_.substr(begin, close - begin);
  add_cell(first, pieces == nullptr ? trimmed(last) : trimmed(pieces->append(last)));
  return close + 1;
}

void CsvRecords::fail(std::size_t cell, std::string_view message) const {
  fail_at(cell < places_.size() ? places_[cell] : 0, message);
}

void CsvRecords::fail_at(std::size_t place, std::string_view message) const {
  const std::string_view before = record_.substr(0, place);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::size_t column = newline == before.npos ? place : place - newline - 1;
  throw InputError(fmt::format("{}:{}:{}: {}", name_, line_ + lines, column + 1, message));
}

Dataset read_csv(ByteSource& source, const std::string& name, const ReadOptions& options, GivenTargets targets) {
  Dataset data = CsvTable(source, name, options, !targets.has_value()).read();
  if (targets) data.target = targets_for(data.A->rows(), std::move(targets), name, options.needs_targets);
  return data;
}

}  // namespace pdbfw
