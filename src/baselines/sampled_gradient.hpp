// Estimates of the gradient from rows drawn at random.
#pragma once

#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "baselines/primal_point.hpp"
#include "linalg/kernels.hpp"
#include "linalg/products.hpp"

namespace pdbfw {

class SampledGradient {
 public:
  SampledGradient(const Problem& problem, int threads, std::uint64_t seed)
      : p_(problem), threads_(threads), random_(seed) {}

  // at.u = -(1/b) sum_i f_i'(a_i'x) a_i  over b rows, drawn with replacement; all of them, and exact, where b >= n.
  // Then at.w, at.y and at.value are those of x, too. Returns the entries of A touched.
  double plain(Index b, PrimalPoint& at) {
    if (b >= p_.n()) return evaluate(p_, threads_, at) + differentiate(p_, threads_, at);
    std::fill(at.u.begin(), at.u.end(), 0.0);
    return sample(b, at, [&](std::size_t i, const auto& line, Index& touched) {
      touched += line.size;
      return p_.loss->derivative(i, dot(line, at.x.data()));
    });
  }

  // at.u = u~ - (1/b) sum_i ( f_i'(a_i'x) - y~_i ) a_i: its noise vanishes as x and the snapshot meet.
  double reduced(Index b, const PrimalPoint& snapshot, PrimalPoint& at) {
    if (b >= p_.n()) return evaluate(p_, threads_, at) + differentiate(p_, threads_, at);
    at.u = snapshot.u;
    return sample(b, at, [&](std::size_t i, const auto& line, Index& touched) {
      touched += line.size;
      return p_.loss->derivative(i, dot(line, at.x.data())) - snapshot.y[i];
    });
  }

  // The same for an x whose at.y = f'(A x) is known already.
  double reduced_from_derivatives(Index b, const PrimalPoint& snapshot, PrimalPoint& at) {
    at.u = snapshot.u;
    return sample(b, at, [&](std::size_t i, const auto&, Index&) { return at.y[i] - snapshot.y[i]; });
  }

  // The variance of one row's gradient, at a point that has been looked at:  (1/n) sum_i f_i'^2 |a_i|^2 - |u|^2
  // The norms of the rows are charged when they are first needed.
  [[nodiscard]] double variance(const PrimalPoint& at, Run& run) {
    if (squared_row_norms_.empty()) {
      squared_row_norms_.resize(at.y.size());
      squared_norms(p_.A->by_row(), {}, squared_row_norms_);
      run.charge(static_cast<double>(p_.A->nonzeros()));
    }
    double sum = 0, mean = 0;
    for (std::size_t i = 0; i < at.y.size(); ++i) sum += at.y[i] * at.y[i] * squared_row_norms_[i];
    for (const double u_j : at.u) mean += u_j * u_j;
    return std::max(0.0, sum / static_cast<double>(p_.n()) - mean);
  }

  // Of the rows that hold d entries, which pays for what costs O(d) per batch.
  [[nodiscard]] double first_batch() const {
    return static_cast<double>(p_.n()) * static_cast<double>(p_.d()) /
           static_cast<double>(std::max<Index>(1, p_.A->nonzeros()));
  }

 private:
  // at.u -= (1/b) sum_i change(i) a_i, where change(i, line) is a number.
  template <class Change>
  double sample(Index b, PrimalPoint& at, const Change& change) {
    return std::visit(
        [&](const auto& lines) {
          Index touched = 0;
          for (Index k = 0; k < b; ++k) {
            const auto i = static_cast<Index>(random_.below(static_cast<std::uint64_t>(p_.n())));
            const auto line = lines[i];
            const double y = change(static_cast<std::size_t>(i), line, touched);
            if (y == 0) continue;
            add_scaled(line, -y / static_cast<double>(b), at.u.data());
            touched += line.size;
          }
          return static_cast<double>(touched);
        },
        p_.A->by_row());
  }

  const Problem& p_;
  int threads_;
  Random random_;
  std::vector<double> squared_row_norms_;
};

}  // namespace pdbfw
