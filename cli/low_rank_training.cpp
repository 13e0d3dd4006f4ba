#include "cli/low_rank_training.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/classes_training.hpp"
#include "cli/console.hpp"
#include "cli/progress_line.hpp"

namespace pdbfw::cli {
namespace {

low_rank::Formulation matrix_formulation(const Formulation& f) {
  return {.loss = f.loss,
          .set = f.set,
          .radius = f.radius,
          .ridge = f.ridge,
          .smoothing = f.smoothing,
          .huber_width = f.huber_width};
}

bool wants_classes(const low_rank::Formulation& formulation) {
  return low_rank::make_row_loss(formulation)->target_kind() == RowTargetKind::classes;
}

}  // namespace

std::string default_loss(const LabelledData& data) {
  if (data.has_numbers()) return "squared";
  return data.has_classes ? "softmax" : "multilabel_smooth_hinge";
}

Formulation vector_formulation(const low_rank::Formulation& f) {
  Formulation out;
  out.loss = f.loss;
  out.set = f.set;
  out.radius = f.radius;
  out.ridge = f.ridge;
  out.smoothing = f.smoothing;
  out.huber_width = f.huber_width;
  return out;
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

LowRankModel make_model(const LabelledData& data, const low_rank::Problem& problem, const Formulation& formulation,
                        const low_rank::Result& result, bool has_proof) {
  LowRankModel model;
  model.formulation = matrix_formulation(formulation);
  model.formulation.ridge = {problem.ridge, false};
  model.map = problem.map->name();
  model.samples = problem.samples();
  model.X = result.X;
  if (data.has_classes)
    model.classes = data.names;
  else
    for (const double name : data.names) model.labels.push_back(static_cast<Index>(name));
  model.status = result.status;
  model.certificate = result.certificate;
  if (has_proof) model.proof = result.Y;
  return model;
}

void require_trained(const std::string& path, const LowRankModel& model) {
  try {
    if (model.map != "rows") throw InputError("map", model.map, "rows: a model of pdbfw train");
    static_cast<void>(low_rank::make_spectral_set(model.formulation.set, model.formulation.radius));
    if (wants_classes(model.formulation) && model.classes.empty())
      throw InputError("classes", "none", fmt::format("classes, because the loss is {}", model.formulation.loss));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path == "-" ? "standard input" : path, error.what()));
  }
}

AnyModel load_any_model(const std::string& path) {
  AnyModel model = read_any_model(path);
  if (const auto* matrix = std::get_if<LowRankModel>(&model))
    require_trained(path, *matrix);
  else if (const auto* classes = std::get_if<ClassesModel>(&model))
    require_trained(path, *classes);
  else
    require_known(path, std::get<Model>(model));
  return model;
}

Targets targets_of(const LowRankModel& model) {
  if (!model.classes.empty()) return Targets::classes;
  return model.labels.empty() ? Targets::numbers : Targets::labels;
}

std::vector<double> names_of(const LowRankModel& model) {
  if (!model.classes.empty()) return model.classes;
  return {model.labels.begin(), model.labels.end()};
}

low_rank::Start start_from(const LowRankModel& model, const std::string& name, const LabelledData& data,
                           const low_rank::Problem& problem) {
  if (names_of(model) != data.names || model.classes.empty() == data.has_classes)
    throw InputError(name, "other labels", "those of the data");
  if (model.X.rows() > problem.d())
    throw InputError(name, fmt::format("{} features", model.X.rows()),
                     fmt::format("no more than the {} of the data", problem.d()));
  low_rank::Start start{.X = with_rows(model.X, problem.d())};
  if (model.proof && model.proof->rows() == problem.samples() && model.proof->cols() == problem.k())
    start.Y = *model.proof;
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
