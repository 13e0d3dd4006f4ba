// The text of a ridge: "0.01" or "10/n".
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "pdbfw/formulation.hpp"

namespace pdbfw {

Ridge parse_ridge(std::string_view text) {
  constexpr std::string_view kPerSample = "/n";
  const bool per_sample = text.ends_with(kPerSample);
  const std::string_view number = per_sample ? text.substr(0, text.size() - kPerSample.size()) : text;
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool is_number = error == std::errc() && end == number.data() + number.size();
  if (!is_number || !std::isfinite(value) || value < 0)
    throw InputError("ridge", fmt::format("'{}'", text.substr(0, 64)),
                     "a finite number >= 0, or one followed by /n such as 10/n");
  return {value, per_sample};
}

std::string to_string(const Ridge& ridge) { return fmt::format("{}{}", ridge.value, ridge.per_sample ? "/n" : ""); }

}  // namespace pdbfw
