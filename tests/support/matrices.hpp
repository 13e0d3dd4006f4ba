// Matrices of random numbers, the same for the same seed.
#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "pdbfw/factors.hpp"

namespace pdbfw::test {

inline Matrix random_matrix(Index rows, Index columns, Random& random) {
  Matrix out(rows, columns);
  for (double& value : out.reshaped()) value = random.normal();
  return out;
}

inline Matrix random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return random_matrix(rows, columns, random);
}

}  // namespace pdbfw::test
