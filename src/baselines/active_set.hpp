// x as a convex combination of vertices, for the methods that may also go away from one.
//
//   x = sum_v alpha_v v,   alpha_v > 0,   sum_v alpha_v = 1,   v = +-radius e_j
//
// The origin, where C holds it, may be one more atom: solvers begin there, and what a start leaves of the radius rests
// there. C is the convex hull of its vertices with or without it, and the convergence theorems ask no more of a finite
// set of atoms than that; no oracle ever brings it back, and going away from it empties it like any other.
#pragma once

#include <string_view>
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
  ActiveSet(const Problem& problem, const std::vector<double>& x);

  // argmax_{v active} <gradient, v>
  [[nodiscard]] Vertex worst(const std::vector<double>& gradient) const;
  [[nodiscard]] double weight(const Vertex& v) const;

  // alpha <- factor alpha
  void scale(double factor);
  // alpha_v <- alpha_v + amount; an atom whose weight is used up leaves.
  void add(const Vertex& v, double amount);

  // x of these weights.
  void write(std::vector<double>& x) const;

  [[nodiscard]] std::size_t size() const { return atoms_.size(); }

 private:
  struct Atom {
    Vertex vertex;
    double weight;
  };
  [[nodiscard]] std::size_t slot(const Vertex& v) const;

  std::vector<Atom> atoms_;
  std::vector<Index> position_;  // of +e_j at 2j, of -e_j at 2j + 1, of the origin at 2d; -1: not active
};

}  // namespace pdbfw
