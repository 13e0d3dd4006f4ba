#include "solvers/kept_atoms.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// An atom that was scaled with the radius may differ in its last digits from the one that the oracle makes.
constexpr double kSameValue = 1e-14;

bool is_same(const SparseAtom& a, const SparseAtom& b) {
  return a.at == b.at && std::equal(a.value.begin(), a.value.end(), b.value.begin(),
                                    [](double u, double v) { return std::abs(u - v) <= kSameValue * std::abs(u); });
}

}  // namespace

std::optional<Index> KeptAtoms::find(const SparseAtom& atom) const {
  const auto at = std::find_if(atom_.begin(), atom_.end(), [&](const SparseAtom& kept) { return is_same(kept, atom); });
  if (at == atom_.end()) return std::nullopt;
  return at - atom_.begin();
}

double KeptAtoms::add(SparseAtom atom) {
  const Index place = size();
  if (place == product_.cols()) product_.conservativeResize(Eigen::NoChange, 2 * place + 4);
  std::vector<double> product(p_.loss->size(), 0.0);
  const double entries = add_lines(p_.A->by_column(), atom.at, atom.value, product);
  product_.col(place) = Eigen::VectorXd::Map(product.data(), p_.n());
  atom_.push_back(std::move(atom));
  return entries;
}

void KeptAtoms::keep_only(const std::vector<Index>& places) {
  std::vector<SparseAtom> kept;
  for (std::size_t k = 0; k < places.size(); ++k) {
    kept.push_back(std::move(atom_[static_cast<std::size_t>(places[k])]));
    if (static_cast<Index>(k) != places[k]) product_.col(static_cast<Index>(k)) = product_.col(places[k]);
  }
  atom_ = std::move(kept);
}

void KeptAtoms::scale(double factor) {
  product_.leftCols(size()) *= factor;
  for (SparseAtom& atom : atom_)
    for (double& value : atom.value) value *= factor;
}

}  // namespace pdbfw
