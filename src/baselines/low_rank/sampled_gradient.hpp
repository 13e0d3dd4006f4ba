// Samples drawn at random, and estimates of the gradient from them.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "baselines/low_rank/primal_point.hpp"

namespace pdbfw::low_rank {

class Sampler {
 public:
  Sampler(Index samples, std::uint64_t seed) : samples_(samples), random_(seed) {}

  // With replacement.
  [[nodiscard]] std::vector<Index> draw(Index count) {
    std::vector<Index> rows(static_cast<std::size_t>(count));
    for (Index& row : rows) row = static_cast<Index>(random_.below(static_cast<std::uint64_t>(samples_)));
    return rows;
  }

 private:
  Index samples_;
  Random random_;
};

// Bounds the variance of one sample's gradient, at a point with this Y and this u = -A*(Y)/n:
//   (1/n) sum_i |A_i*(Y_i)|^2 - |u|^2  <=  max_i |A_i|^2 |Y|^2 / n - |u|^2
[[nodiscard]] inline double gradient_variance(const Problem& p, const Matrix& Y, double squared_norm_of_u) {
  const double mean = p.map->largest_squared_sample_norm() * Y.squaredNorm() / static_cast<double>(p.n());
  return std::max(0.0, mean - squared_norm_of_u);
}

// With all entries.
class SampledGradient {
 public:
  SampledGradient(const Problem& problem, int threads, std::uint64_t seed)
      : p_(problem), threads_(threads), sampler_(problem.n(), seed) {}

  // at.u = -(1/b) sum_i A_i*(grad f_i(w_i))  over b samples, for a w = A(x) that is known; all of them, and exact,
  // where b >= n: then at.y and at.value are those of x, too. Returns the multiply-adds.
  double plain(Index b, PrimalPoint& at) {
    if (b >= p_.n()) {
      at.value = objective(p_, at.w, at.x.squaredNorm(), threads_);
      return differentiate(p_, threads_, at);
    }
    const std::vector<Index> rows = sampler_.draw(b);
    at.u.setZero(p_.d(), p_.c());
    return add(rows, gradients(rows, at.w(rows, Eigen::all)), at);
  }

  // at.u = u~ - (1/b) sum_i A_i*( grad f_i(w_i) - y~_i ): its noise vanishes as x and the snapshot meet.
  double reduced(Index b, const PrimalPoint& snapshot, PrimalPoint& at) {
    if (b >= p_.n()) return plain(b, at);
    const std::vector<Index> rows = sampler_.draw(b);
    at.u = snapshot.u;
    return add(rows, gradients(rows, at.w(rows, Eigen::all)) - snapshot.y(rows, Eigen::all), at);
  }

  // The same for given samples and a w that is not known.
  double reduced(std::span<const Index> chosen, const PrimalPoint& snapshot, PrimalPoint& at) {
    const std::vector<Index> rows(chosen.begin(), chosen.end());
    const MapPtr some = p_.map->subset(rows);
    Matrix W;
    double cost = some->pass_cost();
    if (at.has_factors && some->apply_cost(at.factors.rank()) < cost) {
      some->apply(at.factors, W, threads_);
      cost = some->apply_cost(at.factors.rank());
    } else {
      some->apply(at.x, W, threads_);
    }
    const Matrix change = gradients(rows, W) - snapshot.y(rows, Eigen::all);
    at.u = snapshot.u;
    some->add_adjoint(change, -1 / static_cast<double>(rows.size()), at.u, threads_);
    return cost + some->pass_cost();
  }

  // A bound on the variance of one sample's gradient.
  [[nodiscard]] double variance(const PrimalPoint& at, const Run& /*run*/) const {
    return gradient_variance(p_, at.y, at.u.squaredNorm());
  }

  [[nodiscard]] double first_batch() const { return kFirstShare * static_cast<double>(p_.n()); }

  static constexpr double kFirstShare = 1.0 / 32;  // of the samples, in an adaptive method's first batch

 private:
  // at.u -= (1/b) sum_i A_i*(Y_i)
  double add(const std::vector<Index>& rows, const Matrix& Y, PrimalPoint& at) {
    const MapPtr some = p_.map->subset(rows);
    some->add_adjoint(Y, -1 / static_cast<double>(rows.size()), at.u, threads_);
    return some->pass_cost();
  }

  // grad f_i(W_i)
  [[nodiscard]] Matrix gradients(const std::vector<Index>& rows, const Matrix& W) const {
    Matrix Y;
    p_.loss->subset(rows)->gradients(W, Y, threads_);
    return Y;
  }

  const Problem& p_;
  int threads_;
  Sampler sampler_;
};

}  // namespace pdbfw::low_rank
