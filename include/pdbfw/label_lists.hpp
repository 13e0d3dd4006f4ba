// Data of many classes and data whose rows have any number of labels.
//
//   const pdbfw::Classes classes = pdbfw::encode_classes(data.target);          // targets 2, 5, 9 become 0, 1, 2
//   const pdbfw::MultilabelDataset news = pdbfw::read_multilabel("news.txt");   // data_file.hpp
#pragma once

#include <span>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// The labels of each row, as places in a list of labels: from 0, ascending inside a row.
struct LabelLists {
  std::vector<Index> offsets{0};  // row i has the entries offsets[i] .. offsets[i + 1] - 1
  std::vector<Index> place;

  [[nodiscard]] Index rows() const { return static_cast<Index>(offsets.size()) - 1; }
  [[nodiscard]] std::span<const Index> operator[](Index i) const {
    const Index first = offsets[static_cast<std::size_t>(i)];
    return {place.data() + first, static_cast<std::size_t>(offsets[static_cast<std::size_t>(i) + 1] - first)};
  }
};

struct MultilabelDataset {
  MatrixPtr A;
  LabelLists labels;       // places in `ids`
  std::vector<Index> ids;  // the labels as in the file, each once, ascending
};

// The same rows with places in `known`, the list of a model: ids that it does not have follow behind it, ascending.
// Throws InputError when `known` has an id twice.
[[nodiscard]] MultilabelDataset place_labels(MultilabelDataset data, std::span<const Index> known);

// Targets as classes 0 .. K - 1.
struct Classes {
  std::vector<Index> index;      // n entries
  std::vector<double> original;  // K entries: the targets that they stand for, ascending
};

// Throws InputError when there are fewer than two different targets.
[[nodiscard]] Classes encode_classes(std::span<const double> target);

// The same for the classes that a model knows: what it does not know follows behind, ascending. Throws InputError when
// `known` has a class twice.
[[nodiscard]] Classes encode_classes(std::span<const double> target, std::span<const double> known);

}  // namespace pdbfw
