#include <fmt/format.h>

#include <string>

#include "io/model_text.hpp"
#include "io/native_model.hpp"

namespace pdbfw {
namespace {

void check_vector(std::string_view field, const SparseVector& vector) {
  if (vector.at.size() != vector.value.size())
    throw InputError(field, fmt::format("{} indices, {} values", vector.at.size(), vector.value.size()),
                     "as many of both");
  Index last = -1;
  for (const Index at : vector.at) {
    if (at <= last || at >= vector.size)
      throw InputError(field, fmt::format("index {} after {}", at, last),
                       fmt::format("indices ascend from 0 to {}", vector.size - 1));
    last = at;
  }
  for (const double value : vector.value) check_model_number(field, value);
}

void check_labels(const std::array<double, 2>& labels) {
  check_model_number("labels", labels[0]);
  check_model_number("labels", labels[1]);
  if (labels[0] == labels[1]) throw InputError("labels", fmt::format("{} twice", labels[0]), "two numbers that differ");
}

void write_formulation(TextSink& sink, const Model& model) {
  const Formulation& formulation = model.formulation;
  const Formulation defaults;
  write_line(sink, "loss {}", formulation.loss);
  if (formulation.loss == "smooth_hinge" || formulation.smoothing != defaults.smoothing)
    write_line(sink, "smoothing {}", formulation.smoothing);
  if (formulation.loss == "huber" || formulation.huber_width != defaults.huber_width)
    write_line(sink, "huber_width {}", formulation.huber_width);
  write_line(sink, "set {}", formulation.set);
  write_line(sink, "radius {}", formulation.radius);
  write_line(sink, "ridge {}", formulation.ridge.weight(static_cast<double>(model.samples)));
  if (formulation.intercept) write_line(sink, "learns_intercept 1");
  const ClassWeight& by_class = formulation.class_weight;
  if (by_class.is_balanced)
    write_line(sink, "class_weight balanced");
  else if (!by_class.is_none())
    write_line(sink, "class_weight {} {}", by_class.negative, by_class.positive);
  if (model.has_sample_weight) write_line(sink, "sample_weight 1");
  if (formulation.standardise) write_line(sink, "standardise 1");
  if (model.has_penalty_weight) write_line(sink, "penalty_weight 1");
}

void write_entries(TextSink& sink, const SparseVector& vector) {
  for (std::size_t k = 0; k < vector.at.size(); ++k) write_line(sink, "{} {}", vector.at[k] + 1, vector.value[k]);
}

}  // namespace

void check_native_model(const Model& model) {
  const Formulation& formulation = model.formulation;
  check_model_name("loss", formulation.loss);
  check_model_name("set", formulation.set);
  check_model_number("radius", formulation.radius);
  check_model_number("ridge", formulation.ridge.weight(static_cast<double>(model.samples)));
  check_model_number("smoothing", formulation.smoothing);
  check_model_number("huber_width", formulation.huber_width);
  check_model_number("intercept", model.intercept);
  if (model.sigmoid) check_model_number("sigmoid", model.sigmoid->slope);
  if (model.sigmoid) check_model_number("sigmoid", model.sigmoid->offset);
  check_model_number("class_weight", formulation.class_weight.negative);
  check_model_number("class_weight", formulation.class_weight.positive);
  for (const double factor : formulation.ridge_scale) check_model_number("ridge_scale", factor);
  if (!formulation.ridge_scale.empty() && static_cast<Index>(formulation.ridge_scale.size()) != model.weights.size)
    throw InputError("ridge_scale", fmt::format("{} factors", formulation.ridge_scale.size()),
                     fmt::format("one for each of the {} features", model.weights.size));
  Index last = -1;
  for (const Index j : formulation.free_features) {
    if (j <= last || j >= model.weights.size)
      throw InputError("free_features", fmt::format("{} after {}", j, last),
                       fmt::format("features ascend from 0 to {}", model.weights.size - 1));
    last = j;
  }
  if (model.labels) check_labels(*model.labels);
  if (model.samples < 0) throw InputError("samples", fmt::format("{}", model.samples), "a number >= 0");
  check_vector("weights", model.weights);
  if (model.proof) check_vector("proof", *model.proof);
  if (model.proof && model.proof->size != model.samples)
    throw InputError("proof", fmt::format("{} entries", model.proof->size),
                     fmt::format("one for each of the {} samples", model.samples));
  if (model.certificate) check_model_certificate(*model.certificate);
}

void write_native_model(TextSink& sink, const Model& model) {
  check_native_model(model);
  write_line(sink, "{} 1", kNativeMagic);
  write_formulation(sink, model);
  if (model.labels) write_line(sink, "labels {} {}", (*model.labels)[0], (*model.labels)[1]);
  write_line(sink, "features {}", model.weights.size);
  write_line(sink, "samples {}", model.samples);
  write_training(sink, model.status, model.certificate);
  write_line(sink, "intercept {}", model.intercept);
  if (model.sigmoid) write_line(sink, "sigmoid {} {}", model.sigmoid->slope, model.sigmoid->offset);
  write_line(sink, "weights {}", model.weights.at.size());
  write_entries(sink, model.weights);
  const std::vector<double>& ridge_scale = model.formulation.ridge_scale;
  if (!ridge_scale.empty()) write_line(sink, "ridge_scale {}", ridge_scale.size());
  for (std::size_t j = 0; j < ridge_scale.size(); ++j) write_line(sink, "{} {}", j + 1, ridge_scale[j]);
  const std::vector<Index>& free = model.formulation.free_features;
  if (!free.empty()) write_line(sink, "free_features {}", free.size());
  for (const Index j : free) write_line(sink, "{}", j + 1);
  if (model.proof) {
    write_line(sink, "proof {} {}", model.proof->size, model.proof->at.size());
    write_entries(sink, *model.proof);
  }
  write_line(sink, "end");
}

}  // namespace pdbfw
