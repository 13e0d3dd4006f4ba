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

  // DATA in memory; or streamed, if it is a cache file in blocks that would take more than there is or is given.
  [[nodiscard]] Dataset read(const DataArgument& data, const ReadOptions& options) const;

 private:
  std::optional<std::string> memory_{};
};

// What has been read of streamed data so far: "3 passes, 60.1 GB at 1200 MB/s; waited 1.2 of 50 seconds".
[[nodiscard]] std::string to_text(const RowSource::Traffic& traffic);
[[nodiscard]] Json to_json(const RowSource::Traffic& traffic);

}  // namespace pdbfw::cli
