#include "cli/classes_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/load_model.hpp"
#include "cli/options.hpp"
#include "pdbfw/cross_validation.hpp"

namespace pdbfw::cli {
namespace {

bool has_class_loss(const std::string& loss) { return loss == "softmax" || loss == "multiclass_hinge"; }

}  // namespace

bool is_joint(const Formulation& formulation) {
  return formulation.set == kPerClass || (formulation.set == "l1" && has_class_loss(formulation.loss));
}

bool are_several_classes(std::size_t different_targets, Index rows) {
  return different_targets > 2 && different_targets <= kMostClasses &&
         2 * different_targets <= static_cast<std::size_t>(rows);
}

Classes classes_of(const LabelledData& data) { return {data.labels.place, data.names}; }

Classes known_classes(const std::vector<double>& target, const std::string& name, const std::vector<double>& known) {
  Classes classes = encode_classes(target, known);
  if (classes.original.size() > known.size())
    throw InputError(name, fmt::format("class {}", classes.original[known.size()]),
                     "one of those that the model knows");
  return classes;
}

std::vector<SparseVector> to_columns(const joint::SparseRows& X) {
  std::vector<SparseVector> columns(static_cast<std::size_t>(X.columns()));
  for (Index k = 0; k < X.columns(); ++k) {
    SparseVector& column = columns[static_cast<std::size_t>(k)];
    column.size = X.rows;
    for (std::size_t r = 0; r < X.at.size(); ++r) {
      const double value = X.value(static_cast<Index>(r), k);
      if (value == 0) continue;
      column.at.push_back(X.at[r]);
      column.value.push_back(value);
    }
  }
  return columns;
}

joint::SparseRows to_rows(const std::vector<SparseVector>& columns, Index features) {
  std::map<Index, Index> row_of;
  for (const SparseVector& column : columns)
    for (const Index j : column.at) row_of[j] = 0;
  joint::SparseRows X{
      features, {}, Matrix::Zero(static_cast<Index>(row_of.size()), static_cast<Index>(columns.size()))};
  for (auto& [feature, row] : row_of) {
    row = static_cast<Index>(X.at.size());
    X.at.push_back(feature);
  }
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size(); ++e)
      X.value(row_of[columns[k].at[e]], static_cast<Index>(k)) = columns[k].value[e];
  return X;
}

Matrix to_matrix(const std::vector<SparseVector>& columns, Index rows) {
  Matrix M = Matrix::Zero(rows, static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size(); ++e)
      M(columns[k].at[e], static_cast<Index>(k)) = columns[k].value[e];
  return M;
}

Model empty_model(ModelKind kind, const Formulation& formulation, const Classes& classes, Index samples) {
  Model model;
  model.kind = kind;
  model.formulation = formulation;
  model.has_sample_weight = !formulation.sample_weight.empty();
  model.formulation.sample_weight.clear();
  model.samples = samples;
  model.classes = classes.original;
  return model;
}

void require_same_classes(const Model& model, const std::string& name, const Classes& classes, Index features) {
  require_kind(name, model, {ModelKind::one_vs_rest, ModelKind::joint});
  if (model.classes != classes.original) throw InputError(name, "other classes", "those of the data");
  for (const SparseVector& column : model.weights)
    if (!column.at.empty() && column.at.back() >= features)
      throw InputError(name, fmt::format("a weight for feature {}", column.at.back() + 1),
                       fmt::format("none beyond the {} features of the data", features));
}

std::vector<Sigmoid> calibrate(const MatrixPtr& A, const std::vector<double>& signs, const Formulation& formulation,
                               const Settings& settings, const InterruptGuard& interrupt, const TeamPtr& team) {
  constexpr Index kFolds = 5;
  const Callback watch = [&](const Progress&) { return !interrupt.is_requested(); };
  const std::vector<double> own = out_of_fold_scores(A, signs, formulation, settings, watch, kFolds, team);
  if (own.empty()) return {};
  const std::vector<double> scores = gathered_at_first(team, own), all_signs = gathered_at_first(team, signs);
  Sigmoid sigmoid;
  together(team, [&] {
    if (!team || team->rank() == 0) sigmoid = fit_sigmoid(scores, all_signs);
  });
  return {sigmoid};
}

void require_calibration(const Formulation& formulation) {
  const std::string& loss = formulation.loss;
  if (loss != "smooth_hinge" && loss != "squared_hinge")
    throw InputError("probabilities", fmt::format("loss {}", loss),
                     "for the losses smooth_hinge and squared_hinge; logistic and softmax give them anyway");
}

}  // namespace pdbfw::cli
