// What several parts of the sweeps go by.
#pragma once

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// From this number of entries on, work is divided among threads.
inline constexpr Index kWorthSharding = 250'000;
// Up to this number of rows Newton's method on the dual [M17] helps the sweeps, while its steps are cheap.
inline constexpr Index kFewRows = 2'000;
// Rounding may make D seem to fall by this share.
inline constexpr double kDualRounding = 1e-12;
// D has settled when a sweep raises it by no more than this share.
inline constexpr double kWellSettled = 1e-3;
// What one row's proximal step costs beside its products, in multiply-adds.
inline constexpr double kScalarStep = 20;

// float32 copies of float64 data are good for entries up to some size; those that are all tiny would lose digits.
[[nodiscard]] inline bool float_holds(double largest_entry) {
  constexpr double kFloatHolds = 1e30;
  return largest_entry < kFloatHolds && largest_entry > 1 / kFloatHolds;
}

}  // namespace pdbfw
