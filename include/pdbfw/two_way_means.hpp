// What rows and columns explain by themselves:  value of (i, j)  is about  mean + row_i + column_j.
//
//   pdbfw::TwoWayMeans means = pdbfw::two_way_means(ratings);
//   double guess = means(i, j);
#pragma once

#include <span>
#include <vector>

#include "pdbfw/errors.hpp"

namespace pdbfw {

// What is removed from the entries of a matrix before something else explains the rest.
enum class Means { none, rows, columns, both };

struct TwoWayMeans {
  double mean = 0;             // of all entries; 0 when nothing is removed
  std::vector<double> row;     // of every row, beyond the mean; 0 where no entry is known
  std::vector<double> column;  // of every column, beyond the mean

  [[nodiscard]] double operator()(Index i, Index j) const {
    return mean + row[static_cast<std::size_t>(i)] + column[static_cast<std::size_t>(j)];
  }
};

// Entries of a matrix, borrowed: three arrays of one length.
struct EntriesView {
  Index rows = 0;
  Index columns = 0;
  std::span<const Index> row;     // 0 .. rows - 1
  std::span<const Index> column;  // 0 .. columns - 1
  std::span<const double> value;  // finite

  [[nodiscard]] Index size() const { return static_cast<Index>(row.size()); }
};

// So many entries of the mean value are added to every row and every column: a row with two entries keeps 2/7 of what
// they say, one with a hundred nearly all. The ratio of the noise of one rating to the spread of people's means is of
// this size.
inline constexpr double kShrinkage = 5;

// The minimiser of   sum (value - mean - row_i - column_j)^2 + shrinkage (|row|^2 + |column|^2)   for the plain mean of
// all entries. Throws InputError for arrays that break the rules of EntriesView, and without entries.
[[nodiscard]] TwoWayMeans two_way_means(const EntriesView& entries, Means removed = Means::both,
                                        double shrinkage = kShrinkage);

}  // namespace pdbfw
