#include "baselines/sampled_gradient.hpp"

#include <algorithm>

#include "linalg/kernels.hpp"
#include "linalg/products.hpp"

namespace pdbfw {

template <class Change>
double SampledGradient::sample(Index b, PrimalPoint& at, const Change& change) {
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

double SampledGradient::plain(Index b, PrimalPoint& at) {
  if (b >= p_.n()) return evaluate(p_, threads_, at) + differentiate(p_, threads_, at);
  std::fill(at.u.begin(), at.u.end(), 0.0);
  return sample(b, at, [&](std::size_t i, const auto& line, Index& touched) {
    touched += line.size;
    return p_.loss->derivative(i, dot(line, at.x.data()));
  });
}

double SampledGradient::reduced(Index b, const PrimalPoint& snapshot, PrimalPoint& at) {
  if (b >= p_.n()) return evaluate(p_, threads_, at) + differentiate(p_, threads_, at);
  at.u = snapshot.u;
  return sample(b, at, [&](std::size_t i, const auto& line, Index& touched) {
    touched += line.size;
    return p_.loss->derivative(i, dot(line, at.x.data())) - snapshot.y[i];
  });
}

double SampledGradient::reduced_from_derivatives(Index b, const PrimalPoint& snapshot, PrimalPoint& at) {
  at.u = snapshot.u;
  return sample(b, at, [&](std::size_t i, const auto&, Index&) { return at.y[i] - snapshot.y[i]; });
}

double SampledGradient::variance(const PrimalPoint& at, Run& run) {
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

double SampledGradient::first_batch() const {
  return static_cast<double>(p_.n()) * static_cast<double>(p_.d()) /
         static_cast<double>(std::max<Index>(1, p_.A->nonzeros()));
}

}  // namespace pdbfw
