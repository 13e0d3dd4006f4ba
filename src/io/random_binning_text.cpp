#include "io/random_binning_text.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <charconv>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "io/decimal.hpp"
#include "io/input_stream.hpp"
#include "io/map_text.hpp"
#include "io/output_file.hpp"
#include "io/text_lines.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {
namespace {

constexpr MapKind kKind = {"pdbfw-random-binning", "a map of random binning"};
constexpr std::size_t kHalf = 16;  // hexadecimal digits of 64 bits

void read_column(TextLines& lines, RandomGrid& grid) {
  next_map_line(lines);
  const double pitch = lines.number("pitch");
  const double shift = lines.number("shift");
  lines.end_line();
  if (!(shift >= 0 && shift < pitch))
    lines.fail_line(fmt::format("pitch {}, shift {}: a shift is at least 0 and below its pitch", pitch, shift));
  grid.pitch.push_back(pitch);
  grid.shift.push_back(shift);
}

bool parse_half(std::string_view digits, std::uint64_t& half) {
  const char* const end = digits.data() + digits.size();
  const auto [stop, code] = std::from_chars(digits.data(), end, half, 16);
  return code == std::errc() && stop == end;
}

BinHash read_bin(TextLines& lines) {
  next_map_line(lines);
  const std::string_view word = lines.word();
  BinHash bin;
  if (word.size() != 2 * kHalf || !parse_half(word.substr(0, kHalf), bin.high) ||
      !parse_half(word.substr(kHalf), bin.low))
    lines.fail(word, fmt::format("bin {} is not of 32 hexadecimal digits", in_quotes(word)));
  lines.end_line();
  return bin;
}

// The vectors grow with the lines that are there, never with a count that was stated.
RandomGrid read_grid(TextLines& lines, Index columns) {
  const Index count = read_count(lines, "bins");
  RandomGrid grid;
  for (Index j = 0; j < columns; ++j) read_column(lines, grid);
  std::unordered_set<BinHash> seen;
  for (Index k = 0; k < count; ++k) {
    grid.bins.push_back(read_bin(lines));
    if (!seen.insert(grid.bins.back()).second) lines.fail_line("this bin stands twice in its grid");
  }
  return grid;
}

}  // namespace

RandomBinning read_random_binning_from(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  read_map_head(lines, name, kKind);
  RandomBinning map;
  map.gamma = read_positive(lines, "gamma");
  map.columns = read_count(lines, "columns");
  const Index grids = read_count(lines, "grids");
  if (grids == 0) lines.fail_line("a map has at least one grid");
  for (Index g = 0; g < grids; ++g) map.grids.push_back(read_grid(lines, map.columns));
  read_map_end(lines);
  return map;
}

RandomBinning parse_random_binning(std::string_view text, const std::string& name) {
  MemorySource source(text);
  return read_random_binning_from(source, name);
}

void write_random_binning_to(TextSink& sink, const RandomBinning& map) {
  validate(map);
  sink.write(
      fmt::format("{} 1\ngamma {}\ncolumns {}\ngrids {}\n", kKind.magic, map.gamma, map.columns, map.grids.size()));
  for (const RandomGrid& grid : map.grids) {
    sink.write(fmt::format("bins {}\n", grid.bins.size()));
    for (std::size_t j = 0; j < grid.pitch.size(); ++j)
      sink.write(fmt::format(FMT_COMPILE("{} {}\n"), grid.pitch[j], grid.shift[j]));
    for (const BinHash& bin : grid.bins) sink.write(fmt::format(FMT_COMPILE("{:016x}{:016x}\n"), bin.high, bin.low));
  }
  sink.write("end\n");
}

RandomBinning read_random_binning(const std::string& path) {
  InputStream stream(path);
  return read_random_binning_from(stream, stream.name());
}

void write_random_binning(const std::string& path, const RandomBinning& map) {
  OutputFile file(path);
  write_random_binning_to(file, map);
  file.commit();
}

}  // namespace pdbfw
