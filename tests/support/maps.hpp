// Every linear map in every kind of storage, with the matrix of the map written out.
#pragma once

#include <string>
#include <vector>

#include "pdbfw/linear_map.hpp"
#include "support/matrices.hpp"

namespace pdbfw::test {

struct MapCase {
  std::string name;
  MapPtr map;
  Matrix full;  // (n k) x (d c): vec(W) = full vec(X), both row after row
};

// Random data of sizes up to `largest`, some of it zero; the same for the same seed.
[[nodiscard]] std::vector<MapCase> all_maps(std::uint64_t seed, Index largest);

[[nodiscard]] Factors random_factors(std::uint64_t seed, Index rows, Index columns, Index rank);

// M in the kinds of storage that a DataMatrix has; entries are such that float holds them.
struct StoredMatrix {
  std::string name;
  MatrixPtr A;
};
[[nodiscard]] std::vector<StoredMatrix> stored(const Matrix& M);

}  // namespace pdbfw::test
