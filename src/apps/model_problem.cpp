#include "apps/model_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "apps/fit_rules.hpp"
#include "apps/low_rank_registry.hpp"
#include "apps/registry.hpp"
#include "base/team.hpp"
#include "data/labels.hpp"

namespace pdbfw {
namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

// Runs what judges targets; an error says of which samples they are.
template <class Work>
auto of_samples(const Samples& samples, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", samples.name, error.what()));
  }
}

std::vector<double> checked_signs(const Samples& samples, std::span<const double> classes) {
  for (std::size_t i = 0; i < samples.target.size(); ++i)
    if (samples.target[i] != classes[0] && samples.target[i] != classes[1])
      throw InputError(fmt::format("{}: target of row {}", samples.name, i + 1), fmt::format("{}", samples.target[i]),
                       fmt::format("one of the model's labels, {} and {}", classes[0], classes[1]));
  return signs_of(samples.target, classes[1]);
}

// The numbers; or one column of classes; or one of -1 and +1 for each of the first `outputs` labels.
Matrix target_matrix(const Samples& samples, const PlacedTargets& targets, bool wants_classes, Index outputs) {
  if (samples.targets == Targets::numbers)
    return Eigen::Map<const Matrix>(samples.target.data(), samples.A->rows(), samples.numbers_per_row());
  const Index n = targets.labels.rows();
  if (wants_classes) {
    Matrix B(n, 1);
    for (Index i = 0; i < n; ++i) B(i, 0) = static_cast<double>(targets.labels[i].front());
    return B;
  }
  Matrix B = Matrix::Constant(n, outputs, -1);
  for (Index i = 0; i < n; ++i)
    for (const Index label : targets.labels[i])
      if (label < outputs) B(i, label) = 1;
  return B;
}

// Solvers that learn several outputs at once keep all rows in memory.
void require_in_memory(const Samples& samples) {
  if (samples.A->is_streamed())
    throw InputError(samples.name, "larger than memory", "data in memory, for several outputs learnt together");
}

}  // namespace

void require_features(const Samples& samples) {
  if (samples.A->columns() == 0)
    throw InputError(samples.name, "no features", "at least one feature in at least one row");
}

std::vector<double> signs_of(std::span<const double> target, double second) {
  std::vector<double> signs;
  signs.reserve(target.size());
  for (const double value : target) signs.push_back(value == second ? 1.0 : -1.0);
  return signs;
}

VectorProblem make_vector_problem(const Samples& samples, const Formulation& formulation,
                                  std::span<const double> known) {
  VectorProblem out;
  const bool wants_labels = target_kind(formulation) == TargetKind::labels;
  const std::vector<double> found =
      wants_labels && known.empty() ? different_targets(samples, 3) : std::vector<double>{};
  std::vector<double> b;
  together(samples.team, [&] {
    require_features(samples);
    if (wants_labels && known.empty()) {
      const auto labels = of_samples(samples, [&] { return encode_labels(found).original; });
      out.classes = {labels[0], labels[1]};
    } else if (wants_labels) {
      out.classes = {known.begin(), known.end()};
    }
    b = wants_labels ? checked_signs(samples, out.classes) : samples.target;
  });
  out.problem = make_problem(samples.A, std::move(b), formulation, samples.team);
  return out;
}

Classes classes_of(const Samples& samples, std::span<const double> known) {
  const PlacedTargets targets = place_targets(samples, known);
  if (!known.empty() && targets.names.size() > known.size())
    throw InputError(samples.name, fmt::format("class {}", targets.names[known.size()]),
                     "one of those that the model knows");
  return {targets.labels.place, targets.names};
}

