#include "pdbfw/formulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/numbers.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kPerSample = "/n", kNone = "none", kBalanced = "balanced";

// `number` is the part of `text`, the value of `field`, that must be a number.
double number_in(std::string_view number, std::string_view text, std::string_view field, std::string_view rule) {
  const std::optional<double> value = option_from<double>(number);
  if (!value || !std::isfinite(*value) || *value < 0)
    throw InputError(field, fmt::format("'{}'", text.substr(0, 64)), rule);
  return *value;
}

}  // namespace

Ridge Ridge::parse(std::string_view text) {
  const bool per_sample = text.ends_with(kPerSample);
  const std::string_view number = per_sample ? text.substr(0, text.size() - kPerSample.size()) : text;
  return {number_in(number, text, "ridge", "a finite number >= 0, or one followed by /n such as 10/n"), per_sample};
}

std::string Ridge::text() const { return fmt::format("{}{}", value, per_sample ? kPerSample : ""); }

ClassWeight ClassWeight::parse(std::string_view text) {
  if (text == kNone) return {};
  if (text == kBalanced) return {.is_balanced = true};
  const auto weight_in = [text](std::string_view number) {
    return number_in(number, text, "class_weight", "none, balanced, or two finite numbers >= 0 such as 1,5");
  };
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::string_view second = comma < text.size() ? text.substr(comma + 1) : std::string_view{};
  return {weight_in(text.substr(0, comma)), weight_in(second)};
}

std::string ClassWeight::text() const {
  if (is_balanced) return std::string(kBalanced);
  if (is_none()) return std::string(kNone);
  return fmt::format("{},{}", negative, positive);
}

}  // namespace pdbfw
