#include "io/npy_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/file_fault.hpp"
#include "io/input_stream.hpp"
#include "io/output_file.hpp"

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
  // In pieces, because a sink may hold what it is given at once.
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  std::string_view rest(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  for (; !rest.empty(); rest.remove_prefix(std::min(kPiece, rest.size()))) sink.write(rest.substr(0, kPiece));
}

template <class T>
void write_file(const std::string& path, std::span<const T> values, const std::vector<Index>& shape) {
  OutputFile file(path);
  write_npy_to(file, values, shape);
  file.commit();
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
  write_file(path, values, shape);
}

void write_npy(const std::string& path, std::span<const std::complex<double>> values, const std::vector<Index>& shape) {
  write_file(path, values, shape);
}

}  // namespace pdbfw
