#include "pdbfw/model.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "core/verdict.hpp"
#include "exchange.hpp"
#include "io/models/model_file.hpp"

namespace pdbfw::python {
namespace {

Status status_of(const std::string& name) {
  if (const std::optional<Status> status = to_status(name)) return *status;
  throw InputError("status", "'" + name + "'", "one that a solve ends with");
}

nb::dict to_dict(const Model& model) {
  const Certificate* const certificate = model.certificates.empty() ? nullptr : &model.certificates.front();
  nb::dict options, d;
  options["loss"] = nb::str(model.formulation.loss.c_str());
  options["set"] = nb::str(model.formulation.set.c_str());
  options["radius"] = model.formulation.radius;
  options["ridge"] = model.formulation.ridge.value;
  options["intercept"] = model.formulation.intercept;
  options["standardise"] = model.formulation.standardise;
  options["smoothing"] = model.formulation.smoothing;
  options["huber_width"] = model.formulation.huber_width;
  d["options"] = options;
  d["has_sample_weight"] = model.has_sample_weight || !model.formulation.class_weight.is_none();
  d["has_penalty_weight"] = model.has_penalty_weight;
  d["free_features"] = to_array(model.formulation.free_features);
  d["weights"] = to_array(model.weights.front().dense());
  d["intercept"] = model.intercept();
  d["labels"] = model.classes.empty() ? nb::none() : nb::object(nb::make_tuple(model.classes[0], model.classes[1]));
  d["status"] = certificate ? nb::object(nb::str(std::string(to_string(model.statuses.front())).c_str())) : nb::none();
  d["certificate"] = certificate ? nb::object(certificate_to_dict(*certificate)) : nb::none();
  d["y"] = model.proof.empty() ? nb::none() : nb::object(to_array(model.proof.front().dense()));
  return d;
}

}  // namespace

void bind_model(nb::module_& module) {
  using Labels = std::pair<double, double>;

  module.def(
      "write_model",
      [](const std::string& path, const nb::dict& options, const Numbers& weights, double intercept, const Numbers& y,
         const std::optional<Labels>& labels, const std::string& status, const nb::dict& certificate,
         bool has_sample_weight, bool has_penalty_weight, const Integers& free_features) {
        Model model;
        model.formulation = request_of(options).formulation;
        model.samples = static_cast<Index>(y.size());
        model.formulation.ridge = {model.formulation.ridge.weight(static_cast<double>(model.samples)), false};
        model.formulation.free_features = as_vector(free_features);
        model.weights = {SparseVector::of(as_span(weights))};
        model.has_sample_weight = has_sample_weight;
        model.has_penalty_weight = has_penalty_weight;
        model.intercepts = {intercept};
        if (labels) model.classes = {labels->first, labels->second};
        model.statuses = {status_of(status)};
        model.certificates = {certificate_from(certificate)};
        model.proof = {SparseVector::of(as_span(y))};
        write_model(path, model, format_by_name(path));
      },
      "path"_a, "options"_a, nb::kw_only(), "weights"_a, "intercept"_a, "y"_a, "labels"_a.none(), "status"_a,
      "certificate"_a, "has_sample_weight"_a, "has_penalty_weight"_a, "free_features"_a);

  module.def(
      "read_model",
      [](const std::string& path) {
        const Model model = read_model(path);
        if (model.kind != ModelKind::vector)
          throw InputError(path, "a model of the kind " + std::string(to_string(model.kind)), "of the kind vector");
        return to_dict(model);
      },
      "path"_a);
}

}  // namespace pdbfw::python
