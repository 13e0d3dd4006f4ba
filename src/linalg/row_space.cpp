#include "linalg/row_space.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "linalg/decompositions.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/products.hpp"

namespace pdbfw {
namespace {

// Rows of A that are written out together, and columns of A'A that are computed together.
constexpr Index kRows = 512;
constexpr Index kColumns = 128;
// A multiply-add with an entry that has to be looked up costs as much as this many in a dense product.
constexpr double kScattered = 8;

// G += block' block, the lower triangle.
void add_gram(const Matrix& block, Matrix& G, int threads) {
  for (Index j = 0; j < G.cols(); j += kColumns) {
    const Index width = std::min(kColumns, G.cols() - j), height = G.rows() - j;
    add_transposed_times(1, block.middleCols(j, height), block.middleCols(j, width), G.block(j, j, height, width),
                         threads);
  }
}

// G += sum of a_i a_i', the lower triangle, entry by entry.
void add_outer_products(const Lines& lines, Matrix& G) {
  std::visit(
      [&](const auto& all) {
        for (Index i = 0; i < all.count; ++i) {
          const auto line = all[i];
          for (Index k = 0; k < line.size; ++k)
            for (Index m = 0; m <= k; ++m)
              G(line.index(k), line.index(m)) +=
                  static_cast<double>(line.value[k]) * static_cast<double>(line.value[m]);
        }
      },
      lines);
}

double pairs_of_entries(const Lines& lines) {
  return std::visit(
      [](const auto& all) {
        double pairs = 0;
        for (Index i = 0; i < all.count; ++i)
          pairs += 0.5 * static_cast<double>(all[i].size) * static_cast<double>(all[i].size + 1);
        return pairs;
      },
      lines);
}

// The lower triangle of A'A.
Matrix gram(const DataMatrix& A, int threads, double& multiply_adds) {
  const auto n = static_cast<double>(A.rows()), d = static_cast<double>(A.columns());
  Matrix G = Matrix::Zero(A.columns(), A.columns());
  const double pairs = pairs_of_entries(A.by_row());
  if (kScattered * pairs < 0.5 * n * d * d) {
    add_outer_products(A.by_row(), G);
    multiply_adds += pairs;
    return G;
  }
  for (Index first = 0; first < A.rows(); first += kRows)
    add_gram(dense_rows(A, first, std::min(first + kRows, A.rows())), G, threads);
  multiply_adds += 0.5 * n * d * d;
  return G;
}

// Householder's reflections: (2/3) size^3 for T, as much again for Q.
TridiagonalForm counted_form(const Eigen::MatrixXd& lower, double& multiply_adds) {
  const auto size = static_cast<double>(lower.rows());
  multiply_adds += 4.0 / 3 * size * size * size;
  return tridiagonal_form(lower);
}

}  // namespace

RowSpace row_space(const DataMatrix& A, int threads) {
  RowSpace space;
  if (A.columns() <= A.rows()) {
    const TridiagonalForm form = counted_form(gram(A, threads, space.multiply_adds), space.multiply_adds);
    space.Q = form.Q;
    space.T = {form.diagonal, form.beside};
    return space;
  }
  // A' = Q_0 R, so A'A = Q_0 (R R') Q_0'. The small matrix A A' would give the same, but lose the small directions.
  const auto n = static_cast<double>(A.rows()), d = static_cast<double>(A.columns());
  space.multiply_adds += 3 * n * n * d;
  const OrthogonalTriangular qr = orthogonal_triangular(dense_rows(A, 0, A.rows()).transpose());
  const TridiagonalForm form = counted_form(qr.R * qr.R.transpose(), space.multiply_adds);
  space.Q = qr.Q * form.Q;
  space.T = {form.diagonal, form.beside};
  return space;
}

}  // namespace pdbfw
