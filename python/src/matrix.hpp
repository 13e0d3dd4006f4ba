// Data matrices over NumPy's own memory.
#pragma once

#include <nanobind/nanobind.h>

#include "pdbfw/matrix.hpp"

namespace pdbfw::python {

// A matrix and the Python arrays that it borrows: they live as long as it does.
struct BorrowedMatrix {
  MatrixPtr A;
  nanobind::object arrays;
};

void bind_matrix(nanobind::module_& module);

}  // namespace pdbfw::python
