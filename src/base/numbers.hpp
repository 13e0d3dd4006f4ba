// Numbers that are all of a text, read exactly, whatever the locale.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace pdbfw {

// None where anything else stands in the text, a plus too, or the number does not fit.
template <class Number>
[[nodiscard]] std::optional<Number> number_from(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The same for options, which may have a plus, as data files may. A second sign stays wrong.
template <class Number>
[[nodiscard]] std::optional<Number> option_from(std::string_view text) {
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return number_from<Number>(text.substr(has_plus ? 1 : 0));
}

}  // namespace pdbfw
