// What a fit learns, and which requests it refuses.
#include "apps/fit_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/low_rank_registry.hpp"
#include "apps/model_problem.hpp"
#include "apps/registry.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw {
namespace {

// More different targets than this are numbers.
constexpr std::size_t kMostClasses = 1'000;

bool has_class_loss(const std::string& loss) { return loss == "softmax" || loss == "multiclass_hinge"; }

void require_calibration(const std::string& loss) {
  if (loss != "smooth_hinge" && loss != "squared_hinge")
    throw InputError("probabilities", fmt::format("loss {}", loss),
                     "for the losses smooth_hinge and squared_hinge; logistic and softmax give them anyway");
}

void check_penalty(const Formulation& formulation, const FitOptions& options) {
  for (const auto& [field, number] : {std::pair{"alpha", options.alpha}, {"cost", options.cost}})
    if (number && !(*number > 0 && std::isfinite(*number)))
      throw InputError(field, fmt::format("{}", *number), "a finite number > 0");
  const char* const field = options.alpha ? "alpha" : "cost";
  if (options.alpha && options.cost) throw InputError("alpha", "with a cost", "one of the two");
  if (formulation.set != "l1" && formulation.set != "nonnegative")
    throw InputError(field, "given", fmt::format("a radius for the set {}", formulation.set));
  if (options.start != nullptr)
    throw InputError("start", fmt::format("'{}'", options.start_name), "with a radius, not with a penalty");
  if (!options.checkpoints.path.empty())
    throw InputError(options.checkpoints.resumed ? "resume" : "checkpoint", "given",
                     "none for a penalty; give its radius");
}

void check_vector(const Formulation& formulation, const FitOptions& options) {
  validate(options.settings);
  static_cast<void>(target_kind(formulation));
  if (options.wants_probabilities) require_calibration(formulation.loss);
  if (options.alpha || options.cost) check_penalty(formulation, options);
}

void check_joint(const Formulation& formulation, const FitOptions& options) {
  if (!formulation.loss.empty() && !has_class_loss(formulation.loss))
    throw InputError("loss", fmt::format("'{}'", formulation.loss),
                     fmt::format("softmax or multiclass_hinge for the set {}", formulation.set));
  if (options.settings.solver != "auto" && options.settings.solver != "sequential")
    throw InputError("solver", fmt::format("'{}'", options.settings.solver), "auto for classes learnt jointly");
  validate_numbers(options.settings);
}

// What only models of one vector, or of one per class, can have.
void refuse_vector_options(const FitOptions& options, std::string_view kind) {
  for (const auto& [field, is_given] : {std::pair{"alpha", options.alpha.has_value()},
                                        {"cost", options.cost.has_value()},
                                        {"probabilities", options.wants_probabilities}})
    if (is_given) throw InputError(field, "given", fmt::format("none for {}", kind));
}

}  // namespace

ModelKind kind_of(const Formulation& formulation) {
  if (formulation.set == kTrace) return ModelKind::matrix;
  const bool is_joint = formulation.set == kPerClass || (formulation.set == "l1" && has_class_loss(formulation.loss));
  return is_joint ? ModelKind::joint : ModelKind::vector;
}

ModelKind kind_of(const Samples& samples, const Formulation& formulation) {
  const ModelKind kind = kind_of(formulation);
  if (kind != ModelKind::vector || samples.targets != Targets::one_per_row ||
      target_kind(formulation) != TargetKind::labels)
    return kind;
  const std::size_t different = different_targets(samples, kMostClasses + 1).size();
  const bool are_several =
      different > 2 && different <= kMostClasses && 2 * different <= static_cast<std::size_t>(samples.rows());
  return are_several ? ModelKind::one_vs_rest : ModelKind::vector;
}

std::string default_loss(const Samples& samples, const Formulation& formulation) {
  const ModelKind kind = kind_of(formulation);
  if (kind == ModelKind::vector) return Formulation{}.loss;
  if (kind == ModelKind::joint || samples.targets == Targets::one_per_row) return "softmax";
  return samples.targets == Targets::numbers ? "squared" : "multilabel_smooth_hinge";
}