PlacedTargets place_targets(const Samples& samples, std::span<const double> known) {
  if (samples.targets == Targets::numbers) return {};
  if (samples.targets == Targets::labels) {
    if (known.empty()) return {samples.labels, {samples.ids.begin(), samples.ids.end()}};
    const std::vector<Index> known_ids(known.begin(), known.end());
    MultilabelDataset placed = place_labels({samples.A, samples.labels, samples.ids}, known_ids);
    return {std::move(placed.labels), {placed.ids.begin(), placed.ids.end()}};
  }
  std::vector<double> names(known.begin(), known.end());
  if (known.empty() && samples.team) names = different_targets(samples, kAll);
  Classes classes;
  together(samples.team, [&] {
    classes = of_samples(samples, [&] {
      if (samples.team && known.empty()) static_cast<void>(encode_classes(names));  // throws for one class alone
      return names.empty() ? encode_classes(samples.target) : encode_classes(samples.target, names);
    });
  });
  PlacedTargets out{{}, std::move(classes.original)};
  out.labels.place = std::move(classes.index);
  for (std::size_t i = 1; i <= out.labels.place.size(); ++i) out.labels.offsets.push_back(static_cast<Index>(i));
  return out;
}

joint::Problem make_joint_problem(const Samples& samples, const Classes& classes, const Formulation& formulation) {
  require_features(samples);
  require_in_memory(samples);
  return joint::make_problem(samples.A, classes, formulation);
}

low_rank::Problem make_matrix_problem(const Samples& samples, const PlacedTargets& targets,
                                      const Formulation& formulation, Index outputs) {
  Matrix B;
  together(samples.team, [&] {
    require_features(samples);
    require_in_memory(samples);
    const bool wants_classes = low_rank::make_row_loss(formulation)->target_kind() == RowTargetKind::classes;
    if (wants_classes && samples.targets != Targets::one_per_row)
      throw InputError(samples.name, "any number of labels a row",
                       fmt::format("one class a row for the loss {}", formulation.loss));
    if (samples.targets == Targets::numbers && outputs != samples.numbers_per_row())
      throw InputError(samples.name, fmt::format("{} numbers a row", samples.numbers_per_row()),
                       fmt::format("{}, as many as the model has", outputs));
    if (outputs < static_cast<Index>(targets.names.size()))
      throw InputError(samples.name,
                       fmt::format("{} {}", samples.targets == Targets::labels ? "label" : "class",
                                   targets.names[static_cast<std::size_t>(outputs)]),
                       "one of those that the model knows");
    B = target_matrix(samples, targets, wants_classes, outputs);
  });
  return low_rank::make_problem(rows_map(samples.A, outputs), std::move(B), formulation, samples.team);
}

std::vector<double> names_of(const Model& model) {
  if (!model.labels.empty()) return {model.labels.begin(), model.labels.end()};
  return model.classes;
}

std::vector<double> point_of(const Problem& problem, const Model& model, std::size_t output) {
  SparseVector weights = model.weights[output];
  weights.size = problem.features();
  return point_of_weights(problem, weights.dense());
}

joint::SparseRows rows_of(const std::vector<SparseVector>& columns, Index features) {
  std::map<Index, Index> row_of;
  for (const SparseVector& column : columns)
    for (const Index j : column.at)
      if (j < features) row_of[j] = 0;
  joint::SparseRows X{features, {}, Matrix::Zero(std::ssize(row_of), std::ssize(columns))};
  for (auto& [feature, row] : row_of) {
    row = std::ssize(X.at);
    X.at.push_back(feature);
  }
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size() && columns[k].at[e] < features; ++e)
      X.value(row_of[columns[k].at[e]], static_cast<Index>(k)) = columns[k].value[e];
  return X;
}

Factors factors_of(const low_rank::Problem& problem, const Model& model) {
  const Factors& X = model.factors;
  Factors out = X;
  out.U = Matrix::Zero(problem.d(), X.rank());
  const Index kept = std::min(problem.d(), X.rows());
  out.U.topRows(kept) = X.U.topRows(kept);
  return out;
}

std::optional<std::vector<double>> proof_of(const Samples& samples, const Model& model, std::size_t output) {
  if (model.proof.empty() || model.proof[output].size != samples.rows()) return std::nullopt;
  return own_rows(samples, model.proof[output].dense(), "proof");
}

