// The unit in which speed is stated.
#pragma once

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Seconds of one A x and one A'y over the whole of A with the library's fastest kernels, one thread, median of several.
// It makes times on different machines comparable: "solved in 12 pass pairs".
[[nodiscard]] double measure_pass_pair(const DataMatrix& A);

}  // namespace pdbfw
