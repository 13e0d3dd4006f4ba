#include "steps/low_rank/iterate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/spectral_set.hpp"
#include "linalg/operators.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw::low_rank {
namespace {

// Singular values below this share of the largest one are rounding: a direction that no step renews dies out.
constexpr double kNegligible = 1e-14;
// Factors are compressed when their rank has doubled, and not before it has grown by this.
constexpr Index kGrowth = 8;

double entries(Index d, Index c) { return static_cast<double>(d) * static_cast<double>(c); }

}  // namespace

double objective(const Problem& p, const Matrix& W, double squared_norm, int threads) {
  return p.loss->total_value(W, threads) / static_cast<double>(p.samples()) + 0.5 * p.ridge * squared_norm;
}

bool may_be_formed(const Problem& p) { return entries(p.d(), p.c()) <= kMostFormed; }

void require_formed(const Problem& p, std::string_view solver) {
  if (!may_be_formed(p))
    throw InputError("solver", solver,
                     fmt::format("X of at most {:g} entries, here {} x {}; pdbfw, fw and block_fw keep it in factors",
                                 kMostFormed, p.d(), p.c()));
}

Iterate::Iterate(const Problem& p, const Factors& start)
    : spectrum_(p.set->spectrum()),
      may_be_formed_(may_be_formed(p)),
      factors_(start.rows() > 0 ? start : Factors::zero(p.d(), p.c())),
      compressed_rank_(factors_.rank()),
      squared_norm_(factors_.s.squaredNorm()) {}

Index Iterate::rank() const { return formed() ? std::min(X_.rows(), X_.cols()) : factors_.rank(); }

std::unique_ptr<const Operator> Iterate::as_operator() const {
  if (formed()) return std::make_unique<DenseOperator>(X_);
  return std::make_unique<FactorsOperator>(factors_);
}

Factors Iterate::factors() const {
  if (!formed()) return factors_;
  Factors all = full_spectrum(X_, spectrum_);
  const double largest = all.rank() > 0 ? all.s[0] : 0;
  Index kept = 0;
  while (kept < all.rank() && all.s[kept] > kNegligible * largest) ++kept;
  return all.head(kept);
}

double Iterate::inner(const Factors& V) const { return formed() ? inner_product(X_, V) : inner_product(factors_, V); }

double Iterate::apply(const LinearMap& map, Matrix& W, int threads) const {
  if (formed()) {
    map.apply(X_, W, threads);
    return map.pass_cost();
  }
  map.apply(factors_, W, threads);
  return map.apply_cost(factors_.rank());
}

// |(1 - t) X + t V|^2 = (1 - t)^2 |X|^2 + 2 t (1 - t) <X, V> + t^2 |V|^2
void Iterate::blend(double t, const Factors& V) {
  const double mixed = inner(V);
  squared_norm_ = (1 - t) * (1 - t) * squared_norm_ + 2 * t * (1 - t) * mixed + t * t * V.s.squaredNorm();
  if (formed()) {
    X_ *= 1 - t;
    X_.noalias() += (t * V.U * V.s.asDiagonal()) * V.V.transpose();
    return;
  }
  factors_ = t == 1 ? V : combination(1 - t, factors_, t, V);
  if (factors_.rank() > 2 * compressed_rank_ + kGrowth) compress();
}

void Iterate::compress() {
  const Index d = factors_.rows(), c = factors_.columns();
  factors_ = orthonormal(factors_, spectrum_, kNegligible);
  squared_norm_ = factors_.s.squaredNorm();
  compressed_rank_ = factors_.rank();
  const double numbers = static_cast<double>(compressed_rank_) * static_cast<double>(d + c);
  if (!may_be_formed_ || numbers < entries(d, c) / 2) return;
  X_ = factors_.dense();
  factors_ = Factors::zero(d, c);
}

}  // namespace pdbfw::low_rank