std::optional<Matrix> joint_proof_of(const Samples& samples, const Model& model) {
  if (model.kind != ModelKind::joint || model.proof.empty() || model.samples != samples.rows()) return std::nullopt;
  Matrix Y(samples.A->rows(), static_cast<Index>(model.proof.size()));
  for (std::size_t k = 0; k < model.proof.size(); ++k) {
    const std::vector<double> column = model.proof[k].dense();
    Y.col(static_cast<Index>(k)) = Eigen::Map<const Vector>(column.data(), Y.rows());
  }
  return Y;
}

std::optional<Matrix> matrix_proof_of(const Samples& samples, const Model& model, Index outputs) {
  const Matrix& Y = model.matrix_proof;
  if (Y.size() == 0 || Y.rows() != samples.rows() || Y.cols() != outputs) return std::nullopt;
  return samples.team ? Matrix(Y.middleRows(samples.first_row, samples.A->rows())) : Y;
}

Fitted fitted_of(ModelKind kind, const Samples& samples, const Formulation& formulation,
                 std::vector<Outcome> outcomes) {
  Fitted fitted;
  fitted.formulation = formulation;
  fitted.ridge = formulation.ridge.weight(static_cast<double>(samples.rows()));
  Model& model = fitted.model;
  model.kind = kind;
  model.formulation = formulation;
  model.has_sample_weight = !std::exchange(model.formulation.sample_weight, {}).empty();
  model.has_penalty_weight = !std::exchange(model.formulation.penalty_weight, {}).empty();
  model.samples = samples.rows();
  fitted.has_converged = true;
  for (const Outcome& outcome : outcomes) {
    model.statuses.push_back(outcome.status);
    model.certificates.push_back(outcome.certificate);
    fitted.has_converged = fitted.has_converged && outcome.status == Status::converged;
  }
  fitted.outcomes = std::move(outcomes);
  return fitted;
}

void add_size(std::span<const double> x, Fitted::Size& size) {
  double norm = 0;
  for (const double value : x) {
    if (value != 0) ++size.nonzeros;
    norm += std::abs(value);
  }
  size.entries += static_cast<Index>(x.size());
  size.norm += norm;
  size.largest_of_output = std::max(size.largest_of_output, norm);
}

Fitted fitted_of(const VectorProblem& vector, const Samples& samples, const Formulation& formulation,
                 const Result& result, bool keeps_proof) {
  const Problem& problem = vector.problem;
  Fitted fitted = fitted_of(ModelKind::vector, samples, formulation, {outcome_of(result)});
  Model& model = fitted.model;
  fitted.ridge = problem.regulariser->smoothness();
  model.classes = vector.classes;
  model.formulation.ridge = {fitted.ridge, false};
  model.formulation.free_features = problem.free_features;
  model.weights = {SparseVector::of(feature_weights(problem, result))};
  model.intercepts = {result.intercept};
  if (keeps_proof) model.proof = {SparseVector::of(result.y)};
  add_size(result.x, fitted.size);
  return fitted;
}

// A small norm alone says little: weights on their way to the boundary have one too. But where the multiplier of the
// radius is 0 at the dual point, its value is a lower bound for every larger radius as well.  [M6]
bool has_slack_radius(const Problem& problem, const Result& result) {
  constexpr double kInside = 1 - 1e-6;
  const bool can_tell = !problem.team && result.status == Status::converged && problem.set->has_dead_zone() &&
                        problem.set->name() != "simplex";
  Fitted::Size size;
  add_size(result.x, size);
  if (!can_tell || !(size.norm < kInside * problem.set->radius())) return false;
  std::vector<double> u(static_cast<std::size_t>(problem.d()));
  multiply_transposed(*problem.A, result.y, u);
  for (double& u_j : u) u_j /= -static_cast<double>(problem.n());
  return problem.set->dead_zone(u, problem.regulariser->curvatures()).multiplier == 0;
}

}  // namespace pdbfw
