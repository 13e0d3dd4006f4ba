#include "support/low_rank_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/random.hpp"
#include "linalg/dense_product.hpp"
#include "linalg/orthonormal.hpp"

namespace pdbfw::test {
namespace {

void check_count(std::string_view name, Index value) {
  if (value < 1) throw InputError(name, fmt::format("{}", value), "an integer >= 1");
}

void check_cells(std::string_view name, Index rows, Index columns) {
  if (rows > std::numeric_limits<Index>::max() / columns)
    throw InputError(name, fmt::format("{}", columns), "fewer than 2^63 entries in all");
}

void check_rank(Index rank, Index rows, Index columns) {
  if (rank < 1 || rank > std::min(rows, columns))
    throw InputError("rank", fmt::format("{}", rank), fmt::format("an integer, 1 .. {}", std::min(rows, columns)));
}

void check_noise(double noise) {
  if (!(noise >= 0 && std::isfinite(noise)))
    throw InputError("noise", fmt::format("{}", noise), "a finite number >= 0");
}

Matrix normal(Random& random, Index rows, Index columns) {
  Matrix M(rows, columns);
  for (double& value : M.reshaped<Eigen::RowMajor>()) value = random.normal();
  return M;
}

void add_noise(Random& random, double noise, Matrix& M) {
  if (noise > 0) M += noise * normal(random, M.rows(), M.cols());
}

MatrixPtr owned(const Matrix& M) {
  return own_dense_rows(M.rows(), M.cols(), std::vector<double>(M.data(), M.data() + M.size()));
}

// The product of two Gaussian factors.
Factors draw_truth(Random& random, Index rows, Index columns, Index rank) {
  Matrix U = normal(random, rows, rank);
  return orthonormal({std::move(U), Vector::Ones(rank), normal(random, columns, rank)}, Spectrum::singular_values);
}

// `count` different numbers below `bound`, ascending; each set of them is as likely as any other, since all numbers are
// treated alike. Where most numbers are wanted, the others are drawn.
std::vector<Index> draw_different(Random& random, Index bound, Index count) {
  if (count > bound / 2 && count > 1) {
    const std::vector<Index> others = draw_different(random, bound, bound - count);
    std::vector<Index> wanted;
    wanted.reserve(static_cast<std::size_t>(count));
    auto other = others.begin();
    for (Index i = 0; i < bound; ++i)
      if (other != others.end() && *other == i)
        ++other;
      else
        wanted.push_back(i);
    return wanted;
  }
  std::vector<Index> drawn;
  drawn.reserve(static_cast<std::size_t>(count));
  while (static_cast<Index>(drawn.size()) < count) {
    const auto old = static_cast<std::ptrdiff_t>(drawn.size());
    while (static_cast<Index>(drawn.size()) < count)
      drawn.push_back(static_cast<Index>(random.below(static_cast<std::uint64_t>(bound))));
    std::sort(drawn.begin() + old, drawn.end());
    std::inplace_merge(drawn.begin(), drawn.begin() + old, drawn.end());
    drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  }
  return drawn;
}

}  // namespace

GeneratedRegression generate_regression(const RegressionRecipe& recipe) {
  check_count("rows", recipe.rows);
  check_count("features", recipe.features);
  check_count("outputs", recipe.outputs);
  check_rank(recipe.rank, recipe.features, recipe.outputs);
  check_noise(recipe.noise);
  Random random(recipe.seed);
  GeneratedRegression made;
  made.truth = draw_truth(random, recipe.features, recipe.outputs, recipe.rank);
  Matrix A;
  if (recipe.design == Design::gaussian) {
    A = normal(random, recipe.rows, recipe.features);
  } else {
    A.resize(recipe.rows, recipe.features);
    for (double& value : A.reshaped<Eigen::RowMajor>()) value = random.uniform();
    A.col(0).setOnes();
  }
  made.B = times_transposed(times(A, made.truth.U * made.truth.s.asDiagonal()), made.truth.V);
  add_noise(random, recipe.noise, made.B);
  made.A = owned(A);
  return made;
}

GeneratedCompletion generate_completion(const CompletionRecipe& recipe) {
  check_count("rows", recipe.rows);
  check_count("columns", recipe.columns);
  check_rank(recipe.rank, recipe.rows, recipe.columns);
  check_noise(recipe.noise);
  check_cells("columns", recipe.rows, recipe.columns);
  if (recipe.entries < 1 || recipe.entries > recipe.rows * recipe.columns)
    throw InputError("entries", fmt::format("{}", recipe.entries),
                     fmt::format("an integer, 1 .. {}", recipe.rows * recipe.columns));
  Random random(recipe.seed);
  GeneratedCompletion made;
  made.truth = draw_truth(random, recipe.rows, recipe.columns, recipe.rank);
  const Matrix Us = made.truth.U * made.truth.s.asDiagonal();
  made.value.resize(recipe.entries, 1);
  for (const Index place : draw_different(random, recipe.rows * recipe.columns, recipe.entries)) {
    const Index i = place / recipe.columns, j = place % recipe.columns;
    made.value(static_cast<Index>(made.row.size()), 0) = Us.row(i).dot(made.truth.V.row(j));
    made.row.push_back(i);
    made.column.push_back(j);
  }
  add_noise(random, recipe.noise, made.value);
  return made;
}

GeneratedProducts generate_products(const ProductsRecipe& recipe) {
  check_count("rows", recipe.rows);
  check_count("columns", recipe.columns);
  check_count("measurements", recipe.measurements);
  check_cells("columns", recipe.rows, recipe.columns);
  check_rank(recipe.rank, recipe.rows, recipe.columns);
  check_noise(recipe.noise);
  Random random(recipe.seed);
  GeneratedProducts made;
  made.truth = draw_truth(random, recipe.rows, recipe.columns, recipe.rank);
  const Matrix A = normal(random, recipe.measurements, recipe.rows * recipe.columns);
  const Matrix X = made.truth.dense();
  made.value = A * X.reshaped<Eigen::RowMajor>();
  add_noise(random, recipe.noise, made.value);
  made.A = owned(A);
  return made;
}

GeneratedPhase generate_phase(const PhaseRecipe& recipe) {
  check_count("size", recipe.size);
  check_count("measurements", recipe.measurements);
  check_noise(recipe.noise);
  Random random(recipe.seed);
  const auto draw = [&](Index rows, Index columns, bool is_complex) {
    ComplexMatrix M = ComplexMatrix::Zero(rows, columns);
    M.real() = normal(random, rows, columns);
    if (is_complex) M.imag() = normal(random, rows, columns);
    return M;
  };
  GeneratedPhase made;
  made.truth = draw(recipe.size, 1, recipe.signal == SignalKind::complex);
  made.a = draw(recipe.measurements, recipe.size, recipe.is_measured_complex);
  made.intensity = (made.a.conjugate() * made.truth).cwiseAbs2();
  add_noise(random, recipe.noise, made.intensity);
  return made;
}

}  // namespace pdbfw::test
