#include "io/bytes/percent_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <system_error>

namespace pdbfw {

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
