#include "io/data/read_options.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "base/machine_memory.hpp"
#include "io/bytes/input.hpp"
#include "io/bytes/text.hpp"
#include "io/bytes/zip_archive.hpp"
#include "io/data/idx_reader.hpp"
#include "io/data/matrix_market_reader.hpp"
#include "io/data/npy_reader.hpp"
#include "io/data/row_store.hpp"

namespace pdbfw {
namespace {

std::vector<float> as_floats(std::span<const double> values) {
  require_floats(values);
  return {values.begin(), values.end()};
}

template <class Entry>
MatrixPtr narrowed(const SparseLines<double, Entry>& rows) {
  return own_csr<float, Entry>(rows.count, rows.length, {rows.offsets.begin(), rows.offsets.end()},
                               {rows.at.begin(), rows.at.end()}, as_floats(rows.value));
}

MatrixPtr narrowed(const DenseLines<double>& rows) {
  return own_dense_rows<float>(rows.count, rows.length, as_floats(rows.value));
}

template <class FloatLines>
MatrixPtr narrowed(const FloatLines&) {
  return nullptr;  // is narrow already
}

// `A` keeps the arrays, which are shared.
template <class Value, class Entry>
MatrixPtr widened(const MatrixPtr& A, SparseLines<Value, Entry> rows, Index columns) {
  rows.length = columns;
  return std::make_shared<const DataMatrix>(rows, DataMatrix::Orientation::by_row, A);
}

template <class Value>
MatrixPtr widened(const MatrixPtr&, const DenseLines<Value>& rows, Index columns) {
  std::vector<Index> offsets;
  std::vector<Index> at(rows.value.size());
  for (Index i = 0; i <= rows.count; ++i) offsets.push_back(i * rows.length);
  for (std::size_t k = 0; k < at.size(); ++k) at[k] = static_cast<Index>(k) % rows.length;
  return own_csr<Value, Index>(rows.count, columns, std::move(offsets), std::move(at),
                               {rows.value.begin(), rows.value.end()});
}

// A file that is called so but does not begin so is refused by the reader for the name, which says why.
constexpr std::array<std::pair<std::string_view, DataFormat>, 5> kEndings = {{{".csv", DataFormat::csv},
                                                                              {".tsv", DataFormat::csv},
                                                                              {".mtx", DataFormat::matrix_market},
                                                                              {".npy", DataFormat::npy},
                                                                              {".npz", DataFormat::npz}}};

}  // namespace

void check_read_options(const ReadOptions& options) {
  const Index most = most_features_in_memory();
  if (options.min_features < 0 || options.min_features > most)
    throw InputError("min_features", fmt::format("{}", options.min_features),
                     fmt::format("0 .. {}, which this machine's memory can hold", most));
}

MatrixPtr fitted(const MatrixPtr& A, const ReadOptions& options) {
  MatrixPtr fit = A;
  if (options.float32) {
    const MatrixPtr narrow = std::visit([](const auto& rows) { return narrowed(rows); }, A->by_row());
    if (narrow) fit = narrow;
  }
  if (options.min_features > A->columns())
    fit = std::visit([&](const auto& rows) { return widened(fit, rows, options.min_features); }, fit->by_row());
  return fit;
}

void require_usable(Index rows, Index columns, const std::string& name) {
  if (rows == 0) fail(name, "no samples");
  if (columns > most_features_in_memory())
    fail(name, fmt::format("weights for {} features do not fit into this machine's memory", columns));
}

void check_targets(const Dataset& data) {
  if (data.A == nullptr || static_cast<Index>(data.target.size()) != data.A->rows())
    throw InputError("target", fmt::format("{} of them", data.target.size()), "one for each row of the matrix");
  for (const double target : data.target)
    if (!std::isfinite(target)) throw InputError("target", fmt::format("{}", target), "a finite number");
}

std::vector<double> targets_for(Index rows, GivenTargets given, const std::string& name, bool needs_targets) {
  if (!given && !needs_targets) {
    if (rows > most_features_in_memory())
      throw InputError(fmt::format("{}: {} rows do not fit into this machine's memory", name, rows));
    return std::vector<double>(static_cast<std::size_t>(rows));
  }
  if (!given) throw InputError(fmt::format("{}: these data hold no labels: name their file as labels", name));
  if (static_cast<Index>(given->size()) != rows)
    throw InputError(fmt::format("{}: {} rows, but {} labels are given", name, rows, given->size()));
  return *std::move(given);
}

DataFormat recognise_format(std::string_view head, std::string_view path, DataFormat asked) {
  if (asked != DataFormat::automatic) return asked;
  if (head.starts_with(kCacheMagic)) return DataFormat::cache;
  if (is_npy(head)) return DataFormat::npy;
  if (is_zip(head)) return DataFormat::npz;
  if (is_idx(head)) return DataFormat::idx;
  if (is_matrix_market(head)) return DataFormat::matrix_market;
  for (const std::string_view packed : {".gz", ".bz2", ".xz", ".zst", ".zstd"})
    if (path.ends_with(packed)) {
      path.remove_suffix(packed.size());
      break;
    }
  for (const auto& [ending, format] : kEndings)
    if (path.ends_with(ending)) return format;
  return DataFormat::libsvm;
}

std::vector<double> read_label_lines(ByteSource& source, const std::string& name) {
  TextLines lines(source, name);
  std::vector<double> labels;
  while (lines.next()) {
    const std::string_view word = lines.word();
    if (word.empty()) continue;
    labels.push_back(lines.number_in(word, "label"));
    lines.end_line();
  }
  return labels;
}

std::vector<double> read_labels(const std::string& path) {
  InputStream stream(path);
  const std::string_view head = stream.peek(kFormatBytes);
  const std::vector<double> labels = is_npy(head)   ? npy_labels(read_npy_array(stream, stream.name()))
                                     : is_idx(head) ? read_idx_labels(stream, stream.name())
                                                    : read_label_lines(stream, stream.name());
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!std::isfinite(labels[i]))
      throw InputError(fmt::format("{}: label {} is {}, not a finite number", stream.name(), i + 1, labels[i]));
  return labels;
}

}  // namespace pdbfw
