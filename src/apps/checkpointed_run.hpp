// A solve that is kept in a file while it runs, as a fit is asked to (FitOptions::CheckpointPlan of fit.hpp).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "pdbfw/fit.hpp"
#include "pdbfw/low_rank.hpp"

namespace pdbfw {

// Does nothing where the plan has no path. What cannot be written is told once, and the run goes on.
class CheckpointedRun {
 public:
  // `targets` are those of the rows here, `formulation` has the sample weights of all rows; plan and samples must
  // outlive the run. All members of a team call it. Throws InputError when the checkpoint to be resumed was made from
  // other data, weights or atoms.
  CheckpointedRun(const FitOptions::CheckpointPlan& plan, const Samples& samples, std::span<const double> targets,
                  const Formulation& formulation, int threads);
  CheckpointedRun(const CheckpointedRun&) = delete;
  CheckpointedRun& operator=(const CheckpointedRun&) = delete;

  [[nodiscard]] bool is_kept() const { return !plan_.path.empty(); }
  // Where to begin: the y of the rows here. Nothing without a checkpoint to resume, or with one of the other family.
  [[nodiscard]] Start point() const;
  [[nodiscard]] low_rank::Start matrix() const;
  // The same settings, with checkpoints; good as long as the run lives.
  [[nodiscard]] Settings watched(Settings settings);
  // The end, however it came, before the model is written: should that fail, nothing is lost. With the y of all rows;
  // the first member of a team writes.
  void keep_end(const Start& point, const Outcome& outcome);
  void keep_end(const low_rank::Start& point, const Outcome& outcome);

 private:
  void keep(const std::function<Checkpoint()>& make, TracePoint now);

  const FitOptions::CheckpointPlan& plan_;
  const Samples& samples_;
  DataFingerprint data_;
  std::vector<Checkpoint::Option> options_;
  bool has_complained_ = false;
};

}  // namespace pdbfw
