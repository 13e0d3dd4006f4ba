#include "io/bytes/decimal.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <system_error>

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

}  // namespace pdbfw
