#include <fmt/format.h>

#include <set>
#include <string>

#include "io/classes_model_text.hpp"
#include "io/model_text.hpp"

namespace pdbfw {
namespace {

void check_count(std::string_view field, std::size_t count, std::size_t expected) {
  if (count != expected) throw InputError(field, fmt::format("{} of them", count), fmt::format("{}", expected));
}

// None, or so many.
void check_optional(std::string_view field, std::size_t count, std::size_t expected) {
  if (count != 0) check_count(field, count, expected);
}

void check_column(std::string_view field, const SparseVector& column, Index size) {
  if (column.size != size)
    throw InputError(field, fmt::format("a vector of {}", column.size), fmt::format("vectors of {}", size));
  check_count(field, column.value.size(), column.at.size());
  Index last = -1;
  for (const Index at : column.at) {
    if (at <= last || at >= size)
      throw InputError(field, fmt::format("index {} after {}", at, last),
                       fmt::format("indices ascend from 0 to {}", size - 1));
    last = at;
  }
  for (const double value : column.value) check_model_number(field, value);
}

void write_columns(TextSink& sink, const std::vector<SparseVector>& columns) {
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (std::size_t e = 0; e < columns[k].at.size(); ++e)
      write_line(sink, "{} {} {}", k + 1, columns[k].at[e] + 1, columns[k].value[e]);
}

std::size_t entries(const std::vector<SparseVector>& columns) {
  std::size_t count = 0;
  for (const SparseVector& column : columns) count += column.at.size();
  return count;
}

void write_formulation(TextSink& sink, const ClassesModel& model) {
  const Formulation& f = model.formulation;
  write_line(sink, "strategy {}", to_string(model.strategy));
  write_line(sink, "loss {}", f.loss);
  write_line(sink, "smoothing {}", f.smoothing);
  write_line(sink, "set {}", f.set);
  write_line(sink, "radius {}", f.radius);
  write_line(sink, "ridge {}", f.ridge.value);
  write_line(sink, "ridge_per_sample {}", f.ridge.per_sample ? 1 : 0);
  if (f.intercept) write_line(sink, "learns_intercept 1");
  if (f.class_weight.is_balanced)
    write_line(sink, "class_weight balanced");
  else if (!f.class_weight.is_none())
    write_line(sink, "class_weight {} {}", f.class_weight.negative, f.class_weight.positive);
  if (model.has_sample_weight) write_line(sink, "sample_weight 1");
}

void write_certificates(TextSink& sink, const ClassesModel& model) {
  if (model.certificates.empty()) return;
  write_line(sink, "certificates {}", model.certificates.size());
  for (std::size_t k = 0; k < model.certificates.size(); ++k) {
    const Certificate& c = model.certificates[k];
    write_line(sink, "{} {} {} {} {} {}", to_string(model.statuses[k]), c.primal, c.dual, c.gap, c.relative_gap,
               c.violation);
  }
}

}  // namespace

std::string_view to_string(Strategy strategy) { return strategy == Strategy::joint ? "joint" : "one_vs_rest"; }

void check_classes_model(const ClassesModel& model) {
  const Formulation& f = model.formulation;
  const std::size_t classes = model.classes.size();
  check_model_name("loss", f.loss);
  check_model_name("set", f.set);
  for (const auto& [field, number] : {std::pair{"radius", f.radius},
                                      {"ridge", f.ridge.value},
                                      {"smoothing", f.smoothing},
                                      {"class_weight", f.class_weight.negative},
                                      {"class_weight", f.class_weight.positive}})
    check_model_number(field, number);
  if (model.samples < 0 || model.features < 0)
    throw InputError("samples and features", fmt::format("{} and {}", model.samples, model.features), "numbers >= 0");
  if (classes < 2) throw InputError("classes", fmt::format("{} of them", classes), "at least two");
  for (const double value : model.classes) check_model_number("classes", value);
  if (std::set<double>(model.classes.begin(), model.classes.end()).size() != classes)
    throw InputError("classes", "one twice", "all different");
  check_count("intercepts", model.intercepts.size(), classes);
  for (const double value : model.intercepts) check_model_number("intercepts", value);
  check_optional("sigmoids", model.sigmoids.size(), classes);
  for (const Sigmoid& sigmoid : model.sigmoids) {
    check_model_number("sigmoids", sigmoid.slope);
    check_model_number("sigmoids", sigmoid.offset);
  }
  check_optional("certificates", model.certificates.size(), model.strategy == Strategy::joint ? 1 : classes);
  check_count("statuses", model.statuses.size(), model.certificates.size());
  for (const Certificate& certificate : model.certificates) check_model_certificate(certificate);
  check_count("weights", model.weights.size(), classes);
  for (const SparseVector& column : model.weights) check_column("weights", column, model.features);
  check_optional("proof", model.proof.size(), classes);
  for (const SparseVector& column : model.proof) check_column("proof", column, model.samples);
}

void write_classes_text(TextSink& sink, const ClassesModel& model) {
  check_classes_model(model);
  write_line(sink, "{} 1", kClassesMagic);
  write_formulation(sink, model);
  write_line(sink, "features {}", model.features);
  write_line(sink, "samples {}", model.samples);
  write_line(sink, "classes {}", model.classes.size());
  for (const double value : model.classes) write_line(sink, "{}", value);
  write_certificates(sink, model);
  write_line(sink, "intercepts {}", model.intercepts.size());
  for (const double value : model.intercepts) write_line(sink, "{}", value);
  if (!model.sigmoids.empty()) write_line(sink, "sigmoids {}", model.sigmoids.size());
  for (const auto& [slope, offset] : model.sigmoids) write_line(sink, "{} {}", slope, offset);
  write_line(sink, "weights {}", entries(model.weights));
  write_columns(sink, model.weights);
  if (!model.proof.empty()) {
    write_line(sink, "proof {} {}", model.samples, entries(model.proof));
    write_columns(sink, model.proof);
  }
  write_line(sink, "end");
}

}  // namespace pdbfw
