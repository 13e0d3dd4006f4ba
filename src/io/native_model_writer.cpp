#include <fmt/format.h>

#include <cmath>
#include <string>

#include "io/native_model.hpp"

namespace pdbfw {
namespace {

void check_finite(std::string_view field, double number) {
  if (!std::isfinite(number)) throw InputError(field, fmt::format("{}", number), "a finite number");
}

void check_name(std::string_view field, const std::string& name) {
  if (!is_model_name(name)) throw InputError(field, fmt::format("'{}'", name), "small letters, digits and _");
}

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
  for (const double value : vector.value) check_finite(field, value);
}

// Infinite gaps are honest, NaN is not.
void check_certificate(const Certificate& certificate) {
  const auto check = [](std::string_view field, double number, double infinity) {
    if (!std::isfinite(number) && number != infinity)
      throw InputError(field, fmt::format("{}", number), fmt::format("a finite number or {}", infinity));
  };
  check_finite("primal", certificate.primal);
  check("dual", certificate.dual, -HUGE_VAL);
  check("gap", certificate.gap, HUGE_VAL);
  check("relative_gap", certificate.relative_gap, HUGE_VAL);
  check_finite("violation", certificate.violation);
}

void check_labels(const std::array<double, 2>& labels) {
  check_finite("labels", labels[0]);
  check_finite("labels", labels[1]);
  if (labels[0] == labels[1]) throw InputError("labels", fmt::format("{} twice", labels[0]), "two numbers that differ");
}

// fmt prints the shortest decimal that reads back as the same double, whatever the locale.
template <class... Words>
void write_line(TextSink& sink, fmt::format_string<Words...> format, Words&&... words) {
  sink.write(fmt::format(format, std::forward<Words>(words)...));
  sink.write("\n");
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
  write_line(sink, "ridge {}", formulation.ridge.weight(model.samples));
}

void write_training(TextSink& sink, const Model& model) {
  if (model.status) write_line(sink, "status {}", to_string(*model.status));
  if (!model.certificate) return;
  write_line(sink, "primal {}", model.certificate->primal);
  write_line(sink, "dual {}", model.certificate->dual);
  write_line(sink, "gap {}", model.certificate->gap);
  write_line(sink, "relative_gap {}", model.certificate->relative_gap);
  write_line(sink, "violation {}", model.certificate->violation);
}

void write_entries(TextSink& sink, const SparseVector& vector) {
  for (std::size_t k = 0; k < vector.at.size(); ++k) write_line(sink, "{} {}", vector.at[k] + 1, vector.value[k]);
}

}  // namespace

void check_native_model(const Model& model) {
  const Formulation& formulation = model.formulation;
  check_name("loss", formulation.loss);
  check_name("set", formulation.set);
  check_finite("radius", formulation.radius);
  check_finite("ridge", formulation.ridge.weight(model.samples));
  check_finite("smoothing", formulation.smoothing);
  check_finite("huber_width", formulation.huber_width);
  check_finite("intercept", model.intercept);
  for (const double factor : formulation.ridge_scale) check_finite("ridge_scale", factor);
  if (!formulation.ridge_scale.empty() && static_cast<Index>(formulation.ridge_scale.size()) != model.weights.size)
    throw InputError("ridge_scale", fmt::format("{} factors", formulation.ridge_scale.size()),
                     fmt::format("one for each of the {} features", model.weights.size));
  if (model.labels) check_labels(*model.labels);
  if (model.samples < 0) throw InputError("samples", fmt::format("{}", model.samples), "a number >= 0");
  check_vector("weights", model.weights);
  if (model.proof) check_vector("proof", *model.proof);
  if (model.proof && model.proof->size != model.samples)
    throw InputError("proof", fmt::format("{} entries", model.proof->size),
                     fmt::format("one for each of the {} samples", model.samples));
  if (model.certificate) check_certificate(*model.certificate);
}

void write_native_model(TextSink& sink, const Model& model) {
  check_native_model(model);
  write_line(sink, "{} 1", kNativeMagic);
  write_formulation(sink, model);
  if (model.labels) write_line(sink, "labels {} {}", (*model.labels)[0], (*model.labels)[1]);
  write_line(sink, "features {}", model.weights.size);
  write_line(sink, "samples {}", model.samples);
  write_training(sink, model);
  write_line(sink, "intercept {}", model.intercept);
  write_line(sink, "weights {}", model.weights.at.size());
  write_entries(sink, model.weights);
  const std::vector<double>& ridge_scale = model.formulation.ridge_scale;
  if (!ridge_scale.empty()) write_line(sink, "ridge_scale {}", ridge_scale.size());
  for (std::size_t j = 0; j < ridge_scale.size(); ++j) write_line(sink, "{} {}", j + 1, ridge_scale[j]);
  if (model.proof) {
    write_line(sink, "proof {} {}", model.proof->size, model.proof->at.size());
    write_entries(sink, *model.proof);
  }
  write_line(sink, "end");
}

}  // namespace pdbfw
