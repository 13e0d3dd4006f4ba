// Vectors and dense matrices between NumPy and the library.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pdbfw/factors.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw::python {

// What Python hands over has been made float64 and contiguous there.
using Numbers = nanobind::ndarray<const double, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Integers = nanobind::ndarray<const Index, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
using Table = nanobind::ndarray<const double, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

template <class Array>
[[nodiscard]] auto as_span(const Array& array) {
  return std::span(array.data(), array.size());
}

// Throws InputError unless there are that many.
[[nodiscard]] inline std::span<const double> as_span(const char* name, const Numbers& array, Index size) {
  if (static_cast<Index>(array.size()) != size)
    throw InputError(name, std::to_string(array.size()) + " numbers", std::to_string(size) + " of them");
  return as_span(array);
}

template <class Array>
[[nodiscard]] auto as_vector(const Array& array) {
  return std::vector<std::remove_const_t<typename Array::Scalar>>(array.data(), array.data() + array.size());
}

[[nodiscard]] inline Matrix as_matrix(const Table& table) {
  return Eigen::Map<const Matrix>(table.data(), static_cast<Index>(table.shape(0)), static_cast<Index>(table.shape(1)));
}

// The array takes the memory over: nothing is copied.
template <class T>
[[nodiscard]] nanobind::object to_array(std::vector<T> values) {
  auto* kept = new std::vector<T>(std::move(values));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(kept->data(), {kept->size()}, owner));
}

// Eigen's rows are NumPy's: row after row.
template <class Dense>
[[nodiscard]] nanobind::object to_table(Dense values) {
  using T = typename Dense::Scalar;
  auto* kept = new Dense(std::move(values));
  nanobind::capsule owner(kept, [](void* p) noexcept { delete static_cast<Dense*>(p); });
  const auto rows = static_cast<std::size_t>(kept->rows()), columns = static_cast<std::size_t>(kept->cols());
  if constexpr (Dense::ColsAtCompileTime == 1)
    return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(kept->data(), {rows}, owner));
  else
    return nanobind::cast(nanobind::ndarray<nanobind::numpy, T>(kept->data(), {rows, columns}, owner));
}

// A matrix and the Python arrays that it borrows: they live as long as it does.
struct BorrowedMatrix {
  MatrixPtr A;
  nanobind::object arrays;
};

}  // namespace pdbfw::python
