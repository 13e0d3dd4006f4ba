// The text of class weights: "none", "balanced" or "1,5".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pdbfw/formulation.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kNone = "none", kBalanced = "balanced";

double weight_in(std::string_view number, std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool is_number = error == std::errc() && end == number.data() + number.size();
  if (!is_number || !std::isfinite(value) || value < 0)
    throw InputError("class_weight", fmt::format("'{}'", text.substr(0, 64)),
                     "none, balanced, or two finite numbers >= 0 such as 1,5");
  return value;
}

}  // namespace

ClassWeight parse_class_weight(std::string_view text) {
  if (text == kNone) return {};
  if (text == kBalanced) return {.is_balanced = true};
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::string_view second = comma < text.size() ? text.substr(comma + 1) : std::string_view{};
  return {weight_in(text.substr(0, comma), text), weight_in(second, text)};
}

std::string to_string(const ClassWeight& weight) {
  if (weight.is_balanced) return std::string(kBalanced);
  if (weight.is_none()) return std::string(kNone);
  return fmt::format("{},{}", weight.negative, weight.positive);
}

}  // namespace pdbfw
