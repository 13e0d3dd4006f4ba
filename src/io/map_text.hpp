// What the files of the maps have in common (docs/features.md): `pdbfw-KIND 1`, lines `key value` in a fixed order, and
// `end`. Mistakes throw InputError "file:line:column: what is wrong".
#pragma once

#include <string>
#include <string_view>

#include "io/text_lines.hpp"

namespace pdbfw {

inline constexpr std::string_view kEndOfMap = "end";

struct MapKind {
  std::string_view magic;  // the first word
  std::string_view what;   // how messages call such a file: "a map of random binning"
};

// The first line of the file `name`.
void read_map_head(TextLines& lines, const std::string& name, const MapKind& kind);

// The next line, which must be there.
void next_map_line(TextLines& lines);

// The next line must begin with this word.
void expect_key(TextLines& lines, std::string_view key);

// Lines `key value`.
[[nodiscard]] Index read_count(TextLines& lines, std::string_view key);
[[nodiscard]] double read_positive(TextLines& lines, std::string_view key);

// The next line must be `end`, and the last one.
void read_map_end(TextLines& lines);

}  // namespace pdbfw
