// Any text as one word of printable ASCII: other bytes, blanks and % itself are written as % and two hexadecimal
// digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pdbfw {

[[nodiscard]] std::string percent_encoded(std::string_view text);

// None when a % is not followed by two hexadecimal digits.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view word);

}  // namespace pdbfw
