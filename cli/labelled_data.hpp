// What the set trace is learnt from: rows with any number of labels, or with one of many classes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "pdbfw/dense.hpp"
#include "pdbfw/label_lists.hpp"
#include "pdbfw/row_loss.hpp"

namespace pdbfw::cli {

enum class Targets { automatic, labels, classes };

struct LabelledData {
  MatrixPtr A;
  LabelLists labels;          // of every row, as places in `names`
  std::vector<double> names;  // the labels or classes, as they stand in the file
  bool has_classes = false;   // every row has exactly one
};

// "classes" for softmax and multiclass_hinge, "labels" for the multilabel losses; automatic for the others.
[[nodiscard]] Targets targets_of(const std::string& loss);

// Automatic: classes, unless there is a row with several labels. `known`: what a model knows, in its order; what it
// does not know follows behind. Throws InputError.
[[nodiscard]] LabelledData read_labelled(const DataArgument& data, const ReadOptions& options, Targets targets,
                                         std::span<const double> known = {});

// Whether reading one target a row failed because there are several.
[[nodiscard]] bool saw_several_labels(const InputError& error);

// One column of class numbers, or one of -1 and +1 for each of the first `columns` labels.
[[nodiscard]] Matrix target_matrix(const LabelledData& data, bool wants_classes, Index columns);

}  // namespace pdbfw::cli
