// Vectors, matrices and stacks of matrices in NumPy's .npy files, plain or compressed; real or complex numbers.
//
//   const pdbfw::NumberArray b = pdbfw::read_npy("b.npy");
//   pdbfw::write_npy("U.npy", {X.U.data(), static_cast<std::size_t>(X.U.size())}, {X.U.rows(), X.U.cols()});
#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "pdbfw/errors.hpp"

namespace pdbfw {

// The last index runs fastest (C order), whatever the file had.
struct NumberArray {
  std::vector<Index> shape;  // one to three sizes, none of them 0
  bool is_complex = false;
  std::vector<double> real;
  std::vector<double> imaginary;  // none unless is_complex
};

// float32, float64, complex64, complex128, bool and whole numbers of 8 to 64 bits, in both byte orders, C or Fortran
// order. Throws InputError "file: what is wrong": other elements, no elements or more than three dimensions, NaN or
// infinity (with its place), a file that is cut or broken.
[[nodiscard]] NumberArray read_npy(const std::string& path);

// float64 and complex128, in C order; to a temporary name, then renamed. "-" is standard output. Throws InputError when
// the sizes do not multiply to the number of values.
void write_npy(const std::string& path, std::span<const double> values, const std::vector<Index>& shape);
void write_npy(const std::string& path, std::span<const std::complex<double>> values, const std::vector<Index>& shape);

}  // namespace pdbfw
