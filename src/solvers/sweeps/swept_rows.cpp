#include "solvers/sweeps/swept_rows.hpp"

namespace pdbfw {

void SweptRows::know_entries(std::vector<Index> here, std::vector<double> of_all) {
  if (is_streamed_) streamed_.know_entries(std::move(here));
  feature_entries_ = std::move(of_all);
}

void SweptRows::choose(std::vector<Index> features, bool as_float) {
  if (is_streamed_)
    streamed_.choose(std::move(features), as_float);
  else
    in_memory_.pack(std::move(features), as_float);
  add_up_entries();
}

void SweptRows::shrink(std::span<const Index> positions) {
  if (is_streamed_)
    streamed_.shrink(positions);
  else
    in_memory_.shrink(positions);
  add_up_entries();
}

double SweptRows::entries_of_all(std::size_t position) const {
  if (feature_entries_.empty()) return static_cast<double>(in_memory_.column_entries()[position]);
  return feature_entries_[static_cast<std::size_t>(features()[position])];
}

void SweptRows::add_up_entries() {
  entries_of_all_ = 0;
  for (std::size_t a = 0; a < features().size(); ++a) entries_of_all_ += entries_of_all(a);
}

}  // namespace pdbfw
