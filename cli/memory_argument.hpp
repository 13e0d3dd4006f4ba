// The option --memory of commands that can work on data larger than memory.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/console.hpp"
#include "cli/options.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw::cli {

class MemoryArgument {
 public:
  void add(CLI::App& parser);

  // Puts it into the options of read_samples, which streams what would take more. Throws InputError for files that
  // cannot be streamed.
  void apply(const std::string& path, ReadOptions& options) const;
  // Throws InputError if it was given: for `what` data are in memory always.
  void refuse_for(std::string_view what) const;

 private:
  std::optional<std::string> memory_{};
};

// What has been read of streamed data so far: "3 passes, 60.1 GB at 1200 MB/s; waited 1.2 of 50 seconds".
[[nodiscard]] std::string to_text(const RowSource::Traffic& traffic);
[[nodiscard]] Json to_json(const RowSource::Traffic& traffic);

}  // namespace pdbfw::cli