TargetKind target_kind(const Formulation& formulation) {
  // The smallest problem there is; the target 1 fits every loss.
  MatrixPtr one = own_csr<double, std::int32_t>(1, 1, {0, 1}, {0}, {1.0});
  Formulation smallest = formulation;
  if (smallest.set == kPolytope) smallest.atoms = one;  // or whatever else lies in one dimension
  if (!smallest.ridge_scale.empty()) smallest.ridge_scale.resize(1);
  smallest.intercept = false;
  smallest.class_weight = {};
  smallest.sample_weight.clear();
  smallest.penalty_weight.clear();
  smallest.free_features.clear();
  smallest.standardise = false;
  return make_problem(std::move(one), {1.0}, smallest).loss->target_kind();
}

void check_fit(const Formulation& formulation, const FitOptions& options) {
  switch (kind_of(formulation)) {
    case ModelKind::matrix:
      refuse_vector_options(options, "the set trace");
      return validate_numbers(options.settings);
    case ModelKind::joint:
      refuse_vector_options(options, "classes learnt jointly");
      if (!options.checkpoints.path.empty()) throw InputError("checkpoint", "given", "none for classes learnt jointly");
      return check_joint(formulation, options);
    default:
      return check_vector(formulation, options);
  }
}

namespace {

void check_vector(const Model& model) {
  Formulation formulation = model.formulation;
  // The smallest factor stands for all: the problem that is tried has one feature.
  if (std::vector<double>& scale = formulation.ridge_scale; !scale.empty())
    scale = {*std::min_element(scale.begin(), scale.end())};
  const bool wants_classes = target_kind(formulation) == TargetKind::labels;
  if (wants_classes && model.classes.empty())
    throw InputError("classes", "none", fmt::format("two classes, because the loss is {}", formulation.loss));
  if (!wants_classes && !model.classes.empty())
    throw InputError("classes", fmt::format("{} {}", model.classes[0], model.classes[1]),
                     fmt::format("no classes, because the loss is {}", formulation.loss));
}

void check_joint(const Model& model) {
  Formulation f = model.formulation;
  f.intercept = false;
  f.class_weight = {};
  if (f.loss != "softmax" && f.loss != "multiclass_hinge")
    throw InputError("loss", f.loss, "softmax or multiclass_hinge");
  static_cast<void>(joint::make_problem(own_csr<double, std::int32_t>(1, 1, {0, 1}, {0}, {1.0}), {{0}, model.classes},
                                        f));  // the smallest problem there is
}

void check_matrix(const Model& model) {
  const Formulation& f = model.formulation;
  if (model.map != "rows") throw InputError("map", model.map, "rows: a model of pdbfw train");
  static_cast<void>(low_rank::make_spectral_set(f.set, f.radius));
  const bool wants_classes = low_rank::make_row_loss(f)->target_kind() == RowTargetKind::classes;
  if (wants_classes && model.classes.empty())
    throw InputError("classes", "none", fmt::format("classes, because the loss is {}", f.loss));
}

}  // namespace

Targets targets_of(const Model& model) {
  if (model.kind != ModelKind::matrix || !model.classes.empty()) return Targets::one_per_row;
  return model.labels.empty() ? Targets::numbers : Targets::labels;
}

void check_known(const Model& model) {
  switch (model.kind) {
    case ModelKind::vector:
      return check_vector(model);
    case ModelKind::one_vs_rest:
      if (target_kind(model.formulation) != TargetKind::labels)
        throw InputError("loss", model.formulation.loss, "one of two classes, because the kind is one_vs_rest");
      return;
    case ModelKind::joint:
      return check_joint(model);
    case ModelKind::matrix:
      return check_matrix(model);
  }
}

void check_known(const std::string& path, const Model& model) {
  try {
    check_known(model);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path == "-" ? "standard input" : path, error.what()));
  }
}

Model load_model(const std::string& path) {
  Model model = read_model(path);
  check_known(path, model);
  return model;
}

}  // namespace pdbfw
