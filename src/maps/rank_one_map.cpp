// W_i = l_i' X r_i = <l_i r_i', X>.                                                                          [M23c]
#include <fmt/format.h>

#include <utility>

#include "maps/bilinear_map.hpp"
#include "maps/map_checks.hpp"

namespace pdbfw {

MapPtr rank_one_map(MatrixPtr left, MatrixPtr right) {
  check_matrix("left", left);
  check_matrix("right", right);
  if (left->rows() != right->rows())
    throw InputError("right", fmt::format("{} rows", right->rows()), fmt::format("{}, as left has", left->rows()));
  check_cells(left->columns(), right->columns());
  return bilinear_map("rank_one", std::move(left), std::move(right), 1);
}

}  // namespace pdbfw
