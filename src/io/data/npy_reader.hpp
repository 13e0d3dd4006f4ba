// Data sets of NumPy: a dense .npy file, a .npz file of SciPy's save_npz (CSR or CSC), or one with dense X and y.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/input.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

// The header of a .npy array: a Python dictionary in one line of text.
struct NpyHeader {
  std::string type;  // as NumPy writes it: "<f8"
  bool is_fortran = false;
  std::vector<Index> shape;
};

// By the first bytes of a file.
[[nodiscard]] bool is_npy(std::string_view head);

struct NpyArray {
  std::string name;  // for messages
  NpyHeader header;  // no shape: one element
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> storage;  // keeps the bytes

  [[nodiscard]] bool is_empty() const;           // one of the sizes is 0
  [[nodiscard]] Index size() const;              // elements
  [[nodiscard]] std::string shape_text() const;  // "(3, 4)"
};

// Throw InputError that begins with `name`: a broken header, more elements than fit into memory, too few or too many.
[[nodiscard]] NpyArray read_npy_array(ByteSource& source, const std::string& name);
[[nodiscard]] NpyArray open_npy_array(const LoadedFile& file, const std::string& name);  // in place

// What an array holds, as numbers of one type: in place when that is how they are stored, else a copy.
template <class T>
struct Numbers {
  std::span<const T> view;
  std::shared_ptr<const void> storage;
};

// T is float, double, int32 or int64; for the last two the array must hold whole numbers that fit. Throws InputError
// for elements that are no numbers.
template <class T>
[[nodiscard]] Numbers<T> numbers(const NpyArray& array);

// Whether the elements are of this type ("f4": float32), in any byte order.
[[nodiscard]] bool has_type(const NpyArray& array, std::string_view code);

// A text, such as b'csr' or 'csr', which is an array without dimensions.
[[nodiscard]] std::string npy_text(const NpyArray& array);

// One dimension, or a column of a matrix with one.
[[nodiscard]] std::vector<double> npy_labels(const NpyArray& array);

// .npy files of numbers from any source and to any sink; read_npy and write_npy (pdbfw/data_file.hpp) are these on
// files.

[[nodiscard]] NumberArray number_array(const NpyArray& array);

void write_npy_to(TextSink& sink, std::span<const double> values, const std::vector<Index>& shape);
void write_npy_to(TextSink& sink, std::span<const std::complex<double>> values, const std::vector<Index>& shape);

// The matrix lies in the file's memory, and keeps it, if that holds float32 or float64.
[[nodiscard]] Dataset open_npy(const LoadedFile& file, const std::string& name, const ReadOptions& options,
                               GivenTargets targets);

[[nodiscard]] Dataset open_npz(const LoadedFile& file, const std::string& name, const ReadOptions& options,
                               GivenTargets targets);

}  // namespace pdbfw
