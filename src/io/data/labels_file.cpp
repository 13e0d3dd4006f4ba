#include "io/data/labels_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/bytes/decimal.hpp"
#include "io/bytes/input_stream.hpp"
#include "io/bytes/text_lines.hpp"
#include "io/data/idx_reader.hpp"
#include "io/data/npy_reader.hpp"
#include "io/data/read_options.hpp"

namespace pdbfw {
namespace {

std::vector<double> labels_in(InputStream& stream) {
  const std::string_view head = stream.peek(kFormatBytes);
  if (is_npy(head)) return npy_labels(read_npy_array(stream, stream.name()));
  if (is_idx(head)) return read_idx_labels(stream, stream.name());
  return read_label_lines(stream, stream.name());
}

}  // namespace

std::vector<double> read_label_lines(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  std::vector<double> labels;
  while (lines.next()) {
    const std::string_view word = lines.word();
    if (word.empty()) continue;
    const NumberFault fault = parse_number(word, labels.emplace_back());
    if (fault != NumberFault::none) lines.fail(word, "label " + describe(fault, word));
    lines.end_line();
  }
  return labels;
}

std::vector<double> read_labels(const std::string& path) {
  InputStream stream(path);
  std::vector<double> labels = labels_in(stream);
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!std::isfinite(labels[i]))
      throw InputError(fmt::format("{}: label {} is {}, not a finite number", stream.name(), i + 1, labels[i]));
  return labels;
}

}  // namespace pdbfw
