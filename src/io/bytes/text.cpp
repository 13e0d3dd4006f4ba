#include "io/bytes/text.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/numbers.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

NumberFault parse_number(std::string_view word, double& value, bool float32) {
  const std::string_view unsigned_word = word.substr(!word.empty() && (word[0] == '+' || word[0] == '-') ? 1 : 0);
  // fast_float takes a minus but no plus; a second sign must not slip through.
  if (unsigned_word.empty() || unsigned_word[0] == '-') return NumberFault::not_a_number;
  const char* const end = word.data() + word.size();
  const auto [stop, code] = fast_float::from_chars(word[0] == '-' ? word.data() : unsigned_word.data(), end, value);
  if (code != std::errc() || stop != end) return NumberFault::not_a_number;
  if (std::isfinite(value))
    return float32 && !std::isfinite(static_cast<float>(value)) ? NumberFault::beyond_float : NumberFault::none;
  const bool is_digits = is_digit(unsigned_word[0]) || unsigned_word[0] == '.';
  return is_digits ? NumberFault::too_large : NumberFault::not_finite;
}

std::string describe(NumberFault fault, std::string_view word) {
  switch (fault) {
    case NumberFault::not_finite:
      return fmt::format("{} is not a finite number", in_quotes(word));
    case NumberFault::too_large:
      return fmt::format("{} is beyond the largest double, about 1.8e308", in_quotes(word));
    case NumberFault::beyond_float:
      return fmt::format("{} is beyond the largest float, about 3.4e38", in_quotes(word));
    default:
      return fmt::format("{} is not a number", in_quotes(word));
  }
}

std::string in_quotes(std::string_view word) {
  constexpr std::size_t kMostShown = 40;
  std::string text = "'";
  for (const char c : word.substr(0, kMostShown)) {
    if (c >= ' ' && c <= '~')
      text += c;
    else
      fmt::format_to(std::back_inserter(text), "\\x{:02x}", static_cast<unsigned char>(c));
  }
  return text + (word.size() > kMostShown ? "...'" : "'");
}

bool LineBlocks::next(std::string& block) {
  block.swap(rest_);
  rest_.clear();
  for (;;) {
    const std::size_t old_size = block.size();
    if (!append_block(source_, block_bytes_, block)) {
      if (!block.empty()) block += '\n';
      return !block.empty();
    }
    const std::size_t newline = std::string_view(block).substr(old_size).rfind('\n');
    if (newline == std::string_view::npos) {
      if (block.size() <= most_line_bytes_) continue;
      throw InputError(fmt::format("{}: a line of more than {} bytes", name_, most_line_bytes_));
    }
    rest_.assign(block, old_size + newline + 1);
    block.resize(old_size + newline + 1);
    return true;
  }
}

namespace {

constexpr std::size_t kTextBlockBytes = std::size_t{1} << 16U;
constexpr std::string_view kBlanks = " \t\r";

}  // namespace

TextLines::TextLines(ByteSource& source, std::string name)
    : name_(std::move(name)), blocks_(source, name_, kTextBlockBytes) {}

bool TextLines::next() {
  if (unread_.empty()) {
    line_ = rest_ = {};
    if (!blocks_.next(block_)) return false;
    unread_ = block_;
  }
  const std::size_t size = unread_.find('\n');  // blocks end with one
  line_ = rest_ = unread_.substr(0, size);
  unread_.remove_prefix(size + 1);
  ++number_;
  return true;
}

std::string_view TextLines::word() {
  const std::size_t first = std::min(rest_.find_first_not_of(kBlanks), rest_.size());
  rest_.remove_prefix(first);
  const std::string_view found = rest_.substr(0, rest_.find_first_of(kBlanks));
  rest_.remove_prefix(found.size());
  return found;
}

double TextLines::number_in(std::string_view word, std::string_view what, bool float32) const {
  double value = 0;
  const NumberFault fault = parse_number(word, value, float32);
  if (fault != NumberFault::none) fail(word, fmt::format("{} {}", what, describe(fault, word)));
  return value;
}

double TextLines::number(std::string_view what) { return number_in(word(), what); }

double TextLines::number_or_infinity(std::string_view what, std::string_view infinity) {
  const std::string_view text = word();
  return text == infinity ? std::copysign(HUGE_VAL, infinity[0] == '-' ? -1 : 1) : number_in(text, what);
}

Index TextLines::whole_number(std::string_view what) {
  const std::string_view text = word();
  const std::optional<Index> value = number_from<Index>(text);
  if (!value || *value < 0)
    fail(text, fmt::format("{} {} is not a whole number from 0 to 2^63 - 1", what, in_quotes(text)));
  return *value;
}

void TextLines::end_line() {
  const std::string_view text = word();
  if (!text.empty()) fail(text, fmt::format("{} is one word too many", in_quotes(text)));
}

void TextLines::fail(std::string_view word, std::string_view message) const {
  throw InputError(fmt::format("{}:{}:{}: {}", name_, number_, word.data() - line_.data() + 1, message));
}

void TextLines::fail_at_end(std::string_view message) const {
  throw InputError(fmt::format("{}:{}:1: {}", name_, number_ + 1, message));
}

std::string percent_encoded(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (c > ' ' && c <= '~' && c != '%')
      word += c;
    else
      fmt::format_to(std::back_inserter(word), "%{:02X}", static_cast<unsigned char>(c));
  }
  return word;
}

std::optional<std::string> percent_decoded(std::string_view word) {
  constexpr std::size_t kDigits = 2;
  constexpr int kBase = 16;
  std::string text;
  for (std::size_t k = 0; k < word.size(); ++k) {
    if (word[k] != '%') {
      text += word[k];
      continue;
    }
    const std::string_view digits = word.substr(k + 1, kDigits);
    unsigned char byte = 0;
    const auto [stop, code] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, kBase);
    if (digits.size() != kDigits || code != std::errc() || stop != digits.data() + kDigits) return std::nullopt;
    text += static_cast<char>(byte);
    k += kDigits;
  }
  return text;
}

}  // namespace pdbfw
