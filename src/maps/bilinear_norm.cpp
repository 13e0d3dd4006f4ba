#include "maps/bilinear_norm.hpp"

#include <algorithm>
#include <utility>

#include "linalg/block_products.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/kernels.hpp"
#include "linalg/largest_eigenvalue.hpp"
#include "maps/map_checks.hpp"
#include "maps/map_norm.hpp"

namespace pdbfw {
namespace {

// So many numbers are formed without a second thought.
constexpr double kFew = 1e6;

// y -> A(A*(y)), with A*(y) formed.
SymmetricProduct by_adjoint(const LinearMap& map) {
  return [&map, Z = Matrix(map.rows(), map.columns()), w = Matrix()](const Vector& v, Vector& out) mutable {
    Z.setZero();
    map.add_adjoint(v, 1, Z);
    map.apply(Z, w);
    out = w.col(0);
  };
}

// <A_i, A_j> = sum over the rows a of group i and b of group j of <l_a, l_b> <r_a, r_b>.
Matrix inner_products(const DataMatrix& left, const DataMatrix& right, Index group) {
  const Index count = left.rows(), n = count / group;
  // The rows are written out in groups, each within kFew numbers.
  const Index block = std::clamp<Index>(static_cast<Index>(kFew) / std::max(left.columns(), right.columns()), 1, 64);
  Matrix products = Matrix::Zero(n, n), ll, rr;
  for (Index first = 0; first < count; first += block) {
    const Index last = std::min(first + block, count);
    multiply(left, dense_rows(left, first, last).transpose(), ll);
    multiply(right, dense_rows(right, first, last).transpose(), rr);
    for (Index a = 0; a < count; ++a)
      for (Index b = first; b < last; ++b) products(a / group, b / group) += ll(a, b - first) * rr(a, b - first);
  }
  return products;
}

using Entries = std::vector<std::pair<Index, double>>;

// The entries of A_i by their place in X, each once.
Entries entries_of_sample(const DataMatrix& left, const DataMatrix& right, Index group, Index i) {
  Entries entries;
  std::visit(
      [&](const auto& lefts, const auto& rights) {
        for (Index a = i * group; a < (i + 1) * group; ++a)
          for (Index k = 0; k < lefts[a].size; ++k)
            for (Index m = 0; m < rights[a].size; ++m)
              entries.emplace_back(lefts[a].index(k) * right.columns() + rights[a].index(m),
                                   static_cast<double>(lefts[a].value[k]) * static_cast<double>(rights[a].value[m]));
      },
      left.by_row(), right.by_row());
  std::sort(entries.begin(), entries.end());
  Entries merged;
  for (const auto& [at, value] : entries)
    if (merged.empty() || merged.back().first != at)
      merged.emplace_back(at, value);
    else
      merged.back().second += value;
  return merged;
}

MapPtr written_out(const DataMatrix& left, const DataMatrix& right, Index group) {
  std::vector<Index> offsets{0}, at;
  std::vector<double> value;
  for (Index i = 0; i < left.rows() / group; ++i) {
    for (const auto& [place, entry] : entries_of_sample(left, right, group, i)) {
      at.push_back(place);
      value.push_back(entry);
    }
    offsets.push_back(static_cast<Index>(at.size()));
  }
  return products_map(own_csr(left.rows() / group, left.columns() * right.columns(), std::move(offsets), std::move(at),
                              std::move(value)),
                      left.columns(), right.columns());
}

}  // namespace

Vector bilinear_squared_sample_norms(const DataMatrix& left, const DataMatrix& right, Index group) {
  if (group == 1) return squared_row_norms(left).cwiseProduct(squared_row_norms(right));
  Vector norms(left.rows() / group);
  for (Index i = 0; i < norms.size(); ++i) {
    const Matrix l = dense_rows(left, i * group, (i + 1) * group), r = dense_rows(right, i * group, (i + 1) * group);
    norms(i) = (l * l.transpose()).cwiseProduct(r * r.transpose()).sum();
  }
  return norms;
}

double bilinear_squared_norm(const LinearMap& map, const DataMatrix& left, const DataMatrix& right, Index group) {
  const Vector norms = bilinear_squared_sample_norms(left, right, group);
  const double held = std::max(kFew, static_cast<double>(left.nonzeros() + right.nonzeros()));
  Matrix K;
  SymmetricProduct product;
  if (cells(map.rows(), map.columns()) <= held) {
    product = by_adjoint(map);
  } else if (cells(map.samples(), map.samples()) <= held) {
    K = inner_products(left, right, group);
    product = [&K](const Vector& v, Vector& out) { out.noalias() = K * v; };
  } else {
    return written_out(left, right, group)->squared_norm();
  }
  // The inner products of quadratic measurements are sums of squares.
  if (&left == &right)
    if (const auto bound = nonnegative_eigenvalue_bound(norms.cwiseSqrt(), product)) return *bound;
  return largest_eigenvalue_bound(map.samples(), norms.sum(), product);
}

}  // namespace pdbfw
