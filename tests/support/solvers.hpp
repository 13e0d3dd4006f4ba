// What may be asked of each solver, where not the same can be asked of all.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "apps/registry.hpp"

namespace pdbfw::test {

// Their gap falls like a power of 1/t, so tight tolerances are out of reach: they are held to a loose one.
inline constexpr std::array<std::string_view, 2> kSublinear{"fw", "svrf"};
inline constexpr double kLooseTolerance = 3e-2;

inline bool is_sublinear(std::string_view solver) {
  return std::find(kSublinear.begin(), kSublinear.end(), solver) != kSublinear.end();
}

// The tolerance that the solver is held to where the others are held to `tol`.
inline double fair(std::string_view solver, double tol) {
  return is_sublinear(solver) ? std::max(tol, kLooseTolerance) : tol;
}

inline bool needs_ridge(std::string_view solver) { return find_solver(solver).about.needs_ridge; }

}  // namespace pdbfw::test
