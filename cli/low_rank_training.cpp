#include "cli/low_rank_training.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/classes_training.hpp"
#include "cli/console.hpp"
#include "cli/load_model.hpp"
#include "cli/progress_line.hpp"

namespace pdbfw::cli {
namespace {

bool wants_classes(const low_rank::Formulation& formulation) {
  return low_rank::make_row_loss(formulation)->target_kind() == RowTargetKind::classes;
}

}  // namespace

low_rank::Formulation matrix_formulation(const Formulation& f) {
  return {.loss = f.loss,
          .set = f.set,
          .radius = f.radius,
          .ridge = f.ridge,
          .smoothing = f.smoothing,
          .huber_width = f.huber_width};
}

std::string default_loss(const LabelledData& data) {
  if (data.has_numbers()) return "squared";
  return data.has_classes ? "softmax" : "multilabel_smooth_hinge";
}

low_rank::Problem prepare(const LabelledData& data, const std::string& name, const Formulation& formulation,
                          Index outputs, const TeamPtr& team) {
  const low_rank::Formulation own = matrix_formulation(formulation);
  const bool has_class_loss = wants_classes(own);
  if (has_class_loss && !data.has_classes)
    throw InputError(name, "any number of labels a row", fmt::format("one class a row for the loss {}", own.loss));
  if (data.has_numbers() && outputs != data.numbers.cols())
    throw InputError(name, counted(data.numbers.cols(), "number a row", "numbers a row"),
                     fmt::format("{}, as many as the model has", outputs));
  if (outputs < static_cast<Index>(data.names.size()))
    throw InputError(
        name, fmt::format("{} {}", data.has_classes ? "class" : "label", data.names[static_cast<std::size_t>(outputs)]),
        "one of those that the model knows");
  return low_rank::make_problem(rows_map(data.A, outputs), target_matrix(data, has_class_loss, outputs), own, team);
}

low_rank::Result solve_watched(const low_rank::Problem& problem, const Settings& settings,
                               const InterruptGuard& interrupt, bool shows_progress, const low_rank::Start& start) {
  ProgressLine line(shows_progress, "rank");
  const Callback watch = [&](const Progress& progress) {
    line.show(progress);
    return !interrupt.is_requested();
  };
  return low_rank::solve(problem, settings, watch, start);
}

Model make_model(const LabelledData& data, const low_rank::Problem& problem, const Formulation& formulation,
                 const low_rank::Result& result, bool has_proof) {
  Model model;
  model.kind = ModelKind::matrix;
  model.formulation = formulation;
  model.formulation.ridge = {problem.ridge, false};
  model.map = problem.map->name();
  model.samples = problem.samples();
  model.factors = result.X;
  if (data.has_classes)
    model.classes = data.names;
  else
    for (const double name : data.names) model.labels.push_back(static_cast<Index>(name));
  model.statuses = {result.status};
  model.certificates = {result.certificate};
  if (has_proof) model.matrix_proof = result.Y;
  return model;
}

low_rank::Start start_from(const Model& model, const std::string& name, const LabelledData& data,
                           const low_rank::Problem& problem) {
  require_kind(name, model, {ModelKind::matrix});
  if (names_of(model) != data.names || model.classes.empty() == data.has_classes)
    throw InputError(name, "other labels", "those of the data");
  if (model.factors.rows() > problem.d())
    throw InputError(name, fmt::format("{} features", model.factors.rows()),
                     fmt::format("no more than the {} of the data", problem.d()));
  low_rank::Start start{.X = with_rows(model.factors, problem.d())};
  if (model.matrix_proof.rows() == problem.samples() && model.matrix_proof.cols() == problem.k())
    start.Y = model.matrix_proof;
  return start;
}

Factors with_rows(const Factors& X, Index rows) {
  Factors out = X;
  out.U = Matrix::Zero(rows, X.rank());
  const Index kept = std::min(rows, X.rows());
  out.U.topRows(kept) = X.U.topRows(kept);
  return out;
}

}  // namespace pdbfw::cli
