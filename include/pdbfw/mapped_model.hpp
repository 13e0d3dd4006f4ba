// Model files that are mapped into memory instead of read: the processes of a machine that use one share its pages.
// write_model(path, model, ModelFormat::mapped) writes one, read_model reads it as any other.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "pdbfw/model.hpp"

namespace pdbfw {

// The numbers lie in the file's own pages. A copy of this is another view of them.
struct MappedModel {
  Model head;                           // all but weights and proof, of which it has the sizes
  std::span<const double> weights;      // one of each feature, zeros too
  std::span<const double> proof;        // one of each sample; empty where the head has none
  std::shared_ptr<const void> storage;  // keeps both
};

// By its first bytes; false for what cannot be opened, and for pipes and "-", which can be read only once.
[[nodiscard]] bool is_mapped_model(const std::string& path);

// Version, sizes, checksum and numbers are checked first; throws InputError that begins with the file's name. Nobody
// may cut or overwrite the file while it is in use. To replace it is fine, as write_model does it: whoever has the old
// one keeps it.
[[nodiscard]] MappedModel map_model(const std::string& path);

// With weights and proof of its own.
[[nodiscard]] Model to_model(const MappedModel& mapped);

// The same scores to the last bit as those of to_model(), without a copy of the weights unless the data are wider than
// the model.
[[nodiscard]] Scores predict_scores(const DataMatrix& A, const MappedModel& model, int threads = 1);

}  // namespace pdbfw
