// x as a convex combination of vertices, for the methods that may also go away from one.
//
//   x = sum_v alpha_v v,   alpha_v > 0,   sum_v alpha_v = 1,   v = +-radius e_j
//
// The origin, where C holds it, may be one more atom: solvers begin there, and what a start leaves of the radius rests
// there. C is the convex hull of its vertices with or without it, and the convergence theorems ask no more of a finite
// set of atoms than that; no oracle ever brings it back, and going away from it empties it like any other.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "pdbfw/problem.hpp"

namespace pdbfw {

struct Vertex {
  Index at = -1;     // its one coordinate; -1: the origin
  double value = 0;  // +-radius there
};

inline constexpr std::string_view kCoordinateSets = "those whose vertices are +-radius e_j (l1, simplex, nonnegative)";
// Throws InputError unless the vertices of C have one coordinate each, of size radius.
void require_coordinate_vertices(const Problem& problem, std::string_view solver);

// argmin_{v in C} <gradient, v>
[[nodiscard]] Vertex best_vertex(const Problem& problem, const std::vector<double>& gradient);

// <gradient, v>
[[nodiscard]] double slope(const std::vector<double>& gradient, const Vertex& v);

class ActiveSet {
 public:
  // The atoms of x in C.
  ActiveSet(const Problem& p, const std::vector<double>& x) : position_(2 * x.size() + 1, -1) {
    const double radius = p.set->radius();
    double sum = 0;
    for (const double x_j : x) sum += std::abs(x_j) / radius;
    const bool has_origin = p.set->violation({}) == 0;
    const double total = has_origin ? std::max(1.0, sum) : sum;  // 1, but for rounding
    for (std::size_t j = 0; j < x.size(); ++j)
      if (x[j] != 0) add({static_cast<Index>(j), std::copysign(radius, x[j])}, std::abs(x[j]) / radius / total);
    if (has_origin && sum < 1) add({}, 1 - sum);
  }

  // argmax_{v active} <gradient, v>
  [[nodiscard]] Vertex worst(const std::vector<double>& gradient) const {
    const Atom* out = &atoms_.front();
    for (const Atom& atom : atoms_)
      if (slope(gradient, atom.vertex) > slope(gradient, out->vertex)) out = &atom;
    return out->vertex;
  }

  [[nodiscard]] double weight(const Vertex& v) const {
    const Index k = position_[slot(v)];
    return k < 0 ? 0 : atoms_[static_cast<std::size_t>(k)].weight;
  }

  // alpha <- factor alpha
  void scale(double factor) {
    if (factor == 0) {  // all have left
      for (const Atom& atom : atoms_) position_[slot(atom.vertex)] = -1;
      atoms_.clear();
    }
    for (Atom& atom : atoms_) atom.weight *= factor;
  }

  // alpha_v <- alpha_v + amount; an atom whose weight is used up leaves.
  void add(const Vertex& v, double amount) {
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

  // x of these weights.
  void write(std::vector<double>& x) const {
    std::fill(x.begin(), x.end(), 0.0);
    double sum = 0;
    for (const Atom& atom : atoms_) sum += atom.weight;  // 1, but for rounding
    for (const Atom& atom : atoms_)
      if (atom.vertex.at >= 0) x[static_cast<std::size_t>(atom.vertex.at)] += atom.weight / sum * atom.vertex.value;
  }

  [[nodiscard]] std::size_t size() const { return atoms_.size(); }

 private:
  static constexpr double kNegligible = 1e-15;  // weights below this are rounding

  struct Atom {
    Vertex vertex;
    double weight;
  };
  [[nodiscard]] std::size_t slot(const Vertex& v) const {
    return v.at < 0 ? position_.size() - 1 : 2 * static_cast<std::size_t>(v.at) + (v.value < 0 ? 1 : 0);
  }

  std::vector<Atom> atoms_;
  std::vector<Index> position_;  // of +e_j at 2j, of -e_j at 2j + 1, of the origin at 2d; -1: not active
};

}  // namespace pdbfw
