// Where a solve has come to, in a file: killed at any moment, it can go on from there. docs/checkpoints.md specifies
// the file.
//
//   const pdbfw::DataFingerprint data = pdbfw::fingerprint(*problem.A, problem.loss->targets());
//   settings.checkpoints = {60, [&](const pdbfw::Start& point, const pdbfw::TracePoint& now) {
//                             pdbfw::write_checkpoint("run.checkpoint", {.data = data, .now = now, .point = point});
//                           }};
//   pdbfw::solve(problem, settings);
//   ...
//   const pdbfw::Checkpoint kept = pdbfw::read_checkpoint("run.checkpoint");
//   kept.data.require_same(pdbfw::fingerprint(*problem.A, problem.loss->targets()));
//   pdbfw::solve(problem, settings, {}, kept.point);
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pdbfw/dataset.hpp"
#include "pdbfw/result.hpp"
#include "pdbfw/team.hpp"

namespace pdbfw {

struct Checkpoint {
  // Something that was asked for, by its name.
  struct Option {
    std::string name;
    std::string value;
    bool operator==(const Option&) const = default;
  };

  std::vector<Option> options{};  // whatever the caller wants to find again
  DataFingerprint data{};
  TracePoint now{};  // iterations and seconds so far, and the gap, estimated or certified
  Start point{};
  std::shared_ptr<const low_rank::Start> matrix{};  // instead, of a solve of the low-rank family
};

// To a temporary name, with a checksum, then renamed: what stands under the name is always whole. What a killed process
// left under the temporary name is removed by the next one. Throws InputError.
void write_checkpoint(const std::string& path, const Checkpoint& checkpoint);

// Throws InputError for a file that is no checkpoint, is cut, or was changed by one bit.
[[nodiscard]] Checkpoint read_checkpoint(const std::string& path);

}  // namespace pdbfw
