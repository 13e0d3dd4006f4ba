// The loss's side of the splitting: its part of the objective as a function of X, and its dual point.           [M31]
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/low_rank_judge.hpp"
#include "low_rank/row_coordinates.hpp"

namespace pdbfw::low_rank {

// The set's side: Z in C, and the multiplier N of X = Z, which lies in the normal cone of C at Z:
// <N, Z' - Z> <= 0 for all Z' in C. In the coordinates of RowCoordinates.
struct SetSide {
  Factors factors;  // Z by its factors
  Matrix Z, N;
  double penalty = 0;  // rho
};

// A dual point Y by what it leaves: with `excess` E = u - ridge Z - N, u = -A'Y/n,
//   P(Z) - D(Y) = loss_gap + max_{Z' in C} { <N + E, Z' - Z> - (ridge/2) |Z' - Z|^2 }
//              <= loss_gap + max_{Z' in C} { <E, Z' - Z> - (ridge/2) |Z' - Z|^2 }                              [M31d]
struct DualView {
  double loss_gap = 0;  // (1/n) sum_i f_i(W_i) + f_i*(Y_i) - <Y_i, W_i>,  W = A Z
  Matrix excess;
};

class LossSide {
 public:
  LossSide() = default;
  LossSide(const LossSide&) = delete;
  LossSide& operator=(const LossSide&) = delete;
  virtual ~LossSide() = default;

  // Whether the minimiser of P without the set can be computed.
  [[nodiscard]] virtual bool has_free_minimiser() const = 0;
  // argmin over X of  (1/n) sum_i f_i((A X)_i) + (weight/2) |X|^2 - <pull, X>, or a step towards it.
  [[nodiscard]] virtual Matrix minimise(double weight, Matrix pull, Run& run) = 0;
  // (1/n) sum_i f_i((A Z)_i).
  [[nodiscard]] virtual double value(const SetSide& set) = 0;
  // After value() of the same Z.
  [[nodiscard]] virtual DualView look(const SetSide& set, const Matrix& X) = 0;
  // The Y that was looked at.
  [[nodiscard]] virtual Matrix dual_point() const = 0;
};

// f = |w - b|^2 / 2, times the smoothness: minimise() is exact.                                                [M31b]
[[nodiscard]] std::unique_ptr<LossSide> make_quadratic_side(const Problem& problem, const RowCoordinates& space,
                                                            int threads);
// Any loss: W = A X is split too.                                                                              [M31c]
[[nodiscard]] std::unique_ptr<LossSide> make_split_side(const Problem& problem, const RowCoordinates& space,
                                                        const Start& start, int threads);

// Penalties find themselves.                                                                                    [M31e]
// For two copies x, z of one thing: |x - z| large says that the penalty on x = z is too small, a large step of z
// that it is too large. The factor is bounded by 10 at first, and the product of all bounds is finite, so that the
// penalty settles and the theory of a fixed one applies.
[[nodiscard]] inline double balancing_factor(double apart, double step, Index iteration) {
  if (!(apart > 0) || !(step > 0)) return 1;
  constexpr double kLargest = 10, kSettled = 10;
  const double share = static_cast<double>(iteration) / kSettled;
  const double bound = std::pow(kLargest, 1 / (1 + share * share));
  return std::clamp(std::sqrt(apart / step), 1 / bound, bound);
}

// Steps go on beyond the minimiser by this much: over-relaxation, in (0, 2); this is the usual value.
constexpr double kRelaxation = 1.6;

}  // namespace pdbfw::low_rank
