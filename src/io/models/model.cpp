#include "pdbfw/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/machine_memory.hpp"
#include "io/models/model_file.hpp"

namespace pdbfw {
namespace {

void check_name(std::string_view field, const std::string& name) {
  if (!is_model_name(name)) throw InputError(field, fmt::format("'{}'", name), "small letters, digits and _");
}

void check_number(std::string_view field, double number) {
  if (!std::isfinite(number)) throw InputError(field, fmt::format("{}", number), "a finite number");
}

void check_numbers(std::string_view field, std::span<const double> numbers) {
  for (const double number : numbers) check_number(field, number);
}

void check_numbers(std::string_view field, const Matrix& matrix) {
  check_numbers(field, std::span(matrix.data(), static_cast<std::size_t>(matrix.size())));
}

// None, or one for each of `expected`.
void check_count(std::string_view field, std::size_t count, Index expected) {
  if (count != 0 && static_cast<Index>(count) != expected)
    throw InputError(field, fmt::format("{} of them", count), fmt::format("none, or {}", expected));
}

template <class T>
void check_different(std::string_view field, const std::vector<T>& things) {
  if (std::set<T>(things.begin(), things.end()).size() != things.size())
    throw InputError(field, "one twice", "all different");
}

void check_ascending(std::string_view field, const std::vector<Index>& indices, Index size) {
  Index last = -1;
  for (const Index at : indices) {
    if (at <= last || at >= size)
      throw InputError(field, fmt::format("index {} after {}", at, last),
                       fmt::format("indices ascend from 0 to {}", size - 1));
    last = at;
  }
}

void check_column(std::string_view field, const SparseVector& column, Index size) {
  if (column.size != size)
    throw InputError(field, fmt::format("a vector of {}", column.size), fmt::format("vectors of {}", size));
  if (column.at.size() != column.value.size())
    throw InputError(field, fmt::format("{} indices, {} values", column.at.size(), column.value.size()),
                     "as many of both");
  check_ascending(field, column.at, size);
  check_numbers(field, column.value);
}

void check_formulation(const Model& model) {
  const Formulation& f = model.formulation;
  check_name("loss", f.loss);
  check_name("set", f.set);
  for (const auto& [field, number] : {std::pair{"radius", f.radius},
                                      {"ridge", f.ridge.value},
                                      {"smoothing", f.smoothing},
                                      {"huber_width", f.huber_width},
                                      {"class_weight", f.class_weight.negative},
                                      {"class_weight", f.class_weight.positive}})
    check_number(field, number);
  if (model.samples < 0) throw InputError("samples", fmt::format("{}", model.samples), "a number >= 0");
  check_count("ridge_scale", f.ridge_scale.size(), model.features());
  check_numbers("ridge_scale", f.ridge_scale);
  check_ascending("free_features", f.free_features, model.features());
}

void check_columns(const Model& model) {
  if (static_cast<Index>(model.weights.size()) != model.outputs())
    throw InputError("weights", fmt::format("{} vectors", model.weights.size()),
                     fmt::format("{}, one per output", model.outputs()));
  for (const SparseVector& column : model.weights) check_column("weights", column, model.features());
  check_count("proof", model.proof.size(), model.outputs());
  for (const SparseVector& column : model.proof) check_column("proof", column, model.samples);
  check_count("intercepts", model.intercepts.size(), model.outputs());
  check_numbers("intercepts", model.intercepts);
}

void check_factors(const Factors& X) {
  if (X.U.cols() != X.rank() || X.V.cols() != X.rank())
    throw InputError("factors",
                     fmt::format("{} and {} columns for {} singular values", X.U.cols(), X.V.cols(), X.rank()),
                     "as many of all three");
  if (X.rank() > std::min(X.rows(), X.columns()))
    throw InputError("factors", fmt::format("rank {}", X.rank()),
                     fmt::format("at most {}, the smaller size", std::min(X.rows(), X.columns())));
  check_numbers("factors", X.U);
  check_numbers("factors", X.V);
  check_numbers("factors", Matrix(X.s));
}

void check_matrix(const Model& model) {
  check_name("map", model.map);
  check_factors(model.factors);
  if (model.matrix_proof.size() != 0 && model.matrix_proof.rows() != model.samples)
    throw InputError("proof", fmt::format("{} rows", model.matrix_proof.rows()),
                     fmt::format("one for each of the {} samples", model.samples));
  check_numbers("proof", model.matrix_proof);
  const Index rows = model.features(), columns = model.outputs();
  check_count("labels", model.labels.size(), columns);
  if (!model.classes.empty() && !model.labels.empty()) throw InputError("labels", "given", "none beside classes");
  for (const Index label : model.labels)
    if (label < 0) throw InputError("labels", fmt::format("{}", label), "whole numbers from 0 up");
  check_different("labels", model.labels);
  check_count("row_names", model.row_names.size(), rows);
  check_count("column_names", model.column_names.size(), columns);
  for (const auto* names : {&model.row_names, &model.column_names}) {
    for (const std::string& name : *names)
      if (name.empty()) throw InputError("names", "an empty one", "texts that are not empty");
    check_different("names", *names);
  }
  check_number("mean", model.mean);
  check_count("row_means", model.row_means.size(), rows);
  check_numbers("row_means", model.row_means);
  check_count("column_means", model.column_means.size(), columns);
  check_numbers("column_means", model.column_means);
}

void check_classes(const Model& model) {
  const bool is_vector = model.kind == ModelKind::vector;
  check_count("classes", model.classes.size(), is_vector ? 2 : model.outputs());
  if (!is_vector && model.kind != ModelKind::matrix && model.outputs() < 2)
    throw InputError("classes", fmt::format("{} of them", model.outputs()), "at least two");
  check_numbers("classes", model.classes);
  check_different("classes", model.classes);
  check_count("sigmoids", model.sigmoids.size(), model.outputs());
  for (const Sigmoid& sigmoid : model.sigmoids) check_numbers("sigmoids", std::vector{sigmoid.slope, sigmoid.offset});
}

// Infinite gaps are honest, NaN is not.
void check_certificate(const Certificate& certificate) {
  const auto check = [](std::string_view field, double number, double infinity) {
    if (!std::isfinite(number) && number != infinity)
      throw InputError(field, fmt::format("{}", number), fmt::format("a finite number or {}", infinity));
  };
  check_number("primal", certificate.primal);
  check("dual", certificate.dual, -HUGE_VAL);
  check("gap", certificate.gap, HUGE_VAL);
  check("relative_gap", certificate.relative_gap, HUGE_VAL);
  check_number("violation", certificate.violation);
}

}  // namespace

SparseVector SparseVector::of(std::span<const double> dense) {
  SparseVector sparse;
  sparse.size = static_cast<Index>(dense.size());
  for (std::size_t j = 0; j < dense.size(); ++j) {
    if (dense[j] == 0) continue;
    sparse.at.push_back(static_cast<Index>(j));
    sparse.value.push_back(dense[j]);
  }
  return sparse;
}

std::vector<double> SparseVector::dense() const {
  if (size < 0 || size > machine_memory_bytes() / static_cast<Index>(sizeof(double)))
    throw InputError("size", fmt::format("{}", size), "a vector that fits into this machine's memory");
  std::vector<double> all(static_cast<std::size_t>(size), 0.0);
  for (std::size_t k = 0; k < at.size(); ++k) all[static_cast<std::size_t>(at[k])] = value[k];
  return all;
}

std::string_view to_string(ModelKind kind) { return kModelKinds[static_cast<std::size_t>(kind)]; }

Index Model::features() const {
  if (kind == ModelKind::matrix) return factors.rows();
  return weights.empty() ? 0 : weights.front().size;
}

Index Model::outputs() const {
  if (kind == ModelKind::matrix) return factors.columns();
  return kind == ModelKind::vector ? 1 : static_cast<Index>(classes.size());
}

double Model::intercept(Index output) const {
  return intercepts.empty() ? 0 : intercepts[static_cast<std::size_t>(output)];
}

Index certificates_of(ModelKind kind, Index outputs) { return kind == ModelKind::one_vs_rest ? outputs : 1; }

void check_model(const Model& model) {
  check_formulation(model);
  if (model.kind == ModelKind::matrix)
    check_matrix(model);
  else
    check_columns(model);
  check_classes(model);
  check_count("certificates", model.certificates.size(), certificates_of(model.kind, model.outputs()));
  if (model.statuses.size() != model.certificates.size())
    throw InputError("statuses", fmt::format("{} of them", model.statuses.size()),
                     fmt::format("{}, one per certificate", model.certificates.size()));
  for (const Certificate& certificate : model.certificates) check_certificate(certificate);
}

}  // namespace pdbfw
