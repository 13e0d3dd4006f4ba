// The options --checkpoint, --checkpoint-every and --resume of `train`: what is kept while it runs, and how it goes on.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/console.hpp"
#include "pdbfw/checkpoint.hpp"
#include "pdbfw/formulation.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw::cli {

// "60s", "10m", "2h" or plain seconds. Throws InputError.
[[nodiscard]] double parse_seconds(std::string_view option, std::string_view text);

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
  [[nodiscard]] double every_seconds() const { return every_seconds_; }
  [[nodiscard]] const std::optional<Checkpoint>& kept() const { return kept_; }
  // Everything that was given and has a say in what is learnt or how.
  [[nodiscard]] std::vector<CheckpointOption> options() const;
  // Throws InputError where this cannot be kept.
  void refuse_for(std::string_view what) const;

 private:
  CLI::App* parser_ = nullptr;
  std::string path_, resume_;
  double every_seconds_ = 60;
  std::optional<Checkpoint> kept_;
};

// What was kept of the run that is resumed; part of the report.
struct Resumed {
  std::string checkpoint;
  double seconds = 0;
  Index iterations = 0;
};
// "run.checkpoint: after 12.5 seconds and 40 iterations"
[[nodiscard]] std::string to_text(const Resumed& resumed);
[[nodiscard]] Json to_json(const std::optional<Resumed>& resumed);

// One run, with checkpoints once it has begun. What cannot be written is told once, and the run goes on.
class CheckpointedRun {
 public:
  // Of several processes the first one writes.
  explicit CheckpointedRun(TeamPtr team = {}) : team_(std::move(team)) {}
  CheckpointedRun(const CheckpointedRun&) = delete;
  CheckpointedRun& operator=(const CheckpointedRun&) = delete;

  // `inputs` as from inputs_of; the flags must outlive the run. Throws InputError when the checkpoint to be resumed was
  // made from other data or other inputs.
  void begin(const CheckpointFlags& flags, const DataFingerprint& data, std::vector<CheckpointOption> inputs);

  // Where to begin; nothing without a checkpoint to resume, or with one of the other family.
  [[nodiscard]] Start point() const;
  [[nodiscard]] low_rank::Start matrix() const;
  [[nodiscard]] std::optional<Resumed> resumed() const;
  // The same settings, with checkpoints; good as long as the run lives.
  [[nodiscard]] Settings watched(Settings settings);
  // The end, however it came, before the model is written: should that fail, nothing is lost. With the y of all rows.
  void keep_end(const Start& point, const Outcome& outcome);
  void keep_end(const low_rank::Start& point, const Outcome& outcome);

 private:
  [[nodiscard]] const Checkpoint* before() const;
  void keep(const std::function<Checkpoint()>& make, TracePoint now);

  TeamPtr team_;
  const CheckpointFlags* flags_ = nullptr;
  DataFingerprint data_;
  std::vector<CheckpointOption> options_;
  bool has_complained_ = false;
};

// What of the formulation is neither an option nor in the data: weights and atoms.
[[nodiscard]] std::vector<CheckpointOption> inputs_of(const Formulation& formulation, int threads);

}  // namespace pdbfw::cli
