// The options --checkpoint, --checkpoint-every and --resume of `train`: what is kept while it runs, and how it goes on.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/fit.hpp"

namespace pdbfw::cli {

// "60s", "10m", "2h" or plain seconds. Throws InputError.
[[nodiscard]] double parse_seconds(std::string_view option, std::string_view text);

// What was kept of the run that is resumed; part of the report.
struct Resumed {
  std::string checkpoint;
  double seconds = 0;
  Index iterations = 0;
};

class CheckpointFlags {
 public:
  void add(CLI::App& parser);

  // Where a checkpoint is to be resumed: reads it, and takes the options that were not given from it. Throws InputError
  // for one that was given otherwise there, unless it is one that may change on the way.
  void take_over();

  [[nodiscard]] bool is_given() const { return !path_.empty() || !resume_.empty(); }
  // Where checkpoints go; empty: none.
  [[nodiscard]] const std::string& path() const { return path_.empty() ? resume_ : path_; }
  [[nodiscard]] const std::string& resumed() const { return resume_; }
  // For fit; what cannot be written is told on standard error.
  [[nodiscard]] FitOptions::CheckpointPlan plan() const;
  // What was kept of the run that is resumed.
  [[nodiscard]] std::optional<Resumed> of_before() const;

 private:
  // Everything that was given and affects what is learnt or how.
  [[nodiscard]] std::vector<Checkpoint::Option> options() const;

  CLI::App* parser_ = nullptr;
  std::string path_, resume_;
  double every_seconds_ = 60;
  std::shared_ptr<const Checkpoint> kept_;
};

}  // namespace pdbfw::cli
