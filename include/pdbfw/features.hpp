// Features made from data: normalised, polynomial, and those of the Laplacian and the Gaussian kernel. What is learnt
// of the training data is kept, in memory or in a file, so that test data are treated the same way. docs/features.md
// and docs/random-binning.md specify the files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Rows of length 1, and columns of one scale. What is learnt of the columns of the training data is kept, so that test
// data are treated the same way.
//
//   const pdbfw::Normalisation map = pdbfw::Normalisation::learn(*A, {.columns =
//   pdbfw::Normalisation::Columns::maximum}); const pdbfw::MatrixPtr B = map.apply(*A);            // and for new rows:
//   map.apply(*A_test)

struct Normalisation {
  // What is done to a column: nothing; divided by its largest |entry|; divided by its standard deviation; its mean
  // taken away first. All but the last leave zeros alone, so sparse data stay sparse.
  enum class Columns { none, maximum, deviation, standardise };

  // What is done to a row, after the columns: nothing, or divided by its length.
  enum class Rows { none, l2 };

  struct Options {
    Rows rows = Rows::none;
    Columns columns = Columns::none;
  };

  Options options;
  std::vector<double> centre;  // one per learnt column, subtracted; 0 unless standardise; none without a column rule
  std::vector<double> scale;   // one per learnt column, > 0, divided by; 1 for a column of which nothing can be learnt

  [[nodiscard]] bool fills_in() const { return options.columns == Columns::standardise; }

  // Columns that A lacks are 0, columns beyond those learnt are left out (with no column rule there are none of these).
  // A row of zeros stays one. Throws InputError for a map that cannot have been learnt, and for results beyond the
  // largest double. Any number of threads gives the same bits.
  [[nodiscard]] MatrixPtr apply(const DataMatrix& A, int threads = 1) const;

  // Throws InputError for a matrix without rows.
  [[nodiscard]] static Normalisation learn(const DataMatrix& A, const Options& options);
};

// Polynomial features: rows whose inner products are the polynomial kernel of the rows of A,
//
//   <b_i, b_k> = (gamma a_i'a_k + coef0)^degree,
//
// exactly when every product of `degree` values has a feature of its own, and on average over the seeds when they are
// hashed into 2^hash_bits features (Weinberger et al. 2009).
//
//   const pdbfw::MatrixPtr B = pdbfw::Polynomial{.degree = 2}.apply(*A);
//
// Nothing is learnt, and the number of a feature does not depend on how many columns there are: training and test data
// are mapped on their own, with the same options.

// With z = sqrt(gamma) a, and sqrt(coef0) put in front unless it is 0, the features are the products of `degree`
// entries of z, i <= j (<= k), times the root of how many orders the product has: 1 or sqrt(2) for degree 2; 1, sqrt(3)
// or sqrt(6) for degree 3. The product of i <= j is feature j(j+1)/2 + i, that of i <= j <= k is k(k+1)(k+2)/6 +
// j(j+1)/2 + i, counted from 0.
struct Polynomial {
  int degree = 2;                  // 2 or 3
  double gamma = 1;                // > 0
  double coef0 = 1;                // >= 0; 0: products of degree `degree` only
  std::optional<int> hash_bits{};  // 1 .. 30; none: exact
  std::uint64_t seed = 0;          // of the hash

  // The number of features for data of this number of columns. Throws InputError beyond 2^62.
  [[nodiscard]] Index features(Index columns) const;

  // Throws InputError for options out of range, for more than 2^25 products in a row, and for products beyond the
  // largest double. Any number of threads gives the same bits.
  [[nodiscard]] MatrixPtr apply(const DataMatrix& A, int threads = 1) const;
};

// Random binning features (Rahimi, Recht 2008): a sparse matrix B whose rows have inner products near the Laplacian
// kernel of the rows of A,   <b_i, b_k> ~ exp(-gamma |a_i - a_k|_1),   with an error that falls like 1/sqrt(grids). A
// linear model on B is then a non-linear one on A.
//
//   const pdbfw::RandomBinning map = pdbfw::RandomBinning::learn(*A, {.grids = 300, .gamma = 1.0});
//   const pdbfw::MatrixPtr B = map.apply(*A);            // and for new rows: map.apply(*A_test)
//
// A grid cuts every column j into intervals of one width, pitch_j, from a random start, shift_j. Rows that fall into
// the same interval of every column share a bin, and every bin that a training row falls into is a feature.

struct RandomBinningOptions {
  Index grids = 100;                // 1 .. 100,000; as many entries has a row of B
  std::optional<double> gamma{};    // > 0; none: 1 / median l1 distance of 1,000 pairs of rows (after scaling)
  std::optional<Index> features{};  // in place of gamma, which is then found to give about this number of bins
  bool scale = false;               // as if every column of A had been divided by its standard deviation
  std::uint64_t seed = 0;           // of the pitches and shifts
  int threads = 1;                  // any number gives the same bits
};

