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

}  // namespace pdbfw::python
