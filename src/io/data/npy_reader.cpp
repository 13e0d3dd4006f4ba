#include "io/data/npy_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/bytes/input.hpp"
#include "io/bytes/output_file.hpp"
#include "io/bytes/text.hpp"
#include "io/bytes/zip_archive.hpp"
#include "io/data/read_options.hpp"
#include "io/data/row_store.hpp"

namespace pdbfw {
namespace {

void check_shape(const NpyArray& array) {
  constexpr std::size_t kMostDimensions = 3;
  if (array.header.shape.empty() || array.header.shape.size() > kMostDimensions)
    fail(array.name, fmt::format("the shape {}; one to three dimensions can be read", array.shape_text()));
  if (array.is_empty()) fail(array.name, fmt::format("the shape {} has no elements", array.shape_text()));
}

// Two numbers for each element: its parts.
NpyArray parts_of(const NpyArray& array) {
  NpyArray parts = array;
  parts.header.type.replace(1, std::string::npos, has_type(array, "c8") ? "f4" : "f8");
  parts.header.shape.push_back(2);
  return parts;
}

// Element k of C order, from 1: "entry 4", "row 1, column 4", "matrix 2, row 1, column 4".
std::string place_text(const std::vector<Index>& shape, Index k) {
  std::vector<Index> place(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0; k /= shape[axis]) place[axis] = k % shape[axis] + 1;
  if (place.size() == 1) return fmt::format("entry {}", place[0]);
  const std::string in_matrix = fmt::format("row {}, column {}", place[place.size() - 2], place.back());
  return place.size() == 2 ? in_matrix : fmt::format("matrix {}, {}", place[0], in_matrix);
}

// In C order, every `stride`-th number from `first` on.
std::vector<double> in_c_order(const NpyArray& array, std::span<const double> numbers, std::size_t first,
                               std::size_t stride) {
  const std::vector<Index>& shape = array.header.shape;
  std::vector<double> out(static_cast<std::size_t>(array.size()));
  std::vector<Index> place(shape.size(), 0);
  // In Fortran order the first index runs fastest: the step of an axis is the product of the sizes before it.
  std::vector<Index> step(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) step[axis] = step[axis - 1] * shape[axis - 1];
  Index from = 0;
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = numbers[first + stride * (array.header.is_fortran ? static_cast<std::size_t>(from) : k)];
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      from += step[axis];
      if (++place[axis] < shape[axis]) break;
      from -= step[axis] * shape[axis];
      place[axis] = 0;
    }
  }
  return out;
}

void check_finite(const NpyArray& array, const std::vector<double>& numbers) {
  const auto found = std::find_if(numbers.begin(), numbers.end(), [](double x) { return !std::isfinite(x); });
  if (found != numbers.end())
    fail(array.name,
         fmt::format("{}: {} is not a finite number", place_text(array.header.shape, found - numbers.begin()), *found));
}

