#include "io/libsvm_writer.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <variant>

#include "io/output_file.hpp"
#include "io/targets.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {
namespace {

// Floats are widened first: then a reader gets the same number whether it keeps floats or doubles.
template <class Line>
void append_row(double target, const Line& line, std::string& text) {
  fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}"), target);
  for (Index k = 0; k < line.size; ++k)
    fmt::format_to(std::back_inserter(text), FMT_COMPILE(" {}:{}"), line.index(k) + 1,
                   static_cast<double>(line.value[k]));
  text += '\n';
}

}  // namespace

void write_libsvm(TextSink& sink, const Dataset& data) {
  check_targets(data);
  std::string text;
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < rows.count; ++i) {
          text.clear();
          append_row(data.target[static_cast<std::size_t>(i)], rows[i], text);
          sink.write(text);
        }
      },
      data.A->by_row());
}

void write_dataset(const std::string& path, const Dataset& data) {
  OutputFile file(path);
  write_libsvm(file, data);
  file.commit();
}

}  // namespace pdbfw
