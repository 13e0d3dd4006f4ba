// W_i = sum over the rows g of group i of g'X g.                                                             [M23c]
#include <fmt/format.h>

#include "maps/bilinear_map.hpp"
#include "maps/map_checks.hpp"

namespace pdbfw {

MapPtr quadratic_map(const MatrixPtr& G, Index group) {
  check_matrix("G", G);
  if (group < 1) throw InputError("group", fmt::format("{}", group), "at least 1");
  if (G->rows() % group != 0)
    throw InputError("G", fmt::format("{} rows", G->rows()), fmt::format("a multiple of {}, the group", group));
  check_cells(G->columns(), G->columns());
  return bilinear_map("quadratic", G, G, group);
}

}  // namespace pdbfw
