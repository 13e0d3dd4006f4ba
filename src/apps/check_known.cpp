#include <fmt/format.h>

#include <algorithm>

#include "apps/fit_rules.hpp"
#include "apps/low_rank_registry.hpp"
#include "apps/model_problem.hpp"
#include "pdbfw/fit.hpp"

namespace pdbfw {
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

}  // namespace pdbfw
