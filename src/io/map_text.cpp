#include "io/map_text.hpp"

#include <fmt/format.h>

#include "io/decimal.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kVersion1 = "1";

}  // namespace

void read_map_head(TextLines& lines, const std::string& name, const MapKind& kind) {
  if (!lines.next()) throw InputError(fmt::format("{}: the file is empty", name));
  const std::string_view word = lines.word();
  if (word != kind.magic)
    lines.fail(word, fmt::format("{} does not start {} ('{} 1')", in_quotes(word), kind.what, kind.magic));
  const std::string_view version = lines.word();
  if (version != kVersion1)
    lines.fail(version, fmt::format("version {} is not known; this pdbfw reads version 1", in_quotes(version)));
  lines.end_line();
}

void next_map_line(TextLines& lines) {
  if (!lines.next()) lines.fail_at_end("the file ends before its line 'end' (truncated file?)");
}

void expect_key(TextLines& lines, std::string_view key) {
  next_map_line(lines);
  const std::string_view word = lines.word();
  if (word != key) lines.fail(word, fmt::format("{} where the key '{}' must be", in_quotes(word), key));
}

Index read_count(TextLines& lines, std::string_view key) {
  expect_key(lines, key);
  const Index count = lines.whole_number(key);
  lines.end_line();
  return count;
}

double read_positive(TextLines& lines, std::string_view key) {
  expect_key(lines, key);
  const double number = lines.number(key);
  if (!(number > 0)) lines.fail_line(fmt::format("{} {} is not above 0", key, number));
  lines.end_line();
  return number;
}

void read_map_end(TextLines& lines) {
  expect_key(lines, kEndOfMap);
  lines.end_line();
  if (lines.next()) lines.fail_line("text after the line 'end'");
}

}  // namespace pdbfw
