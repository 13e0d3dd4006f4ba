#include "baselines/active_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pdbfw {
namespace {

// Weights below this are rounding.
constexpr double kNegligible = 1e-15;

}  // namespace

void require_coordinate_vertices(const Problem& p, std::string_view solver) {
  std::vector<double> gradient(static_cast<std::size_t>(p.d()));
  std::iota(gradient.rbegin(), gradient.rend(),
            -static_cast<double>(p.d()));  // no ties, and every e_j is better than 0
  SparseAtom v;
  p.set->linear_oracle(gradient, v);
  const double radius = p.set->radius();
  if (v.at.size() != 1 || !(std::abs(std::abs(v.value[0]) - radius) <= 1e-12 * radius))
    throw InputError(
        "set", fmt::format("'{}'", p.set->name()),
        fmt::format("one whose vertices are +-radius e_j, such as l1, simplex or nonnegative, for the solver {}",
                    solver));
}

Vertex best_vertex(const Problem& p, const std::vector<double>& gradient) {
  SparseAtom v;
  p.set->linear_oracle(gradient, v);
  return v.at.empty() ? Vertex{} : Vertex{v.at[0], v.value[0]};
}

double slope(const std::vector<double>& gradient, const Vertex& v) {
  return v.at < 0 ? 0 : gradient[static_cast<std::size_t>(v.at)] * v.value;
}

ActiveSet::ActiveSet(const Problem& p, const std::vector<double>& x) : position_(2 * x.size() + 1, -1) {
  const double radius = p.set->radius();
  double sum = 0;
  for (const double x_j : x) sum += std::abs(x_j) / radius;
  const bool has_origin = p.set->violation({}) == 0;
  const double total = has_origin ? std::max(1.0, sum) : sum;  // 1, but for rounding
  for (std::size_t j = 0; j < x.size(); ++j)
    if (x[j] != 0) add({static_cast<Index>(j), std::copysign(radius, x[j])}, std::abs(x[j]) / radius / total);
  if (has_origin && sum < 1) add({}, 1 - sum);
}

std::size_t ActiveSet::slot(const Vertex& v) const {
  return v.at < 0 ? position_.size() - 1 : 2 * static_cast<std::size_t>(v.at) + (v.value < 0 ? 1 : 0);
}

Vertex ActiveSet::worst(const std::vector<double>& gradient) const {
  const Atom* out = &atoms_.front();
  for (const Atom& atom : atoms_)
    if (slope(gradient, atom.vertex) > slope(gradient, out->vertex)) out = &atom;
  return out->vertex;
}

double ActiveSet::weight(const Vertex& v) const {
  const Index k = position_[slot(v)];
  return k < 0 ? 0 : atoms_[static_cast<std::size_t>(k)].weight;
}

void ActiveSet::scale(double factor) {
  if (factor == 0) {  // all have left
    for (const Atom& atom : atoms_) position_[slot(atom.vertex)] = -1;
    atoms_.clear();
  }
  for (Atom& atom : atoms_) atom.weight *= factor;
}

void ActiveSet::add(const Vertex& v, double amount) {
  Index& k = position_[slot(v)];
  if (k < 0) {
    k = static_cast<Index>(atoms_.size());
    atoms_.push_back({v, 0});
  }
  Atom& atom = atoms_[static_cast<std::size_t>(k)];
  atom.weight += amount;
  if (atom.weight > kNegligible || atoms_.size() == 1) return;
  position_[slot(atoms_.back().vertex)] = k;
  std::swap(atom, atoms_.back());
  position_[slot(v)] = -1;
  atoms_.pop_back();
}

void ActiveSet::write(std::vector<double>& x) const {
  std::fill(x.begin(), x.end(), 0.0);
  double sum = 0;
  for (const Atom& atom : atoms_) sum += atom.weight;  // 1, but for rounding
  for (const Atom& atom : atoms_)
    if (atom.vertex.at >= 0) x[static_cast<std::size_t>(atom.vertex.at)] += atom.weight / sum * atom.vertex.value;
}

}  // namespace pdbfw
