#include "cli/memory_argument.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pdbfw::cli {

void MemoryArgument::add(CLI::App& parser) {
  parser
      .add_option("--memory", memory_,
                  "How much memory the data may take, such as 500M or 2G. A cache file in blocks (see pdbfw convert\n"
                  "--memory) that would take more stays on the disk and is read in every pass over it.\n"
                  "(default: what the machine has, or less where ulimit or a control group says so)")
      ->type_name("SIZE")
      ->group(std::string(kReadingHeading));
}

Dataset MemoryArgument::read(const std::string& path, const ReadOptions& options, int processes) const {
  const std::optional<BlockedShape> shape = blocked_shape(path);
  const Index given = memory_ ? parse_bytes("memory", *memory_) : usable_memory();
  if (memory_ && !shape)
    throw InputError("memory", fmt::format("'{}'", *memory_),
                     "only for cache files in blocks, which pdbfw convert --memory writes");
  if (!shape) return read_dataset(path, options);
  const Index rows = options.rows ? options.rows->last - options.rows->first : shape->rows;
  const double part = static_cast<double>(rows) / static_cast<double>(std::max<Index>(1, shape->rows));
  ReadOptions streaming = options;
  streaming.memory = std::max<Index>(1, std::min(given, usable_memory()) / processes);
  if (shape->bytes_in_memory * part <= static_cast<double>(streaming.memory)) return read_dataset(path, options);
  return open_streamed(path, streaming);
}

void MemoryArgument::refuse_for(std::string_view what) const {
  if (memory_) throw InputError("memory", fmt::format("'{}'", *memory_), fmt::format("none for {}", what));
}

std::string to_text(const RowSource::Traffic& traffic) {
  constexpr double kGiga = 1e9, kMega = 1e6;
  return fmt::format("{} passes, {:.3g} GB read at {:.3g} MB/s, waited for {:.3g} s", traffic.passes,
                     traffic.bytes / kGiga, traffic.bytes / kMega / std::max(traffic.seconds, 1e-9), traffic.waited);
}

Json to_json(const RowSource::Traffic& traffic) {
  return {
      {"passes", traffic.passes}, {"bytes", traffic.bytes}, {"seconds", traffic.seconds}, {"waited", traffic.waited}};
}

}  // namespace pdbfw::cli
