// The predictions of a low-rank model as lines of text.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "pdbfw/factors.hpp"

namespace pdbfw::cli {

struct LabelLines {
  std::span<const double> names;  // of the labels or classes, one for each column of the scores
  bool has_classes = false;
  bool wants_scores = false;  // or probabilities, if that is what they are
  std::optional<Index> top{};
};

// One line per row: "3,17,40", the labels with scores above 0, or the one class with the largest; with `top` that many,
// the best first. With scores: "3:0.75 17:-1.5 ...", all of them in the model's order, or `top`, the best first.
[[nodiscard]] std::string label_lines(const Matrix& scores, const LabelLines& how);

// One line per row: all its numbers.
[[nodiscard]] std::string number_lines(const Matrix& scores);

}  // namespace pdbfw::cli
