// The largest eigenvalue of a positive semidefinite matrix that is known by its products.
#pragma once

#include <functional>
#include <optional>

#include "pdbfw/factors.hpp"

namespace pdbfw {

// out = K v, for a symmetric positive semidefinite K.
using SymmetricProduct = std::function<void(const Vector& v, Vector& out)>;

// A bound from above, at most 2 % above the largest eigenvalue; `trace` is the trace of K or anything above it. By
// Lanczos' method from a random start: exact up to rounding where K is small, else wrong for about one start in a
// million.
[[nodiscard]] double largest_eigenvalue_bound(Index size, double trace, const SymmetricProduct& product);

// The same for K without negative entries, proven, from a start v >= 0 that is zero only where K has a zero row;
// nothing if a few products do not get it within 2 %.
[[nodiscard]] std::optional<double> nonnegative_eigenvalue_bound(Vector v, const SymmetricProduct& product);

}  // namespace pdbfw
