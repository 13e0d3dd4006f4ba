// Collects the labels of multilabel rows.
#pragma once

#include <span>
#include <vector>

#include "pdbfw/dataset.hpp"

namespace pdbfw {

class LabelStore {
 public:
  // Of some rows: their labels, ascending inside a row, and where among them each row ends.
  void append(std::span<const Index> label, std::span<const Index> row_end);

  // Fills in labels and ids. The store is empty afterwards.
  void finish(MultilabelDataset& data);

 private:
  LabelLists lists_;        // labels where their places will be
  std::vector<Index> ids_;  // so far, ascending
};

}  // namespace pdbfw
