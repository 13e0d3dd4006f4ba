#include "cli/labelled_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "linalg/row_range.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw::cli {
namespace {

LabelledData with_labels(MultilabelDataset data, std::span<const double> known) {
  std::vector<Index> known_ids;
  for (const double name : known) known_ids.push_back(static_cast<Index>(name));
  if (!known_ids.empty()) data = place_labels(std::move(data), known_ids);
  return {data.A, std::move(data.labels), {data.ids.begin(), data.ids.end()}, false};
}

LabelledData with_classes(const Dataset& data, const std::string& name, std::span<const double> known) {
  try {
    Classes classes = known.empty() ? encode_classes(data.target) : encode_classes(data.target, known);
    LabelledData out{data.A, {}, std::move(classes.original), true};
    for (std::size_t i = 1; i <= classes.index.size(); ++i) out.labels.offsets.push_back(static_cast<Index>(i));
    out.labels.place = std::move(classes.index);
    return out;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

// The numbers stand in a .npy file beside the data: --labels.
LabelledData with_numbers(const DataArgument& data, ReadOptions options) {
  const std::string file = std::exchange(options.labels, "");
  LabelledData out;
  if (!file.empty()) {
    const NumberArray array = read_npy(file);
    if (array.is_complex) throw InputError(fmt::format("{}: complex numbers: real ones are needed", file));
    if (array.shape.size() > 2)
      throw InputError(fmt::format("{}: {} dimensions: at most two are needed", file, array.shape.size()));
    const Index columns = array.shape.size() == 2 ? array.shape[1] : 1;
    out.numbers = Eigen::Map<const Matrix>(array.real.data(), array.shape[0], columns);
  } else if (options.needs_targets) {
    throw InputError("labels", "none", "a .npy file of numbers, a row for every row of the data, for targets numbers");
  }
  options.needs_targets = false;
  out.A = read_dataset(data.path(), options).A;
  if (out.has_numbers() && out.numbers.rows() != out.A->rows())
    throw InputError(file, fmt::format("{} rows", out.numbers.rows()),
                     fmt::format("{}, as many as {} has", out.A->rows(), data.name()));
  return out;
}

bool has_several_labels(const LabelLists& labels) {
  for (Index i = 0; i < labels.rows(); ++i)
    if (labels[i].size() > 1) return true;
  return false;
}

// A row without a label, which is none with a class either, may come before the first one with several.
std::optional<MultilabelDataset> try_several_labels(const DataArgument& data, const ReadOptions& options) {
  try {
    MultilabelDataset read = read_multilabel(data.path(), options);
    if (has_several_labels(read.labels)) return read;
  } catch (const InputError&) {
    // No labels, then: what is wrong with the classes is told.
  }
  return std::nullopt;
}

// Whichever reader goes through. Where both fail, the mistake is that of the reader that understood the labels.
LabelledData read_either(const DataArgument& data, const ReadOptions& options, std::span<const double> known) {
  try {
    return with_classes(read_dataset(data.path(), options), data.name(), known);
  } catch (const SeveralLabels&) {
    if (data.path() == "-") throw;
    return with_labels(read_multilabel(data.path(), options), known);
  } catch (const InputError&) {
    if (data.path() == "-") throw;
    if (std::optional<MultilabelDataset> read = try_several_labels(data, options))
      return with_labels(std::move(*read), known);
    throw;
  }
}

}  // namespace

Targets targets_of(const std::string& loss) {
  if (loss == "softmax" || loss == "multiclass_hinge") return Targets::classes;
  return loss.starts_with("multilabel") ? Targets::labels : Targets::automatic;
}

LabelledData read_labelled(const DataArgument& data, const ReadOptions& options, Targets targets,
                           std::span<const double> known) {
  LabelledData out;
  switch (targets) {
    case Targets::automatic:
      out = read_either(data, options, known);
      break;
    case Targets::labels:
      out = with_labels(read_multilabel(data.path(), options), known);
      break;
    case Targets::classes:
      out = with_classes(read_dataset(data.path(), options), data.name(), known);
      break;
    case Targets::numbers:
      out = with_numbers(data, options);
      break;
  }
  if (out.A->columns() == 0) throw InputError(data.name(), "no features", "at least one feature in at least one row");
  return out;
}

Matrix target_matrix(const LabelledData& data, bool wants_classes, Index columns) {
  if (data.has_numbers()) return data.numbers;
  const Index n = data.labels.rows();
  if (wants_classes) {
    Matrix B(n, 1);
    for (Index i = 0; i < n; ++i) B(i, 0) = static_cast<double>(data.labels[i].front());
    return B;
  }
  Matrix B = Matrix::Constant(n, columns, -1);
  for (Index i = 0; i < n; ++i)
    for (const Index label : data.labels[i])
      if (label < columns) B(i, label) = 1;
  return B;
}

LabelledData rows_of(const LabelledData& data, Index first, Index last) {
  LabelledData out{row_range(*data.A, first, last), {}, data.names, data.has_classes};
  for (Index i = first; i < last && data.labels.rows() > 0; ++i) {
    const std::span<const Index> own = data.labels[i];
    out.labels.place.insert(out.labels.place.end(), own.begin(), own.end());
    out.labels.offsets.push_back(static_cast<Index>(out.labels.place.size()));
  }
  if (data.has_numbers()) out.numbers = data.numbers.middleRows(first, last - first);
  return out;
}

}  // namespace pdbfw::cli
