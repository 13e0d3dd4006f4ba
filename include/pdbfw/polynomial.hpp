// Polynomial features: rows whose inner products are the polynomial kernel of the rows of A,
//
//   <b_i, b_k> = (gamma a_i'a_k + coef0)^degree,
//
// exactly when every product of `degree` values has a feature of its own, and on average over the seeds when they are
// hashed into 2^hash_bits features (Weinberger et al. 2009).
//
//   const pdbfw::MatrixPtr B = pdbfw::Polynomial{.degree = 2}.apply(*A);
//
// Nothing is learnt, and the number of a feature does not depend on how many columns there are: training and test data
// are mapped on their own, with the same options.
#pragma once

#include <cstdint>
#include <optional>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// With z = sqrt(gamma) a, and sqrt(coef0) put in front unless it is 0, the features are the products of `degree`
// entries of z, i <= j (<= k), times the root of how many orders the product has: 1 or sqrt(2) for degree 2; 1, sqrt(3)
// or sqrt(6) for degree 3. The product of i <= j is feature j(j+1)/2 + i, that of i <= j <= k is k(k+1)(k+2)/6 +
// j(j+1)/2 + i, counted from 0.
struct Polynomial {
  int degree = 2;                  // 2 or 3
  double gamma = 1;                // > 0
  double coef0 = 1;                // >= 0; 0: products of degree `degree` only
  std::optional<int> hash_bits{};  // 1 .. 30; none: exact
  std::uint64_t seed = 0;          // of the hash

  // How many there are for data of so many columns. Throws InputError beyond 2^62.
  [[nodiscard]] Index features(Index columns) const;

  // Throws InputError for options out of range, for more than 2^25 products in a row, and for products beyond the
  // largest double. Any number of threads gives the same bits.
  [[nodiscard]] MatrixPtr apply(const DataMatrix& A, int threads = 1) const;
};

void validate(const Polynomial& options);

}  // namespace pdbfw
