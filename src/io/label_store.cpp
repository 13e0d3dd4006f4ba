#include "io/label_store.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pdbfw {

void LabelStore::append(std::span<const Index> label, std::span<const Index> row_end) {
  const auto before = static_cast<Index>(lists_.place.size());
  lists_.place.insert(lists_.place.end(), label.begin(), label.end());
  for (const Index end : row_end) lists_.offsets.push_back(before + end);
  std::vector<Index> seen(label.begin(), label.end());
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  if (std::includes(ids_.begin(), ids_.end(), seen.begin(), seen.end())) return;
  std::vector<Index> ids;
  std::set_union(ids_.begin(), ids_.end(), seen.begin(), seen.end(), std::back_inserter(ids));
  ids_ = std::move(ids);
}

void LabelStore::finish(MultilabelDataset& data) {
  for (Index& label : lists_.place) label = std::lower_bound(ids_.begin(), ids_.end(), label) - ids_.begin();
  data.labels = std::exchange(lists_, {});
  data.ids = std::exchange(ids_, {});
}

}  // namespace pdbfw
