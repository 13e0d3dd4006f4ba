// Newton's method on the factors of X at a fixed rank: a step of the solver `factored`.                      [M37]
#pragma once

#include <memory>

#include "base/random.hpp"
#include "core/low_rank_judge.hpp"
#include "linalg/operators.hpp"
#include "low_rank/factored_point.hpp"

namespace pdbfw::low_rank {

class FactorNewton {
 public:
  FactorNewton(const Problem& problem, const Adjoints& adjoints, int threads)
      : p_(problem), adjoints_(adjoints), threads_(threads) {}

  // Begins at a point of rank 1 or more.
  void begin(const FactoredPoint& x, Run& run);

  enum class Outcome {
    moved,   // P has fallen
    stayed,  // it would not have; the region of trust has shrunk
    solved,  // what is left to gain is rounding
    hard     // the model took more conjugate gradients than it is worth
  };
  Outcome move(Run& run);

  [[nodiscard]] double value() const { return value_; }
  [[nodiscard]] const Matrix& W() const { return W_; }
  [[nodiscard]] FactoredPoint point() const;

 private:
  // A point of the sphere, or a direction at it: U over V (psd_trace: U alone), and the part of the radius not used.
  struct Vectors {
    Matrix q;
    double slack = 0;
  };
  [[nodiscard]] static double dot(const Vectors& a, const Vectors& b) {
    return a.q.cwiseProduct(b.q).sum() + a.slack * b.slack;
  }
  static void add(Vectors& a, double scale, const Vectors& b) {
    a.q += scale * b.q;
    a.slack += scale * b.slack;
  }

  [[nodiscard]] Matrix left(const Matrix& q) const { return q.topRows(p_.d()); }
  [[nodiscard]] Matrix right(const Matrix& q) const { return is_symmetric_ ? left(q) : Matrix(q.bottomRows(p_.c())); }
  [[nodiscard]] Factors factors(const Matrix& q) const;
  [[nodiscard]] Matrix products(const Operator& M, const Matrix& q, Run& run) const;
  [[nodiscard]] double squared_norm(const Matrix& q) const;

  void differentiate(Run& run);
  void measure_curvature(Run& run);
  void precondition();
  [[nodiscard]] Vectors solve_preconditioner(const Vectors& r) const;
  [[nodiscard]] Vectors hessian_times(const Vectors& e, Run& run) const;
  [[nodiscard]] Vectors tangent(Vectors e) const;

  struct Direction {
    Vectors e;
    double model = 0;   // its promise: <g, e> + <e, H e> / 2
    double length = 0;  // in the preconditioner's norm, as a share of that of the point
    bool at_border = false, is_cut_short = false;
  };
  [[nodiscard]] Direction conjugate_gradients(Run& run) const;

  const Problem& p_;
  const Adjoints& adjoints_;
  int threads_;
  bool is_symmetric_ = false;

  Vectors at_;         // the point
  double radius_ = 0;  // of the sphere, squared: |U|^2 + |V|^2 + slack^2
  Matrix W_, Y_;
  double value_ = 0;
  Factors X_;                                // of at_, for the gradient's operator
  std::unique_ptr<const Operator> adjoint_;  // A*(Y)
  double lambda_ = 0;
  Vectors gradient_;  // along the sphere

  Vector row_curvature_, column_curvature_;  // of P in the entries of X, as means over a row and a column
  Matrix diagonal_;                          // the preconditioner
  double slack_diagonal_ = 1;
  double trust_ = 0.3;
};

}  // namespace pdbfw::low_rank
