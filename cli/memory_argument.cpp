#include "cli/memory_argument.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/machine_memory.hpp"
#include "io/cache/block_reader.hpp"

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

void MemoryArgument::apply(const std::string& path, ReadOptions& options) const {
  if (!memory_) return;
  options.memory = std::min(parse_bytes("memory", *memory_), usable_memory());
  const bool is_one_file = path.find("{rank}") == std::string::npos;
  if (is_one_file && !blocked_shape(path))
    throw InputError("memory", fmt::format("'{}'", *memory_),
                     "only for cache files in blocks, which pdbfw convert --memory writes");
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
