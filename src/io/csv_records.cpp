#include "io/csv_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pdbfw {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t";
constexpr std::size_t kMostRecordBytes = std::size_t{1} << 28U;  // an open quote must not swallow a large file

// Without the blanks around it.
std::string_view trimmed(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

}  // namespace

CsvRecords::CsvRecords(ByteSource& source, std::string name, std::size_t block_bytes)
    : source_(source), name_(std::move(name)), block_bytes_(block_bytes) {}

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
  if (is_at_end_) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  const std::size_t before = buffer_.size();
  std::size_t filled = before;
  buffer_.resize(before + block_bytes_);
  while (filled < buffer_.size() && !is_at_end_) {
    const std::size_t got = source_.read(std::span(buffer_).subspan(filled));
    is_at_end_ = got == 0;
    filled += got;
  }
  buffer_.resize(filled);
  return filled > before;
}

void CsvRecords::find_separator() {
  bool is_quoted = false;
  for (const char c : record_) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '\t') separator_ = '\t';
    if (c == ';' && separator_ != '\t') separator_ = ';';
  }
}

void CsvRecords::split() {
  cells_.clear();
  places_.clear();
  unquoted_.clear();
  for (std::size_t first = 0;; ++first) {
    const std::size_t text = std::min(record_.find_first_not_of(' ', first), record_.size());
    if (text < record_.size() && record_[text] == '"') {
      first = split_quoted(text);
    } else {
      const std::size_t end = std::min(record_.find(separator_, first), record_.size());
      // Else find_record() would have counted it as one that opens or closes.
      if (const std::size_t quote = record_.substr(0, end).find('"', first); quote != record_.npos)
        fail_at(quote, "a quote inside a cell that does not begin with one");
      add_cell(text, trimmed(record_.substr(first, end - first)));
      first = end;
    }
    if (first == record_.size()) return;
  }
}

void CsvRecords::add_cell(std::size_t first, std::string_view text) {
  cells_.push_back(text);
  places_.push_back(first);
}

// The cell whose quote opens at `first`; says where it ends.
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
  const std::size_t end = std::min(record_.find_first_not_of(' ', close + 1), record_.size());
  if (end < record_.size() && record_[end] != separator_)
    fail_at(end, "something follows the quote that closes a cell");
  return end;
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

}  // namespace pdbfw
