#include "support/maps.hpp"

#include <utility>

#include "base/random.hpp"

namespace pdbfw::test {
namespace {

// Small multiples of 1/8: products and short sums of them are exact in double, and float holds them.
Matrix eighths(Random& random, Index rows, Index columns) {
  Matrix M(rows, columns);
  for (Index i = 0; i < M.size(); ++i)
    M.data()[i] = random.uniform() < 0.4 ? 0.0 : (static_cast<double>(random.below(33)) - 16) / 8;
  return M;
}

template <class Value, class Entry>
MatrixPtr sparse(const Matrix& M) {
  std::vector<Index> offsets{0};
  std::vector<Entry> at;
  std::vector<Value> value;
  for (Index i = 0; i < M.rows(); ++i) {
    for (Index j = 0; j < M.cols(); ++j) {
      if (M(i, j) == 0) continue;
      at.push_back(static_cast<Entry>(j));
      value.push_back(static_cast<Value>(M(i, j)));
    }
    offsets.push_back(static_cast<Index>(at.size()));
  }
  return own_csr(M.rows(), M.cols(), std::move(offsets), std::move(at), std::move(value));
}

template <class Value>
MatrixPtr dense(const Matrix& M) {
  return own_dense_rows(M.rows(), M.cols(), std::vector<Value>(M.data(), M.data() + M.size()));
}

// l r' as a row.
Matrix outer(const Matrix& l, const Matrix& r) {
  const Matrix product = l.transpose() * r;
  return Eigen::Map<const Matrix>(product.data(), 1, product.size());
}

void add_rows_maps(const Matrix& A, Index columns, std::vector<MapCase>& out) {
  Matrix full = Matrix::Zero(A.rows() * columns, A.cols() * columns);
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < A.cols(); ++j)
      for (Index k = 0; k < columns; ++k) full(i * columns + k, j * columns + k) = A(i, j);
  for (const auto& [name, matrix] : stored(A)) out.push_back({"rows " + name, rows_map(matrix, columns), full});
}

void add_entries_map(Random& random, Index n, Index rows, Index columns, std::vector<MapCase>& out) {
  std::vector<Index> row, column;
  Matrix full = Matrix::Zero(n, rows * columns);
  for (Index i = 0; i < n; ++i) {
    row.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(rows))));
    column.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(columns))));
    full(i, row.back() * columns + column.back()) = 1;
  }
  out.push_back({"entries", entries_map(rows, columns, row, column), std::move(full)});
}

}  // namespace

std::vector<StoredMatrix> stored(const Matrix& M) {
  return {{"sparse double 32", sparse<double, std::int32_t>(M)},
          {"sparse float 32", sparse<float, std::int32_t>(M)},
          {"sparse double 64", sparse<double, std::int64_t>(M)},
          {"sparse float 64", sparse<float, std::int64_t>(M)},
          {"dense double", dense<double>(M)},
          {"dense float", dense<float>(M)}};
}

std::vector<MapCase> all_maps(std::uint64_t seed, Index largest) {
  Random random(seed);
  const auto size = [&] { return 1 + static_cast<Index>(random.below(static_cast<std::uint64_t>(largest))); };
  const Index n = size(), d = size(), c = size();
  std::vector<MapCase> cases;
  add_rows_maps(eighths(random, n, d), c, cases);
  add_entries_map(random, 2 * n, d, c, cases);

  const Matrix A = eighths(random, n, d * c);
  for (const auto& [name, matrix] : stored(A)) cases.push_back({"products " + name, products_map(matrix, d, c), A});
  // So few entries that only some cells are touched.
  Matrix few = Matrix::Zero(n, d * c);
  for (Index i = 0; i < n; ++i) few(i, static_cast<Index>(random.below(static_cast<std::uint64_t>(d * c)))) = 0.5;
  for (const auto& [name, matrix] : stored(few))
    cases.push_back({"products of few, " + name, products_map(matrix, d, c), few});

  const Matrix left = eighths(random, n, d), right = eighths(random, n, c);
  Matrix full(n, d * c);
  for (Index i = 0; i < n; ++i) full.row(i) = outer(left.row(i), right.row(i));
  const std::vector<StoredMatrix> lefts = stored(left), rights = stored(right);
  for (std::size_t k = 0; k < lefts.size(); ++k) {
    const StoredMatrix& other = rights[(k + 3) % rights.size()];
    cases.push_back({"rank one " + lefts[k].name + " and " + other.name, rank_one_map(lefts[k].A, other.A), full});
  }

  for (const Index group : {1, 2, 3}) {
    const Matrix G = eighths(random, n * group, d);
    Matrix sums = Matrix::Zero(n, d * d);
    for (Index i = 0; i < G.rows(); ++i) sums.row(i / group) += outer(G.row(i), G.row(i));
    for (const auto& [name, matrix] : stored(G))
      cases.push_back({"quadratic by " + std::to_string(group) + " " + name, quadratic_map(matrix, group), sums});
  }
  return cases;
}

Factors random_factors(std::uint64_t seed, Index rows, Index columns, Index rank) {
  return {random_matrix(rows, rank, seed), random_matrix(rank, 1, seed + 1).col(0),
          random_matrix(columns, rank, seed + 2)};
}

}  // namespace pdbfw::test
