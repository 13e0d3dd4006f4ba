#include "io/random_fourier_text.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>

#include "io/input_stream.hpp"
#include "io/map_text.hpp"
#include "io/output_file.hpp"
#include "io/text_lines.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw {
namespace {

constexpr MapKind kKind = {"pdbfw-random-fourier", "a map of random Fourier features"};

// `read` throws InputError without a place.
template <class Read>
auto at_line(TextLines& lines, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    lines.fail_line(error.what());
  }
}

Kernel read_kernel(TextLines& lines) {
  expect_key(lines, "kernel");
  const std::string_view name = lines.word();
  lines.end_line();
  return at_line(lines, [&] { return kernel_of(name); });
}

Index read_features(TextLines& lines) {
  const Index features = read_count(lines, "features");
  at_line(lines, [&] { validate(RandomFourierOptions{.features = features}); });
  return features;
}

}  // namespace

// The frequencies grow with the lines that are there, never with a count that was stated.
RandomFourier read_random_fourier_from(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  read_map_head(lines, name, kKind);
  RandomFourier map;
  map.kernel = read_kernel(lines);
  map.gamma = read_positive(lines, "gamma");
  map.columns = read_count(lines, "columns");
  map.features = read_features(lines);
  for (Index j = 0; j < map.columns; ++j) {
    next_map_line(lines);
    for (Index k = 0; k < map.features / 2; ++k) map.frequency.push_back(lines.number("frequency"));
    lines.end_line();
  }
  read_map_end(lines);
  return map;
}

RandomFourier parse_random_fourier(std::string_view text, const std::string& name) {
  MemorySource source(text);
  return read_random_fourier_from(source, name);
}

void write_random_fourier_to(TextSink& sink, const RandomFourier& map) {
  validate(map);
  sink.write(fmt::format("{} 1\nkernel {}\ngamma {}\ncolumns {}\nfeatures {}\n", kKind.magic, name_of(map.kernel),
                         map.gamma, map.columns, map.features));
  const auto half = static_cast<std::size_t>(map.features / 2);
  std::string line;
  for (std::size_t first = 0; first < map.frequency.size(); first += half) {
    line.clear();
    for (std::size_t k = first; k < first + half; ++k)
      fmt::format_to(std::back_inserter(line), FMT_COMPILE("{} "), map.frequency[k]);
    line.back() = '\n';
    sink.write(line);
  }
  sink.write("end\n");
}

RandomFourier read_random_fourier(const std::string& path) {
  InputStream stream(path);
  return read_random_fourier_from(stream, stream.name());
}

void write_random_fourier(const std::string& path, const RandomFourier& map) {
  OutputFile file(path);
  write_random_fourier_to(file, map);
  file.commit();
}

}  // namespace pdbfw
