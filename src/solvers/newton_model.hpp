// The minimiser of a quadratic model under a penalty, or over a ball.                                          [M15]
#pragma once

#include <vector>

#include "core/run.hpp"
#include "linalg/decompositions.hpp"
#include "pdbfw/set.hpp"

namespace pdbfw {

// What holds the entries back: alpha |x|_1 of a penalty, or the sum of a ball.
struct Hold {
  double price = 0;               // alpha; 0: a ball
  double radius = 0;              // of a ball
  bool is_one_sided = false;      // x >= 0
  bool meets_the_radius = false;  // always: a simplex

  [[nodiscard]] static Hold of(const Set& set);
};

// The minimiser of (x - u)^2 / 2 + width |x|.
[[nodiscard]] double soft_threshold(double u, double width, bool is_one_sided);
// An entry that does not curve, of this slope, would go on for ever.
[[nodiscard]] bool wants_to_move(double slope, double price, bool is_one_sided);

//   minimise  <g, e> + 1/2 e'R e + alpha |x + e|_1      or, with the multiplier of the radius in the place of alpha,
//   minimise  <g, e> + 1/2 e'R e                        over |x + e|_1 <= radius
//
// Cycles of coordinate descent find the face, Newton's method on the face does the rest; both cost no pass over the
// data. The scale of an entry does not matter: everything is measured in the diagonal of R.
class NewtonModel {
 public:
  // R is symmetric and positive semidefinite. `multiplier` is a guess of the ball's, or not a number.
  NewtonModel(Matrix R, Vector g, Vector x, const Hold& hold, double multiplier);

  void minimise(Run& run);
  [[nodiscard]] const Vector& x() const { return z_; }  // x + e
  [[nodiscard]] double multiplier() const { return multiplier_; }
  // False where an entry that does not curve wants to move: the model has no minimum.
  [[nodiscard]] bool is_bounded() const;
  // Multiply-adds so far, none of them with entries of A.
  [[nodiscard]] double work() const { return work_; }

 private:
  void minimise_at(double price, Run& run);
  double cycle(const std::vector<Index>& entries, double price);
  void move(Index entry, double change);
  [[nodiscard]] std::vector<Index> face() const;
  [[nodiscard]] bool factor(const std::vector<Index>& face);
  void step_on_face(double price);
  [[nodiscard]] Vector image_of(const std::vector<Index>& on, const Vector& change);
  [[nodiscard]] double spread();

  Matrix R_;
  Vector g_, z_;  // g is the slope at z
  Hold hold_;
  double multiplier_;
  double first_ = 0;  // the largest change of the first cycle
  std::vector<Index> factored_;
  Cholesky cholesky_;
  bool is_factored_ = false;
  double work_ = 0;
};

}  // namespace pdbfw
