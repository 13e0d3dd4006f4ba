// Random binning features (Rahimi, Recht 2008): a sparse matrix B whose rows have inner products near the Laplacian
// kernel of the rows of A,   <b_i, b_k> ~ exp(-gamma |a_i - a_k|_1),   with an error that falls like 1/sqrt(grids). A
// linear model on B is then a non-linear one on A.
//
//   const pdbfw::RandomBinning map = pdbfw::learn_random_binning(*A, {.grids = 300, .gamma = 1.0});
//   const pdbfw::MatrixPtr B = map.apply(*A);            // and for new rows: map.apply(*A_test)
//
// A grid cuts every column j into intervals of one width, pitch_j, from a random start, shift_j. Rows that fall into
// the same interval of every column share a bin, and every bin that a training row falls into is a feature.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "pdbfw/matrix.hpp"

namespace pdbfw {

struct RandomBinningOptions {
  Index grids = 100;                // 1 .. 100,000; as many entries has a row of B
  std::optional<double> gamma{};    // > 0; none: 1 / median l1 distance of 1,000 pairs of rows (after scaling)
  std::optional<Index> features{};  // in place of gamma, which is then found so that there are about so many bins
  bool scale = false;               // as if every column of A had been divided by its standard deviation
  std::uint64_t seed = 0;           // of the pitches and shifts
  int threads = 1;                  // any number gives the same bits
};

// 128 bits in place of a vector of one interval a column. Two bins of a grid that differ in one column never share
// them; for others the chance is about 2^-128 a pair, so below 10^-26 for a grid of a million bins.
struct BinHash {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  [[nodiscard]] bool operator==(const BinHash&) const = default;
};

struct RandomGrid {
  std::vector<double> pitch;  // one a column, > 0, in the units of A's column; row a falls into the intervals
  std::vector<double> shift;  // floor((a_j - shift_j) / pitch_j); 0 <= shift < pitch
  std::vector<BinHash> bins;  // those of the training rows, in the order in which they first occur
};

// What was learnt. The features of the first grid come first, then those of the second; those of a grid are numbered as
// its bins are: rows of B are then ascending as they are built, and early rows, which tend to be like many others, have
// neighbouring features.
struct RandomBinning {
  double gamma = 0;  // a record; the pitches say it all
  Index columns = 0;
  std::vector<RandomGrid> grids;

  [[nodiscard]] Index features() const;

  // One entry 1/sqrt(grids) for every grid in which the row's bin is known; none where it is not. Columns that A lacks
  // are 0, columns beyond those learnt have no say. Throws as validate does. Any number of threads gives the same bits.
  [[nodiscard]] MatrixPtr apply(const DataMatrix& A, int threads = 1) const;
};

// Throw InputError for options out of range, and for a map that learn_random_binning cannot have made.
void validate(const RandomBinningOptions& options);
void validate(const RandomBinning& map);

// Throws as validate does, for a matrix without rows, for more than 2^31 - 1 bins, and for a number of features that no
// gamma comes near (10 %). There is at least one bin a grid and at most one for each grid and distinct row.
[[nodiscard]] RandomBinning learn_random_binning(const DataMatrix& A, const RandomBinningOptions& options = {});

}  // namespace pdbfw

template <>
struct std::hash<pdbfw::BinHash> {
  std::size_t operator()(const pdbfw::BinHash& bin) const noexcept { return static_cast<std::size_t>(bin.low); }
};
