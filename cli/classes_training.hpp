// From data of several classes and a request to a model with sparse weights, and back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/interrupt.hpp"
#include "cli/labelled_data.hpp"
#include "pdbfw/joint.hpp"
#include "pdbfw/model.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::cli {

// Whether classes are to be learnt together, with sparse weights: by the loss or by the set.
[[nodiscard]] bool is_joint(const Formulation& formulation);

// Whether a loss of two classes is to be learnt once for each class: more than two different targets, but not so many
// that they must be numbers.
[[nodiscard]] bool are_several_classes(std::size_t different_targets, Index rows);
inline constexpr std::size_t kMostClasses = 1'000;

// Data that were read for their classes. `known`: what a model knows; throws InputError that begins with `name`, the
// data's, for a class that it does not.
[[nodiscard]] Classes classes_of(const LabelledData& data);
[[nodiscard]] Classes known_classes(const std::vector<double>& target, const std::string& name,
                                    const std::vector<double>& known);

// Columns and rows of a matrix of weights.
[[nodiscard]] std::vector<SparseVector> to_columns(const joint::SparseRows& X);
[[nodiscard]] joint::SparseRows to_rows(const std::vector<SparseVector>& columns, Index features);
[[nodiscard]] Matrix to_matrix(const std::vector<SparseVector>& columns, Index rows);

// A model of these classes, without weights yet.
[[nodiscard]] Model empty_model(ModelKind kind, const Formulation& formulation, const Classes& classes, Index samples);

// Throws InputError that begins with `name`, the model's, where a start for these data cannot come from it.
void require_same_classes(const Model& model, const std::string& name, const Classes& classes, Index features);

// The one sigmoid of a hinge, from scores out of five folds; none when interrupted. Of several processes all call it,
// and the first one, which writes the model, has the sigmoid.
[[nodiscard]] std::vector<Sigmoid> calibrate(const MatrixPtr& A, const std::vector<double>& signs,
                                             const Formulation& formulation, const Settings& settings,
                                             const InterruptGuard& interrupt, const TeamPtr& team = {});
// Throws InputError unless the scores of this loss need a sigmoid and can have one.
void require_calibration(const Formulation& formulation);

}  // namespace pdbfw::cli
