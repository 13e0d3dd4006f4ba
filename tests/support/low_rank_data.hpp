// Low-rank problems made from a seed, with their truth. The same seed gives the same numbers everywhere. All functions
// throw InputError for sizes that cannot be.
//
//   const auto made = generate_completion({.rows = 200, .columns = 100, .entries = 4000, .rank = 3});
//   const auto map = entries_map(200, 100, made.row, made.column);
#pragma once

#include <cstdint>
#include <vector>

#include "pdbfw/phase.hpp"

namespace pdbfw::test {

// How A is drawn. Gaussian matrices are well conditioned. With all entries from [0, 1] and a first column of ones, one
// singular value towers over the others.
enum class Design { gaussian, uniform };

// B = A X + noise, with A of rows x features and X of features x outputs. The defaults are the paper's.
struct RegressionRecipe {
  Index rows = 1000;
  Index features = 800;
  Index outputs = 600;
  Index rank = 10;
  Design design = Design::gaussian;
  double noise = 0;  // standard deviation of Gaussian noise
  std::uint64_t seed = 1;
};
struct GeneratedRegression {
  MatrixPtr A;
  Matrix B;
  Factors truth;  // orthonormal, from two Gaussian factors
};
[[nodiscard]] GeneratedRegression generate_regression(const RegressionRecipe& recipe);

// Entries of a matrix of low rank, at different places, each place as likely as any other.
struct CompletionRecipe {
  Index rows = 1000;
  Index columns = 500;
  Index entries = 50'000;
  Index rank = 5;
  double noise = 0;
  std::uint64_t seed = 1;
};
struct GeneratedCompletion {
  std::vector<Index> row, column;  // row after row
  Matrix value;                    // entries x 1
  Factors truth;
};
[[nodiscard]] GeneratedCompletion generate_completion(const CompletionRecipe& recipe);

// b_i = <A_i, X> + noise with Gaussian A_i, as rows of an n x (rows columns) matrix.
struct ProductsRecipe {
  Index rows = 30;
  Index columns = 20;
  Index measurements = 400;
  Index rank = 2;
  double noise = 0;
  std::uint64_t seed = 1;
};
struct GeneratedProducts {
  MatrixPtr A;
  Matrix value;  // measurements x 1
  Factors truth;
};
[[nodiscard]] GeneratedProducts generate_products(const ProductsRecipe& recipe);

// Intensities |a_i* x|^2 + noise of a Gaussian signal under Gaussian measurement vectors, all of one kind or the other.
struct PhaseRecipe {
  Index size = 128;
  Index measurements = 768;
  SignalKind signal = SignalKind::real;
  bool is_measured_complex = false;
  double noise = 0;
  std::uint64_t seed = 1;
};
struct GeneratedPhase {
  ComplexMatrix a;   // measurements x size
  Matrix intensity;  // measurements x 1
  ComplexVector truth;
};
[[nodiscard]] GeneratedPhase generate_phase(const PhaseRecipe& recipe);

}  // namespace pdbfw::test
