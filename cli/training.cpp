#include "cli/training.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/load_model.hpp"
#include "cli/options.hpp"
#include "cli/progress_line.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw::cli {
namespace {

std::array<double, 2> encode_new(const std::vector<double>& target, const std::string& name,
                                 std::vector<double>& sign) {
  try {
    Labels labels = encode_labels(target);
    sign = std::move(labels.sign);
    return labels.original;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

void encode_known(const std::vector<double>& target, const std::string& name, const std::array<double, 2>& labels,
                  std::vector<double>& sign) {
  sign.reserve(target.size());
  for (std::size_t i = 0; i < target.size(); ++i) {
    if (target[i] != labels[0] && target[i] != labels[1])
      throw InputError(fmt::format("{}: target of row {}", name, i + 1), fmt::format("{}", target[i]),
                       fmt::format("one of the model's labels, {} and {}", labels[0], labels[1]));
    sign.push_back(target[i] == labels[1] ? 1.0 : -1.0);
  }
}

std::string labels_text(const std::vector<double>& labels) {
  return labels.empty() ? "no labels" : fmt::format("labels {} and {}", labels[0], labels[1]);
}

// What -1 and +1 stand for; none for numbers.
std::vector<double> classes_of(const Prepared& prepared) {
  if (!prepared.labels) return {};
  return {prepared.labels->begin(), prepared.labels->end()};
}

}  // namespace

Prepared prepare(const Dataset& data, const std::string& name, const Formulation& formulation,
                 const std::optional<std::array<double, 2>>& known_labels, const TeamPtr& team) {
  if (data.A->columns() == 0) throw InputError(name, "no features", "at least one feature in at least one row");
  if (target_kind(formulation) == TargetKind::numbers)
    return {make_problem(data.A, data.target, formulation, team), std::nullopt};
  std::vector<double> sign;
  std::optional<std::array<double, 2>> labels = known_labels;
  if (labels)
    encode_known(data.target, name, *labels, sign);
  else
    labels = encode_new(data.target, name, sign);
  return {make_problem(data.A, std::move(sign), formulation, team), labels};
}

std::vector<double> signs_from(const std::vector<double>& target, double positive) {
  std::vector<double> sign;
  for (const double value : target) sign.push_back(value == positive ? 1.0 : -1.0);
  return sign;
}

Start start_from(const Model& model, const std::string& name, const Prepared& prepared) {
  require_kind(name, model, {ModelKind::vector});
  if (model.classes != classes_of(prepared))
    throw InputError(name, labels_text(model.classes), labels_text(classes_of(prepared)) + ", as the data have them");
  const SparseVector& old = model.weights.front();
  const Index d = prepared.problem.features();
  if (!old.at.empty() && old.at.back() >= d)
    throw InputError(name, fmt::format("a weight for feature {}", old.at.back() + 1),
                     fmt::format("none beyond the {} features of the data", d));
  std::vector<double> weights(static_cast<std::size_t>(d));
  for (std::size_t k = 0; k < old.at.size(); ++k) weights[static_cast<std::size_t>(old.at[k])] = old.value[k];
  Start start{.x = point_of_weights(prepared.problem, weights)};
  if (!model.proof.empty() && model.samples == prepared.problem.n()) start.y = to_dense(model.proof.front());
  return start;
}

Result solve_watched(const Problem& problem, const Settings& settings, const InterruptGuard& interrupt,
                     bool shows_progress, const Start& start) {
  ProgressLine line(shows_progress);
  const Callback watch = [&](const Progress& progress) {
    line.show(progress);
    return !interrupt.is_requested();
  };
  return solve(problem, settings, watch, start);
}

Penalised solve_penalised_watched(const Problem& problem, double alpha, const Settings& settings,
                                  const InterruptGuard& interrupt, bool shows_progress) {
  ProgressLine line(shows_progress);
  return solve_penalised(problem, alpha, settings, [&](const Progress& progress) {
    line.show(progress);
    return !interrupt.is_requested();
  });
}

Model make_model(const Prepared& prepared, const Formulation& formulation, const Result& result, bool has_proof) {
  Model model;
  model.formulation = formulation;
  model.formulation.ridge = {prepared.problem.regulariser->smoothness(), false};
  model.has_sample_weight = !std::exchange(model.formulation.sample_weight, {}).empty();
  model.has_penalty_weight = !std::exchange(model.formulation.penalty_weight, {}).empty();
  model.formulation.free_features = prepared.problem.free_features;
  model.intercepts = {result.intercept};
  model.samples = prepared.problem.samples();
  model.weights = {to_sparse(feature_weights(prepared.problem, result))};
  model.classes = classes_of(prepared);
  model.statuses = {result.status};
  model.certificates = {result.certificate};
  if (has_proof) model.proof = {to_sparse(result.y)};
  return model;
}

}  // namespace pdbfw::cli
