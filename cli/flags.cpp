#include "cli/flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/names.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw::cli {
namespace {

template <class Number>
Number parse(std::string_view option, std::string_view text, std::string_view rule) {
  constexpr std::size_t kLongestQuote = 64;
  Number value{};
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + (has_plus ? 1 : 0), end, value);
  if (error != std::errc() || stop != end)
    throw InputError(option, fmt::format("'{}'", text.substr(0, kLongestQuote)), rule);
  return value;
}

}  // namespace

Index parse_count(std::string_view option, std::string_view text, std::string_view rule) {
  return parse<Index>(option, text, rule);
}

double parse_number(std::string_view option, std::string_view text, std::string_view rule) {
  return parse<double>(option, text, rule);
}

double parse_positive(std::string_view option, std::string_view text) {
  constexpr std::string_view kRule = "a finite number > 0";
  const double number = parse_number(option, text, kRule);
  if (!(number > 0)) throw InputError(option, fmt::format("'{}'", text), kRule);
  return number;
}

std::vector<double> parse_list(std::string_view option, std::string_view text, std::string_view rule) {
  std::vector<double> numbers;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    numbers.push_back(parse_number(option, rest.substr(0, comma), rule));
    if (comma + 1 == rest.size()) throw InputError(option, fmt::format("'{}'", text), rule);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return numbers;
}

std::vector<double> parse_positive_list(std::string_view option, std::string_view text) {
  constexpr std::string_view kRule = "finite numbers > 0, separated by commas";
  std::vector<double> numbers = parse_list(option, text, kRule);
  if (!std::all_of(numbers.begin(), numbers.end(), [](double number) { return number > 0; }))
    throw InputError(option, fmt::format("'{}'", text), kRule);
  return numbers;
}

Index parse_bytes(std::string_view option, std::string_view text) {
  constexpr std::string_view kRule = "a number of bytes, such as 500M or 1.5G";
  constexpr std::string_view kUnits = "KMGT";
  constexpr double kStep = 1024, kMost = 0x1p62;
  std::string_view rest = text;
  for (const std::string_view end : {"iB", "B"})
    if (rest.ends_with(end)) rest.remove_suffix(end.size());
  double factor = 1;
  if (const std::size_t unit = rest.empty() ? kUnits.npos : kUnits.find(rest.back()); unit != kUnits.npos) {
    factor = std::pow(kStep, static_cast<double>(unit + 1));
    rest.remove_suffix(1);
  }
  const double bytes = factor * parse<double>(option, rest, kRule);
  if (!(bytes >= 1 && bytes <= kMost)) throw InputError(option, fmt::format("'{}'", text), kRule);
  return static_cast<Index>(bytes);
}

std::size_t chosen(std::string_view option, std::string_view text, const std::vector<std::string_view>& names) {
  const auto at = std::find(names.begin(), names.end(), text);
  if (at == names.end()) throw_unknown_name(option, text, names);
  return static_cast<std::size_t>(at - names.begin());
}

std::string flag_name(std::string_view field_name) {
  std::string flag = "--" + std::string(field_name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

}  // namespace pdbfw::cli
