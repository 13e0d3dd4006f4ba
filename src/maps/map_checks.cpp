#include "maps/map_checks.hpp"

#include <fmt/format.h>

#include <limits>

namespace pdbfw {

void check_matrix(std::string_view name, const MatrixPtr& A) {
  if (!A) throw InputError(name, "none", "a matrix");
  if (A->rows() < 1 || A->columns() < 1)
    throw InputError(name, fmt::format("{} x {}", A->rows(), A->columns()), "at least one row and one column");
}

void check_cells(Index rows, Index columns) {
  if (rows > std::numeric_limits<Index>::max() / columns)
    throw InputError("X", fmt::format("{} x {}", rows, columns), "fewer than 2^63 entries");
}

void check_samples(std::span<const Index> samples, Index count) {
  if (samples.empty()) throw InputError("samples", "none", "at least one");
  for (const Index i : samples)
    if (i < 0 || i >= count) throw InputError("samples", fmt::format("{}", i), fmt::format("0 .. {}", count - 1));
}

}  // namespace pdbfw
