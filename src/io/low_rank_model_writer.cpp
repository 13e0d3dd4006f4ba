#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <set>
#include <span>
#include <string>

#include "io/low_rank_model_text.hpp"
#include "io/model_text.hpp"
#include "io/percent_text.hpp"

namespace pdbfw {
namespace {

void check_numbers(std::string_view field, std::span<const double> numbers) {
  for (const double number : numbers) check_model_number(field, number);
}

void check_matrix(std::string_view field, const Matrix& matrix) {
  check_numbers(field, {matrix.data(), static_cast<std::size_t>(matrix.size())});
}

// None, or one for each row or column.
void check_count(std::string_view field, std::size_t count, Index expected) {
  if (count != 0 && static_cast<Index>(count) != expected)
    throw InputError(field, fmt::format("{} of them", count), fmt::format("none, or {}", expected));
}

template <class T>
void check_different(std::string_view field, const std::vector<T>& things) {
  if (std::set<T>(things.begin(), things.end()).size() != things.size())
    throw InputError(field, "one twice", "all different");
}

void check_factors(const Factors& X) {
  if (X.U.cols() != X.rank() || X.V.cols() != X.rank())
    throw InputError("X", fmt::format("{} and {} columns for {} singular values", X.U.cols(), X.V.cols(), X.rank()),
                     "as many of all three");
  if (X.rank() > std::min(X.rows(), X.columns()))
    throw InputError("X", fmt::format("rank {}", X.rank()),
                     fmt::format("at most {}, the smaller size", std::min(X.rows(), X.columns())));
  check_matrix("X", X.U);
  check_matrix("X", X.V);
  check_numbers("X", {X.s.data(), static_cast<std::size_t>(X.s.size())});
}

void check_columns(const LowRankModel& model) {
  const Index rows = model.X.rows(), columns = model.X.columns();
  check_count("classes", model.classes.size(), columns);
  check_count("labels", model.labels.size(), columns);
  check_count("row_names", model.row_names.size(), rows);
  check_count("column_names", model.column_names.size(), columns);
  check_count("row_means", model.row_means.size(), rows);
  check_count("column_means", model.column_means.size(), columns);
  if (!model.classes.empty() && !model.labels.empty()) throw InputError("labels", "given", "none beside classes");
  check_numbers("classes", model.classes);
  check_different("classes", model.classes);
  for (const Index label : model.labels)
    if (label < 0) throw InputError("labels", fmt::format("{}", label), "whole numbers from 0 up");
  check_different("labels", model.labels);
  for (const auto* names : {&model.row_names, &model.column_names}) {
    for (const std::string& name : *names)
      if (name.empty()) throw InputError("names", "an empty one", "texts that are not empty");
    check_different("names", *names);
  }
  check_model_number("mean", model.mean);
  check_numbers("row_means", model.row_means);
  check_numbers("column_means", model.column_means);
}

void write_formulation(TextSink& sink, const LowRankModel& model) {
  const low_rank::Formulation& formulation = model.formulation;
  write_line(sink, "loss {}", formulation.loss);
  write_line(sink, "smoothing {}", formulation.smoothing);
  write_line(sink, "huber_width {}", formulation.huber_width);
  write_line(sink, "set {}", formulation.set);
  write_line(sink, "radius {}", formulation.radius);
  write_line(sink, "ridge {}", formulation.ridge.weight(static_cast<double>(model.samples)));
}

// A line for each row.
void write_matrix(TextSink& sink, std::string_view key, const Matrix& matrix) {
  write_line(sink, "{} {} {}", key, matrix.rows(), matrix.cols());
  if (matrix.cols() == 0) return;
  std::string line;
  for (Index i = 0; i < matrix.rows(); ++i) {
    line.clear();
    for (Index j = 0; j < matrix.cols(); ++j)
      fmt::format_to(std::back_inserter(line), "{}{}", matrix(i, j), j + 1 < matrix.cols() ? ' ' : '\n');
    sink.write(line);
  }
}

// COUNT lines, unless there are none.
template <class Things>
void write_list(TextSink& sink, std::string_view key, const Things& things) {
  if (things.empty()) return;
  write_line(sink, "{} {}", key, things.size());
  for (const auto& thing : things) write_line(sink, "{}", thing);
}

void write_names(TextSink& sink, std::string_view key, const std::vector<std::string>& names) {
  if (names.empty()) return;
  write_line(sink, "{} {}", key, names.size());
  for (const std::string& name : names) write_line(sink, "{}", percent_encoded(name));
}

}  // namespace

void check_low_rank_model(const LowRankModel& model) {
  const low_rank::Formulation& formulation = model.formulation;
  check_model_name("loss", formulation.loss);
  check_model_name("set", formulation.set);
  check_model_name("map", model.map);
  if (model.samples < 0) throw InputError("samples", fmt::format("{}", model.samples), "a number >= 0");
  check_model_number("radius", formulation.radius);
  check_model_number("ridge", formulation.ridge.weight(static_cast<double>(model.samples)));
  check_model_number("smoothing", formulation.smoothing);
  check_model_number("huber_width", formulation.huber_width);
  check_factors(model.X);
  check_columns(model);
  if (model.proof && model.proof->rows() != model.samples)
    throw InputError("proof", fmt::format("{} rows", model.proof->rows()),
                     fmt::format("one for each of the {} samples", model.samples));
  if (model.proof) check_matrix("proof", *model.proof);
  if (model.certificate) check_model_certificate(*model.certificate);
}

void write_low_rank_text(TextSink& sink, const LowRankModel& model) {
  check_low_rank_model(model);
  write_line(sink, "{} 1", kLowRankMagic);
  write_formulation(sink, model);
  write_line(sink, "map {}", model.map);
  write_line(sink, "samples {}", model.samples);
  write_line(sink, "rows {}", model.X.rows());
  write_line(sink, "columns {}", model.X.columns());
  write_training(sink, model.status, model.certificate);
  write_list(sink, "classes", model.classes);
  write_list(sink, "labels", model.labels);
  write_names(sink, "row_names", model.row_names);
  write_names(sink, "column_names", model.column_names);
  write_line(sink, "mean {}", model.mean);
  write_list(sink, "row_means", model.row_means);
  write_list(sink, "column_means", model.column_means);
  write_line(sink, "singular_values {}", model.X.rank());
  for (const double value : model.X.s) write_line(sink, "{}", value);
  write_matrix(sink, "left", model.X.U);
  write_matrix(sink, "right", model.X.V);
  if (model.proof) write_matrix(sink, "proof", *model.proof);
  write_line(sink, "end");
}

}  // namespace pdbfw
