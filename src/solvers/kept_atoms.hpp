// Atoms and their products with A: a product is computed when its atom is first used, and serves whenever the atom
// comes back. Memory: one number per row of A for every atom.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "pdbfw/problem.hpp"

namespace pdbfw {

class KeptAtoms {
 public:
  explicit KeptAtoms(const Problem& problem) : p_(problem), product_(problem.n(), 0) {}

  [[nodiscard]] Index size() const { return static_cast<Index>(atom_.size()); }
  [[nodiscard]] const SparseAtom& operator[](Index k) const { return atom_[static_cast<std::size_t>(k)]; }
  // A v of all of them, side by side: rows of A x atoms.
  [[nodiscard]] auto products() const { return product_.leftCols(size()); }

  // Where the atom stands, if it is kept.
  [[nodiscard]] std::optional<Index> find(const SparseAtom& atom) const;
  // Puts a new atom at the end. Returns the entries of A that its product cost.
  double add(SparseAtom atom);
  void keep_only(const std::vector<Index>& places);
  // The radius has changed by this factor, and the atoms with it.
  void scale(double factor);

 private:
  const Problem& p_;
  std::vector<SparseAtom> atom_;
  Eigen::MatrixXd product_;  // as many columns as there is room for
};

}  // namespace pdbfw
