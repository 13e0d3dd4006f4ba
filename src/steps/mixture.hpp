// Mixtures of atoms: points written as  x = sum_k weight_k v_k,  weight_k >= 0, sum_k weight_k = 1.  The weights are
// the proof that x lies in the hull of the atoms.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "pdbfw/set.hpp"

namespace pdbfw {

struct Mixture {
  std::vector<SparseAtom> atom;
  std::vector<double> weight;

  void add_to(std::span<double> x) const;
  [[nodiscard]] double longest_atom() const;  // largest |v_k|
  [[nodiscard]] double distance(std::span<const double> x) const;
};

[[nodiscard]] double length(std::span<const double> v);  // |v|, without overflow
[[nodiscard]] double inner(const SparseAtom& atom, std::span<const double> v);

// Wolfe's minor cycles: the weights of smallest
//     <gradient, e> + 1/2 e'H e,     e = new weights - weights, sum_k e_k = 0, [M21]
// on the face of the positive weights and of `entering`; those that reach zero on the way leave the face. What is
// returned does not raise the model, up to rounding.
[[nodiscard]] Eigen::VectorXd corrected_weights(const Eigen::MatrixXd& H, const Eigen::VectorXd& gradient,
                                                const Eigen::VectorXd& weights, Index entering);

// The mixture nearest to x, by Wolfe's method: the linear oracle names an atom, corrected_weights() uses it. It ends
// where no atom leads nearer, up to rounding, or after a number of atoms that grows with the features.
[[nodiscard]] Mixture nearest_mixture(const Set& set, std::span<const double> x);

}  // namespace pdbfw
