// Labels and classes that are chosen, or that a model knows.
#pragma once

#include <array>
#include <span>

#include "pdbfw/dataset.hpp"

namespace pdbfw {

// The rows whose target is one of two different numbers, in their order; the first becomes -1, the second +1. Throws
// InputError when there is no row of one of them.
[[nodiscard]] Dataset keep_classes(const Dataset& data, const std::array<double, 2>& classes);

// The same rows with places in `known`, the list of a model: ids that it does not have follow behind it, ascending.
// Throws InputError when `known` has an id twice.
[[nodiscard]] MultilabelDataset place_labels(MultilabelDataset data, std::span<const Index> known);

// encode_classes() for the classes that a model knows: what it does not know follows behind, ascending. Throws
// InputError when `known` has a class twice.
[[nodiscard]] Classes encode_classes(std::span<const double> target, std::span<const double> known);

}  // namespace pdbfw