// As NumPy writes it, version 1: padded so that the elements begin at a multiple of 64.
std::string header(std::string_view type, const std::vector<Index>& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  constexpr std::size_t kAlignment = 64, kBefore = 10;  // magic, version, length
  text.append(kAlignment - (kBefore + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  constexpr unsigned kByte = 8, kLowByte = 0xFF;
  return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(text.size() & kLowByte) +
         static_cast<char>(text.size() >> kByte) + text;
}

template <class T>
void write_array(TextSink& sink, std::string_view type, std::span<const T> values, const std::vector<Index>& shape) {
  double elements = 1;
  for (const Index size : shape) elements *= size < 0 ? NAN : static_cast<double>(size);
  if (elements != static_cast<double>(values.size()))
    throw InputError("shape", fmt::format("({})", fmt::join(shape, ", ")),
                     fmt::format("sizes whose product is {}, the number of values", values.size()));
  sink.write(header(type, shape));
  write_numbers(sink, values);
}

using Orientation = DataMatrix::Orientation;

// Mistakes that the rules of a matrix find begin with the file's name.
template <class Call>
auto under_name(const std::string& name, const Call& call) {
  try {
    return call();
  } catch (const InputError& error) {
    fail(name, error.what());
  }
}

struct Shape {
  Index rows = 0;
  Index columns = 0;
};

void check_shape(const Shape& shape, const std::string& name) {
  require_usable(shape.rows, shape.columns, name);
  if (shape.columns == 0) fail(name, "no columns");
}

// The first dimension counts the rows; what the others count lies in a row one after the other, as for images.
Shape matrix_shape(const NpyArray& array) {
  const std::vector<Index>& sizes = array.header.shape;
  if (sizes.size() < 2)
    fail(array.name, fmt::format("the shape {}; data have two dimensions, rows and columns", array.shape_text()));
  if (sizes.size() > 2 && array.header.is_fortran)
    fail(array.name, fmt::format("the shape {} in Fortran order; that is for two dimensions", array.shape_text()));
  const Shape shape{sizes[0], sizes[0] == 0 ? 0 : array.size() / sizes[0]};
  check_shape(shape, array.name);
  return shape;
}

// Whole numbers must be converted anyway: at once to what is wanted. float64 is narrowed with care, by fitted().
bool is_kept_narrow(const NpyArray& array, const ReadOptions& options) {
  return has_type(array, "f4") || (options.float32 && !has_type(array, "f8"));
}

template <class Value>
MatrixPtr dense_matrix(const NpyArray& array, const Shape& shape) {
  const bool is_by_row = !array.header.is_fortran;
  const Numbers<Value> values = numbers<Value>(array);
  DenseLines<Value> lines{is_by_row ? shape.rows : shape.columns, is_by_row ? shape.columns : shape.rows, values.view};
  for (Index k = 0; k < static_cast<Index>(lines.value.size()); ++k) {
    const Value value = lines.value[static_cast<std::size_t>(k)];
    if (std::isfinite(value)) [[likely]]
      continue;
    const Index line = k / lines.length, at = k % lines.length;
    fail(array.name, fmt::format("row {}, column {}: {} is not a finite number", (is_by_row ? line : at) + 1,
                                 (is_by_row ? at : line) + 1, value));
  }
  return std::make_shared<const DataMatrix>(lines, is_by_row ? Orientation::by_row : Orientation::by_column,
                                            values.storage);
}

Dataset dense_dataset(const NpyArray& array, const ReadOptions& options, GivenTargets targets) {
  const Shape shape = matrix_shape(array);
  Dataset data{nullptr, targets_for(shape.rows, std::move(targets), array.name, options.needs_targets)};
  data.A = is_kept_narrow(array, options) ? dense_matrix<float>(array, shape) : dense_matrix<double>(array, shape);
  return data;
}

NpyArray member(const ZipArchive& archive, const std::string& name, const std::string& key) {
  return read_npy_array(*archive.open(key + ".npy"), fmt::format("{}({}.npy)", name, key));
}

template <class T>
GrowingArray<T> copy_of(const Numbers<T>& numbers) {
  GrowingArray<T> copy;
  std::copy(numbers.view.begin(), numbers.view.end(), copy.extend(numbers.view.size()));
  return copy;
}

struct SparseArrays {
  std::string name;
  Orientation orientation;
  Shape shape;
  NpyArray offsets, at, value;
};

template <class Value, class Entry>
MatrixPtr sparse_matrix(const SparseArrays& arrays) {
  const bool is_by_row = arrays.orientation == Orientation::by_row;
  const Index rows = arrays.shape.rows, columns = arrays.shape.columns;
  OwnedLines<Value, Entry> lines{copy_of(numbers<Index>(arrays.offsets)), copy_of(numbers<Entry>(arrays.at)),
                                 copy_of(numbers<Value>(arrays.value))};
  return under_name(arrays.name, [&] {
    return own_lines(arrays.orientation, is_by_row ? rows : columns, is_by_row ? columns : rows, std::move(lines));
  });
}

template <class Value>
MatrixPtr sparse_matrix(const SparseArrays& arrays) {
  if (has_type(arrays.at, "i4")) return sparse_matrix<Value, std::int32_t>(arrays);
  return sparse_matrix<Value, std::int64_t>(arrays);
}

Shape sparse_shape(const ZipArchive& archive, const std::string& name) {
  const NpyArray array = member(archive, name, "shape");
  const Numbers<Index> sizes = numbers<Index>(array);
  if (sizes.view.size() != 2 || sizes.view[0] < 0 || sizes.view[1] < 0)
    fail(array.name, "not the two numbers of rows and columns");
  const Shape shape{sizes.view[0], sizes.view[1]};
  check_shape(shape, name);
  return shape;
}

Orientation sparse_orientation(const ZipArchive& archive, const std::string& name) {
  const NpyArray array = member(archive, name, "format");
  const std::string format = npy_text(array);
  if (format != "csr" && format != "csc")
    fail(array.name, fmt::format("the format {}; csr and csc can be read (save A.tocsr())", pdbfw::in_quotes(format)));
  return format == "csr" ? Orientation::by_row : Orientation::by_column;
}

Dataset sparse_dataset(const ZipArchive& archive, const std::string& name, const ReadOptions& options,
                       GivenTargets targets) {
  const Orientation orientation = sparse_orientation(archive, name);
  const Shape shape = sparse_shape(archive, name);
  Dataset data{nullptr, targets_for(shape.rows, std::move(targets), name, options.needs_targets)};
  const SparseArrays arrays{name,
                            orientation,
                            shape,
                            member(archive, name, "indptr"),
                            member(archive, name, "indices"),
                            member(archive, name, "data")};
  data.A = is_kept_narrow(arrays.value, options) ? sparse_matrix<float>(arrays) : sparse_matrix<double>(arrays);
  return data;
}

Dataset archived_dataset(const ZipArchive& archive, const std::string& name, const ReadOptions& options,
                         GivenTargets targets) {
  if (!targets && archive.has("y.npy")) targets = npy_labels(member(archive, name, "y"));
  if (archive.has("format.npy")) return sparse_dataset(archive, name, options, std::move(targets));
  if (!archive.has("X.npy"))
    fail(name,
         "neither a sparse matrix of scipy.sparse.save_npz (data, indices, indptr, shape, format) nor an array X");
  return dense_dataset(member(archive, name, "X"), options, std::move(targets));
}

// As narrow and as wide as requested.
Dataset finished(Dataset data, const std::string& name, const ReadOptions& options) {
  return under_name(name, [&] {
    check_targets(data);
    data.A = fitted(data.A, options);
    return std::move(data);
  });
}

}  // namespace

NumberArray number_array(const NpyArray& array) {
  check_shape(array);
  NumberArray out;
  out.shape = array.header.shape;
  out.is_complex = has_type(array, "c8") || has_type(array, "c16");
  const Numbers<double> stored = numbers<double>(out.is_complex ? parts_of(array) : array);
  const std::size_t stride = out.is_complex ? 2 : 1;
  out.real = in_c_order(array, stored.view, 0, stride);
  if (out.is_complex) out.imaginary = in_c_order(array, stored.view, 1, stride);
  check_finite(array, out.real);
  check_finite(array, out.imaginary);
  return out;
}

NumberArray read_npy(const std::string& path) {
  InputStream stream(path);
  return number_array(read_npy_array(stream, stream.name()));
}

void write_npy_to(TextSink& sink, std::span<const double> values, const std::vector<Index>& shape) {
  write_array(sink, "<f8", values, shape);
}

void write_npy_to(TextSink& sink, std::span<const std::complex<double>> values, const std::vector<Index>& shape) {
  write_array(sink, "<c16", values, shape);
}

void write_npy(const std::string& path, std::span<const double> values, const std::vector<Index>& shape) {
  write_whole_file(path, [&](OutputFile& file) { write_npy_to(file, values, shape); });
}

void write_npy(const std::string& path, std::span<const std::complex<double>> values, const std::vector<Index>& shape) {
  write_whole_file(path, [&](OutputFile& file) { write_npy_to(file, values, shape); });
}

Dataset open_npy(const LoadedFile& file, const std::string& name, const ReadOptions& options, GivenTargets targets) {
  return finished(dense_dataset(open_npy_array(file, name), options, std::move(targets)), name, options);
}

Dataset open_npz(const LoadedFile& file, const std::string& name, const ReadOptions& options, GivenTargets targets) {
  return finished(archived_dataset(ZipArchive(file, name), name, options, std::move(targets)), name, options);
}

}  // namespace pdbfw
