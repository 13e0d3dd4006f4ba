// What the set trace is learnt from: rows with any number of labels, with one of many classes, or with several numbers.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"
#include "pdbfw/dataset.hpp"
#include "pdbfw/factors.hpp"
#include "pdbfw/row_loss.hpp"

namespace pdbfw::cli {

enum class Targets { automatic, labels, classes, numbers };

// Of Targets, in their order.
inline constexpr std::array<std::string_view, 4> kTargetNames{"auto", "labels", "classes", "numbers"};

struct LabelledData {
  MatrixPtr A;
  LabelLists labels;          // of every row, as places in `names`
  std::vector<double> names;  // the labels or classes, as they stand in the file
  bool has_classes = false;   // every row has exactly one
  Matrix numbers{};           // instead of labels: a row of them for every row of A

  [[nodiscard]] bool has_numbers() const { return numbers.cols() > 0; }
};

// "classes" for softmax and multiclass_hinge, "labels" for the multilabel losses; automatic for the others.
[[nodiscard]] Targets targets_of(const std::string& loss);

// Automatic: classes, unless there is a row with several labels. `known`: what a model knows, in its order; what it
// does not know follows behind. Throws InputError.
[[nodiscard]] LabelledData read_labelled(const DataArgument& data, const ReadOptions& options, Targets targets,
                                         std::span<const double> known = {});

// Rows first .. last - 1; the names stay. `data` must outlive what is given back.
[[nodiscard]] LabelledData rows_of(const LabelledData& data, Index first, Index last);

// How many columns the weights have for these data.
[[nodiscard]] inline Index outputs_of(const LabelledData& data) {
  return data.has_numbers() ? data.numbers.cols() : static_cast<Index>(data.names.size());
}

// The numbers; or one column of class numbers; or one of -1 and +1 for each of the first `columns` labels.
[[nodiscard]] Matrix target_matrix(const LabelledData& data, bool wants_classes, Index columns);

}  // namespace pdbfw::cli
