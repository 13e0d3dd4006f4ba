// The judge of joint problems, for those who can use what it has to compute; and the set as it lies on a matrix.
#pragma once

#include <vector>

#include "core/row_terms.hpp"
#include "pdbfw/joint_problem.hpp"

namespace pdbfw::joint {

// The dead zones of C for U: one, or one for each column.
[[nodiscard]] std::vector<DeadZone> dead_zones(const Problem& problem, const Matrix& U, double ridge,
                                               const std::vector<DeadZone>& guess = {});
[[nodiscard]] inline const DeadZone& zone_of(const std::vector<DeadZone>& zones, Index output) {
  return zones[zones.size() == 1 ? 0 : static_cast<std::size_t>(output)];
}

// min_{X in C} (ridge/2) |X|^2 - <U, X>, or a lower bound, for any zones.                                        [M45]
[[nodiscard]] double set_part(const Problem& problem, const Matrix& U, double ridge,
                              const std::vector<DeadZone>& zones);
// The sum of the multipliers of all balls.
[[nodiscard]] double total_multiplier(const std::vector<DeadZone>& zones);

// The nearest point of C to these rows of X; the others are zero.
void project(const Problem& problem, Matrix& rows);
[[nodiscard]] double violation(const Problem& problem, const Matrix& rows);

struct DualSide {
  Matrix U;  // -A'Y / n
  std::vector<DeadZone> zones;
};

// As certify(); Y is balanced in place, `side` filled.
[[nodiscard]] Verdict certify(const Problem& problem, const SparseRows& X, Matrix& Y, int threads, DualSide& side);

}  // namespace pdbfw::joint
