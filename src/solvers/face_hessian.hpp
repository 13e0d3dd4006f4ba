// The Hessian of P on a few features, restricted to faces: the linear algebra behind the quadratic model.       [M15]
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pdbfw/problem.hpp"

namespace pdbfw {

// The rows of A on a few features W: what the Hessians on features of W are made from.
struct FeatureRows {
  std::vector<Index> features;       // ascending
  std::vector<Index> start;          // n + 1 of them
  std::vector<std::uint32_t> place;  // in W, ascending in every row
  std::vector<double> value;
};

[[nodiscard]] FeatureRows rows_on(const DataMatrix& A, std::vector<Index> features);

// H = (1/n) A_J' diag(max(f_i''(w_i), least)) A_J + diag(q_J), seen from faces: positions F of J.
using Positions = std::vector<Index>;

class Hessian {
 public:
  Hessian() = default;
  Hessian(const Hessian&) = delete;
  Hessian& operator=(const Hessian&) = delete;
  virtual ~Hessian() = default;
  virtual void choose_face(const Positions& face) = 0;
  [[nodiscard]] virtual Eigen::VectorXd solve(const Eigen::VectorXd& v) = 0;  // H_FF^-1 v
  [[nodiscard]] virtual Eigen::VectorXd apply(const Eigen::VectorXd& v) = 0;  // H_JF v
  [[nodiscard]] virtual int most_faces() const { return 30; }                 // worth trying, if the effort allows
  // Multiply-adds of any kind since the beginning, factorisations included.
  [[nodiscard]] double effort() const { return effort_; }

 protected:
  double effort_ = 0;
};

// The form that suits the sizes: |J| x |J| or rows x rows by Cholesky, conjugate gradients when both are large.
// The features are ascending and in W. `multiply_adds` grows by those with entries of A, now and whenever the Hessian
// is used.
[[nodiscard]] std::unique_ptr<Hessian> make_hessian(const Problem& problem, const FeatureRows& rows,
                                                    std::span<const Index> features, std::span<const double> w,
                                                    double least_curvature, double& multiply_adds);
// gram + diag(q), given.
[[nodiscard]] std::unique_ptr<Hessian> make_hessian(Eigen::MatrixXd gram, const Eigen::VectorXd& q);

}  // namespace pdbfw
