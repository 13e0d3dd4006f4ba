#include <nanobind/ndarray.h>

#include <tuple>

#include "arrays.hpp"
#include "bindings.hpp"

namespace pdbfw::python {
namespace {

using Line = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using RowMajor = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ColumnMajor = nb::ndarray<nb::ro, nb::ndim<2>, nb::f_contig, nb::device::cpu>;

template <class T, class Array>
std::span<const T> span_of(const Array& array) {
  return {static_cast<const T*>(array.data()), array.size()};
}

// Calls `use` with a T{} of the array's own type, one of those listed.
template <class... Types, class Array, class Use>
MatrixPtr by_type(const char* name, const Array& array, Use use) {
  MatrixPtr made;
  const bool is_known = ((array.dtype() == nb::dtype<Types>() && (made = use(Types{}), true)) || ...);
  if (!is_known) {
    const bool is_real = std::is_floating_point_v<std::tuple_element_t<0, std::tuple<Types...>>>;
    throw InputError(name, "of another type", is_real ? "float32 or float64" : "int32 or int64");
  }
  return made;
}

template <bool is_by_row>
BorrowedMatrix borrow_sparse(Index rows, Index columns, nb::object offsets_, nb::object indices_, nb::object values_) {
  const auto offsets = nb::cast<Line>(offsets_), indices = nb::cast<Line>(indices_), values = nb::cast<Line>(values_);
  const auto make = [&]<class Value, class Entry, class Offset>(Value, Entry, Offset) {
    const auto start = span_of<Offset>(offsets);
    const auto at = span_of<Entry>(indices);
    const auto value = span_of<Value>(values);
    const nb::gil_scoped_release released;
    return is_by_row ? borrow_csr<Value, Entry, Offset>(rows, columns, start, at, value)
                     : borrow_csc<Value, Entry, Offset>(rows, columns, start, at, value);
  };
  const MatrixPtr A = by_type<double, float>("values", values, [&](auto value) {
    return by_type<std::int32_t, std::int64_t>("indices", indices, [&](auto entry) {
      return by_type<std::int32_t, std::int64_t>("offsets", offsets,
                                                 [&](auto offset) { return make(value, entry, offset); });
    });
  });
  return {A, nb::make_tuple(offsets_, indices_, values_)};
}

template <class Array, bool is_by_row>
BorrowedMatrix borrow_dense(nb::object values_) {
  const auto values = nb::cast<Array>(values_);
  const auto rows = static_cast<Index>(values.shape(0)), columns = static_cast<Index>(values.shape(1));
  const MatrixPtr A = by_type<double, float>("values", values, [&]<class Value>(Value) {
    const nb::gil_scoped_release released;
    return is_by_row ? borrow_dense_rows<Value>(rows, columns, span_of<Value>(values))
                     : borrow_dense_columns<Value>(rows, columns, span_of<Value>(values));
  });
  return {A, std::move(values_)};
}

// A x, or A'y.
template <bool is_transposed>
nb::object product(const BorrowedMatrix& matrix, const Numbers& v, int threads) {
  const DataMatrix& A = *matrix.A;
  const std::span<const double> given = is_transposed ? as_span("y", v, A.rows()) : as_span("x", v, A.columns());
  return to_array(released([&] {
    std::vector<double> out(static_cast<std::size_t>(is_transposed ? A.columns() : A.rows()));
    is_transposed ? multiply_transposed(A, given, out, threads) : multiply(A, given, out, threads);
    return out;
  }));
}

}  // namespace

void bind_matrix(nb::module_& module) {
  nb::class_<BorrowedMatrix>(module, "Matrix")
      .def_static("csr", &borrow_sparse<true>, "rows"_a, "columns"_a, "offsets"_a, "indices"_a, "values"_a)
      .def_static("csc", &borrow_sparse<false>, "rows"_a, "columns"_a, "offsets"_a, "indices"_a, "values"_a)
      .def_static("dense_rows", &borrow_dense<RowMajor, true>, "values"_a)
      .def_static("dense_columns", &borrow_dense<ColumnMajor, false>, "values"_a)
      .def_prop_ro("rows", [](const BorrowedMatrix& self) { return self.A->rows(); })
      .def_prop_ro("columns", [](const BorrowedMatrix& self) { return self.A->columns(); })
      .def_prop_ro("nonzeros", [](const BorrowedMatrix& self) { return self.A->nonzeros(); })
      .def("times", &product<false>, "x"_a, "threads"_a = 1)
      .def("transposed_times", &product<true>, "y"_a, "threads"_a = 1);
}

}  // namespace pdbfw::python
