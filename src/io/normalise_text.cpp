#include "io/normalise_text.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include "io/input_stream.hpp"
#include "io/map_text.hpp"
#include "io/output_file.hpp"
#include "io/text_lines.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {
namespace {

constexpr MapKind kKind = {"pdbfw-normalisation", "a normalisation"};

// A line `key name`; rule_of throws InputError without a place.
template <class RuleOf>
auto read_rule(TextLines& lines, std::string_view key, const RuleOf& rule_of) {
  expect_key(lines, key);
  const std::string_view name = lines.word();
  lines.end_line();
  try {
    return rule_of(name);
  } catch (const InputError& error) {
    lines.fail_line(error.what());
  }
}

void read_column(TextLines& lines, Normalisation& map) {
  next_map_line(lines);
  const double centre = lines.number("centre");
  const double scale = lines.number("scale");
  lines.end_line();
  if (!(scale > 0)) lines.fail_line(fmt::format("scale {} is not above 0", scale));
  if (centre != 0 && !map.fills_in())
    lines.fail_line(fmt::format("centre {} is not 0, but nothing is centred", centre));
  map.centre.push_back(centre);
  map.scale.push_back(scale);
}

}  // namespace

// The vectors grow with the lines that are there, never with a count that was stated.
Normalisation read_normalisation_from(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  read_map_head(lines, name, kKind);
  Normalisation map;
  map.options.rows = read_rule(lines, "rows", row_rule_of);
  map.options.columns = read_rule(lines, "columns", column_rule_of);
  const Index width = read_count(lines, "width");
  if (width > 0 && map.options.columns == ColumnRule::none)
    lines.fail_line(fmt::format("width {} is not 0, but there is no rule for the columns", width));
  for (Index j = 0; j < width; ++j) read_column(lines, map);
  read_map_end(lines);
  return map;
}

Normalisation parse_normalisation(std::string_view text, const std::string& name) {
  MemorySource source(text);
  return read_normalisation_from(source, name);
}

void write_normalisation_to(TextSink& sink, const Normalisation& map) {
  validate(map);
  sink.write(fmt::format("{} 1\nrows {}\ncolumns {}\nwidth {}\n", kKind.magic, name_of(map.options.rows),
                         name_of(map.options.columns), map.scale.size()));
  for (std::size_t j = 0; j < map.scale.size(); ++j)
    sink.write(fmt::format(FMT_COMPILE("{} {}\n"), map.centre[j], map.scale[j]));
  sink.write("end\n");
}

Normalisation read_normalisation(const std::string& path) {
  InputStream stream(path);
  return read_normalisation_from(stream, stream.name());
}

void write_normalisation(const std::string& path, const Normalisation& map) {
  OutputFile file(path);
  write_normalisation_to(file, map);
  file.commit();
}

}  // namespace pdbfw
