// Every file is a line `pdbfw-KIND 1`, lines `key value` in a fixed order, numbers, and a line `end`. What is read
// grows with the lines that are there, never with a count that one of them states.
#include "io/features/features_text.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "data/learners.hpp"
#include "io/bytes/input.hpp"
#include "io/bytes/output_file.hpp"
#include "io/bytes/text.hpp"

namespace pdbfw {
namespace {

struct FileKind {
  std::string_view magic;  // the first word
  std::string_view what;   // how messages call such a file
};
constexpr FileKind kind_of(const Normalisation&) { return {"pdbfw-normalisation", "a normalisation"}; }
constexpr FileKind kind_of(const RandomBinning&) { return {"pdbfw-random-binning", "a map of random binning"}; }
constexpr FileKind kind_of(const RandomFourier&) {
  return {"pdbfw-random-fourier", "a map of random Fourier features"};
}

// What the kinds share.

void read_head(TextLines& lines, const std::string& name, const FileKind& kind) {
  if (!lines.next()) throw InputError(fmt::format("{}: the file is empty", name));
  const std::string_view word = lines.word();
  if (word != kind.magic)
    lines.fail(word, fmt::format("{} does not start {} ('{} 1')", in_quotes(word), kind.what, kind.magic));
  const std::string_view version = lines.word();
  if (version != "1")
    lines.fail(version, fmt::format("version {} is not known; this pdbfw reads version 1", in_quotes(version)));
  lines.end_line();
}

void next_line(TextLines& lines) {
  if (!lines.next()) lines.fail_at_end("the file ends before its line 'end' (truncated file?)");
}

void expect_key(TextLines& lines, std::string_view key) {
  next_line(lines);
  const std::string_view word = lines.word();
  if (word != key) lines.fail(word, fmt::format("{} where the key '{}' must be", in_quotes(word), key));
}

void read_end(TextLines& lines) {
  expect_key(lines, "end");
  lines.end_line();
  if (lines.next()) lines.fail_line("text after the line 'end'");
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

// Two numbers on a line of their own.
std::pair<double, double> read_pair(TextLines& lines, std::string_view first, std::string_view second) {
  next_line(lines);
  const double number = lines.number(first), other = lines.number(second);
  lines.end_line();
  return {number, other};
}

// What `check` throws, with the place in front.
template <class Check>
auto at_line(const TextLines& lines, const Check& check) {
  try {
    return check();
  } catch (const InputError& error) {
    lines.fail_line(error.what());
  }
}

// A line `key name`; `of_name` throws InputError without a place.
template <class OfName>
auto read_name(TextLines& lines, std::string_view key, const OfName& of_name) {
  expect_key(lines, key);
  const std::string_view name = lines.word();
  lines.end_line();
  return at_line(lines, [&] { return of_name(name); });
}

// Normalisation.

void read_body(TextLines& lines, Normalisation& map) {
  map.options.rows = read_name(lines, "rows", row_rule_of);
  map.options.columns = read_name(lines, "columns", column_rule_of);
  const Index width = read_count(lines, "width");
  if (width > 0 && map.options.columns == Normalisation::Columns::none)
    lines.fail_line(fmt::format("width {} is not 0, but there is no rule for the columns", width));
  for (Index j = 0; j < width; ++j) {
    const auto [centre, scale] = read_pair(lines, "centre", "scale");
    if (!(scale > 0)) lines.fail_line(fmt::format("scale {} is not above 0", scale));
    if (centre != 0 && !map.fills_in())
      lines.fail_line(fmt::format("centre {} is not 0, but nothing is centred", centre));
    map.centre.push_back(centre);
    map.scale.push_back(scale);
  }
}

void write_body(TextSink& sink, const Normalisation& map) {
  sink.write(fmt::format("rows {}\ncolumns {}\nwidth {}\n", name_of(map.options.rows), name_of(map.options.columns),
                         map.scale.size()));
  for (std::size_t j = 0; j < map.scale.size(); ++j)
    sink.write(fmt::format(FMT_COMPILE("{} {}\n"), map.centre[j], map.scale[j]));
}

// Random binning.

bool parse_half(std::string_view digits, std::uint64_t& half) {
  const char* const end = digits.data() + digits.size();
  const auto [stop, code] = std::from_chars(digits.data(), end, half, 16);
  return code == std::errc() && stop == end;
}

RandomBinning::Bin read_bin(TextLines& lines) {
  constexpr std::size_t kHalf = 16;  // hexadecimal digits of 64 bits
  next_line(lines);
  const std::string_view word = lines.word();
  RandomBinning::Bin bin;
  if (word.size() != 2 * kHalf || !parse_half(word.substr(0, kHalf), bin.high) ||
      !parse_half(word.substr(kHalf), bin.low))
    lines.fail(word, fmt::format("bin {} is not of 32 hexadecimal digits", in_quotes(word)));
  lines.end_line();
  return bin;
}

RandomBinning::Grid read_grid(TextLines& lines, Index columns) {
  const Index count = read_count(lines, "bins");
  RandomBinning::Grid grid;
  for (Index j = 0; j < columns; ++j) {
    const auto [pitch, shift] = read_pair(lines, "pitch", "shift");
    if (!(shift >= 0 && shift < pitch))
      lines.fail_line(fmt::format("pitch {}, shift {}: a shift is at least 0 and below its pitch", pitch, shift));
    grid.pitch.push_back(pitch);
    grid.shift.push_back(shift);
  }
  std::unordered_set<RandomBinning::Bin> seen;
  for (Index k = 0; k < count; ++k) {
    grid.bins.push_back(read_bin(lines));
    if (!seen.insert(grid.bins.back()).second) lines.fail_line("this bin stands twice in its grid");
  }
  return grid;
}

void read_body(TextLines& lines, RandomBinning& map) {
  map.gamma = read_positive(lines, "gamma");
  map.columns = read_count(lines, "columns");
  const Index grids = read_count(lines, "grids");
  if (grids == 0) lines.fail_line("a map has at least one grid");
  for (Index g = 0; g < grids; ++g) map.grids.push_back(read_grid(lines, map.columns));
}

void write_body(TextSink& sink, const RandomBinning& map) {
  sink.write(fmt::format("gamma {}\ncolumns {}\ngrids {}\n", map.gamma, map.columns, map.grids.size()));
  for (const RandomBinning::Grid& grid : map.grids) {
    sink.write(fmt::format("bins {}\n", grid.bins.size()));
    for (std::size_t j = 0; j < grid.pitch.size(); ++j)
      sink.write(fmt::format(FMT_COMPILE("{} {}\n"), grid.pitch[j], grid.shift[j]));
    for (const RandomBinning::Bin& bin : grid.bins)
      sink.write(fmt::format(FMT_COMPILE("{:016x}{:016x}\n"), bin.high, bin.low));
  }
}

// Random Fourier features.

void read_body(TextLines& lines, RandomFourier& map) {
  map.kernel = read_name(lines, "kernel", kernel_of);
  map.gamma = read_positive(lines, "gamma");
  map.columns = read_count(lines, "columns");
  map.features = read_count(lines, "features");
  at_line(lines, [&] { validate(RandomFourierOptions{.features = map.features}); });
  for (Index j = 0; j < map.columns; ++j) {
    next_line(lines);
    for (Index k = 0; k < map.features / 2; ++k) map.frequency.push_back(lines.number("frequency"));
    lines.end_line();
  }
}

void write_body(TextSink& sink, const RandomFourier& map) {
  sink.write(fmt::format("kernel {}\ngamma {}\ncolumns {}\nfeatures {}\n", name_of(map.kernel), map.gamma, map.columns,
                         map.features));
  const auto half = static_cast<std::size_t>(map.features / 2);
  std::string line;
  for (std::size_t first = 0; first < map.frequency.size(); first += half) {
    line.clear();
    for (std::size_t k = first; k < first + half; ++k)
      fmt::format_to(std::back_inserter(line), FMT_COMPILE("{} "), map.frequency[k]);
    line.back() = '\n';
    sink.write(line);
  }
}

}  // namespace

template <class Features>
Features read_features_from(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  Features features;
  read_head(lines, name, kind_of(features));
  read_body(lines, features);
  read_end(lines);
  return features;
}

template <class Features>
void write_features_to(TextSink& sink, const Features& features) {
  validate(features);
  sink.write(fmt::format("{} 1\n", kind_of(features).magic));
  write_body(sink, features);
  sink.write("end\n");
}

template <class Features>
Features read_features(const std::string& path) {
  InputStream stream(path);
  return read_features_from<Features>(stream, stream.name());
}

template <class Features>
void write_features(const std::string& path, const Features& features) {
  write_whole_file(path, [&](OutputFile& file) { write_features_to(file, features); });
}

template Normalisation read_features_from(ByteSource&, const std::string&);
template RandomBinning read_features_from(ByteSource&, const std::string&);
template RandomFourier read_features_from(ByteSource&, const std::string&);
template Normalisation read_features(const std::string&);
template RandomBinning read_features(const std::string&);
template RandomFourier read_features(const std::string&);
template void write_features_to(TextSink&, const Normalisation&);
template void write_features_to(TextSink&, const RandomBinning&);
template void write_features_to(TextSink&, const RandomFourier&);
template void write_features(const std::string&, const Normalisation&);
template void write_features(const std::string&, const RandomBinning&);
template void write_features(const std::string&, const RandomFourier&);

}  // namespace pdbfw