// What was learnt. The features of the first grid come first, then those of the second; those of a grid are numbered as
// its bins are: rows of B are then ascending as they are built, and early rows, which tend to be like many others, have
// neighbouring features.
struct RandomBinning {
  // 128 bits in place of a vector of one interval a column. Two bins of a grid that differ in one column never share
  // them; for others the chance is about 2^-128 a pair, so below 10^-26 for a grid of a million bins.
  struct Bin {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    [[nodiscard]] bool operator==(const Bin&) const = default;
  };

  struct Grid {
    std::vector<double> pitch;  // one per column, > 0, in the units of A's column; row a falls into the intervals
    std::vector<double> shift;  // floor((a_j - shift_j) / pitch_j); 0 <= shift < pitch
    std::vector<Bin> bins;      // those of the training rows, in the order in which they first occur
  };

  double gamma = 0;  // a record; the pitches say it all
  Index columns = 0;
  std::vector<Grid> grids;

  [[nodiscard]] Index features() const;

  // One entry 1/sqrt(grids) for every grid in which the row's bin is known; none where it is not. Columns that A lacks
  // are 0, columns beyond those learnt are ignored. Throws InputError for a map that cannot have been learnt. Any
  // number of threads gives the same bits.
  [[nodiscard]] MatrixPtr apply(const DataMatrix& A, int threads = 1) const;

  // Throws InputError for options out of range, for a matrix without rows, for more than 2^31 - 1 bins, and for a
  // number of features that no gamma comes near (10 %). There is at least one bin a grid and at most one for each grid
  // and distinct row.
  [[nodiscard]] static RandomBinning learn(const DataMatrix& A, const RandomBinningOptions& options = {});
};

// Random Fourier features (Rahimi, Recht 2007): rows whose inner products are near a kernel of the rows of A,
//
//   <b_i, b_k> ~ exp(-gamma |a_i - a_k|_2^2)   (gaussian)    or    exp(-gamma |a_i - a_k|_1)   (laplacian),
//
// with an error that falls like 1/sqrt(features). A linear model on B is then a non-linear one on A. Every row of B is
// dense and of length 1.
//
//   const pdbfw::RandomFourier map = pdbfw::RandomFourier::learn(*A, {.features = 2'000});
//   const pdbfw::MatrixPtr B = map.apply(*A);            // and for new rows: map.apply(*A_test)

struct RandomFourierOptions {
  enum class Kernel { gaussian, laplacian };

  Kernel kernel = Kernel::gaussian;
  Index features = 1'000;         // even, 2 .. 1,000,000; a cosine and a sine a frequency
  std::optional<double> gamma{};  // > 0; none: 1 / median distance of 1,000 pairs of rows, |.|_2^2 or |.|_1
  bool scale = false;             // as if every column of A had been divided by its standard deviation
  std::uint64_t seed = 0;         // of the frequencies
};

// What was learnt: the frequencies, in the units of the columns of A.
struct RandomFourier {
  RandomFourierOptions::Kernel kernel = RandomFourierOptions::Kernel::gaussian;
  double gamma = 0;  // a record, as the kernel is; the frequencies say it all
  Index columns = 0;
  Index features = 0;             // even
  std::vector<double> frequency;  // features/2 numbers for the first column, then for the second, ...

  // b = sqrt(2/features) (cos w_1'a, sin w_1'a, cos w_2'a, sin w_2'a, ...). Columns that A lacks are 0, columns beyond
  // those learnt are ignored. Throws InputError for a map that cannot have been learnt, and for values so large that
  // w'a is not finite. Any number of threads gives the same bits.
  [[nodiscard]] MatrixPtr apply(const DataMatrix& A, int threads = 1) const;

  // Throws InputError for options out of range and for a matrix without rows.
  [[nodiscard]] static RandomFourier learn(const DataMatrix& A, const RandomFourierOptions& options = {});
};

// What was learnt, in a file: for rows that come later. Instantiated for Normalisation, RandomBinning and
// RandomFourier.

// Every number so that it reads back exactly; to a temporary name, then renamed. "-" is standard output. Throws
// InputError for what cannot have been learnt.
template <class Features>
void write_features(const std::string& path, const Features& features);

// Throws InputError "file:line:column: what is wrong", also where the file holds other features; memory grows with the
// file's length, never with a number it states. Compressed files are read too; "-" is standard input.
//
//   const auto binning = pdbfw::read_features<pdbfw::RandomBinning>("bins.map");
template <class Features>
[[nodiscard]] Features read_features(const std::string& path);

}  // namespace pdbfw
