#include "apps/checkpointed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "base/checksum.hpp"
#include "base/team.hpp"
#include "io/checkpoints/checkpoint_file.hpp"

namespace pdbfw {
namespace {

// What of the formulation is neither an option nor in the data: weights and atoms.
std::vector<Checkpoint::Option> inputs_of(const Formulation& formulation, int threads) {
  std::vector<Checkpoint::Option> inputs;
  const auto add = [&](const char* name, std::uint64_t hash) {
    inputs.push_back({name, fmt::format("{:016x}", hash)});
  };
  const auto add_numbers = [&](const char* name, const std::vector<double>& numbers) {
    add(name, numbers.empty() ? 0 : checksum(std::as_bytes(std::span(numbers))));
  };
  add_numbers("sample_weight", formulation.sample_weight);
  add_numbers("penalty_weight", formulation.penalty_weight);
  add("atoms", formulation.atoms ? fingerprint(*formulation.atoms, {}, threads).contents : 0);
  return inputs;
}

void require_same_inputs(const Checkpoint& kept, const std::vector<Checkpoint::Option>& inputs) {
  for (const Checkpoint::Option& input : inputs)
    if (std::find(kept.options.begin(), kept.options.end(), input) == kept.options.end())
      throw InputError(input.name, "other numbers", "those of the checkpoint");
}

TracePoint end_of(const Outcome& outcome) {
  TracePoint end = outcome.trace.empty() ? TracePoint{} : outcome.trace.back();
  end.iteration = outcome.work.iterations;
  end.seconds = outcome.seconds;
  end.data_passes = outcome.work.data_passes;
  end.multiply_adds = outcome.work.multiply_adds;
  end.primal = outcome.certificate.primal;
  end.dual = outcome.certificate.dual;
  end.gap = outcome.certificate.gap;
  end.relative_gap = outcome.certificate.relative_gap;
  end.is_certified = true;
  return end;
}

}  // namespace

CheckpointedRun::CheckpointedRun(const FitOptions::CheckpointPlan& plan, const Samples& samples,
                                 std::span<const double> targets, const Formulation& formulation, int threads)
    : plan_(plan), samples_(samples) {
  if (!is_kept()) return;
  data_ = fingerprint(*samples.A, targets, threads, samples.first_row, samples.team);
  together(samples.team, [&] {
    const std::vector<Checkpoint::Option> inputs = inputs_of(formulation, threads);
    options_ = plan.options;
    options_.insert(options_.end(), inputs.begin(), inputs.end());
    if (!plan.resumed) return;
    try {
      plan.resumed->data.require_same(data_);
      require_same_inputs(*plan.resumed, inputs);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", plan.resumed_name, error.what()));
    }
  });
}

Start CheckpointedRun::point() const {
  return plan_.resumed ? of_rows(plan_.resumed->point, samples_.first_row, samples_.A->rows()) : Start{};
}

low_rank::Start CheckpointedRun::matrix() const {
  if (!plan_.resumed || !plan_.resumed->matrix) return {};
  return low_rank::of_rows(*plan_.resumed->matrix, samples_.first_row, samples_.A->rows());
}

Settings CheckpointedRun::watched(Settings settings) {
  if (!is_kept()) return settings;
  const TeamPtr& team = samples_.team;
  settings.checkpoints.every_seconds = plan_.every_seconds;
  settings.checkpoints.save = [this, &team](const Start& point, const TracePoint& now) {
    const Start whole = gathered(point, team);
    keep([&] { return Checkpoint{.point = whole}; }, now);
  };
  settings.checkpoints.save_matrix = [this, &team](const low_rank::Start& point, const TracePoint& now) {
    const low_rank::Start whole = gathered(point, team);
    keep([&] { return Checkpoint{.matrix = std::make_shared<const low_rank::Start>(whole)}; }, now);
  };
  return settings;
}

void CheckpointedRun::keep_end(const Start& point, const Outcome& outcome) {
  keep([&] { return Checkpoint{.point = point}; }, end_of(outcome));
}

void CheckpointedRun::keep_end(const low_rank::Start& point, const Outcome& outcome) {
  keep([&] { return Checkpoint{.matrix = std::make_shared<const low_rank::Start>(point)}; }, end_of(outcome));
}

// Iterations, seconds and work are those of all runs.
void CheckpointedRun::keep(const std::function<Checkpoint()>& make, TracePoint now) {
  if (!is_kept() || (samples_.team && samples_.team->rank() != 0)) return;
  if (plan_.resumed) {
    const TracePoint& before = plan_.resumed->now;
    now.iteration += before.iteration;
    now.seconds += before.seconds;
    now.data_passes += before.data_passes;
    now.multiply_adds += before.multiply_adds;
  }
  const auto complain = [&](const std::string& why) {
    if (!std::exchange(has_complained_, true) && plan_.on_failure) plan_.on_failure(why);
  };
  try {
    Checkpoint checkpoint = make();
    checkpoint.now = now;
    checkpoint.data = data_;
    checkpoint.options = options_;
    write_checkpoint(plan_.path, checkpoint);
  } catch (const InputError& error) {
    complain(error.what());
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  }
}

}  // namespace pdbfw
