// How widely the columns of a matrix spread, and how far apart its rows are.
#pragma once

#include <span>
#include <vector>

#include "base/random.hpp"
#include "data/made_rows.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Mean, spread and largest entry of every column, from rows that come block by block and count by their weights, if
// they have some. Zeros that are not stored count.
class ColumnMoments {
 public:
  void add(const DataMatrix& rows, std::span<const double> weight = {});

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index columns() const { return static_cast<Index>(columns_.size()); }
  [[nodiscard]] std::vector<double> means() const;
  // The standard deviation of every column; 1 for a column whose entries are all the same. Does not overflow, whatever
  // the values.
  [[nodiscard]] std::vector<double> deviations() const;
  // The largest |entry| of every column; 1 for a column of zeros.
  [[nodiscard]] std::vector<double> maxima() const;

 private:
  // Sums over the entries that are not 0. Wider than double: the square of any double fits.
  struct Column {
    long double weight = 0;
    long double mean = 0;
    long double squares = 0;  // sum of weight (entry - mean)^2
    double largest = 0;       // of |entry|
  };
  template <class Number>
  [[nodiscard]] std::vector<double> of_columns(const Number& number) const;

  Index rows_ = 0;
  long double weight_ = 0;
  std::vector<Column> columns_;
};

[[nodiscard]] std::vector<double> standard_deviations(const DataMatrix& A, std::span<const double> weight = {});

// The median of sum_j |a_ij - a_kj| / scale_j, or of sum_j ((a_ij - a_kj) / scale_j)^2, over 1,000 pairs of rows that
// differ, the same pairs for the same number of rows; 1 when all pairs are of equal rows. Positive and finite.
[[nodiscard]] double median_distance(const DataMatrix& A, std::span<const double> scale);
[[nodiscard]] double median_squared_distance(const DataMatrix& A, std::span<const double> scale);

// Some of the rows, drawn before it is known how many there will be.

// At most 1,000 rows, every set of them as likely as any other (Vitter's algorithm R): all rows in their order when
// there are no more. The choice depends on the numbers of the rows alone, not on the blocks in which they come.
class RowSample {
 public:
  void add(const DataMatrix& rows);

  // The rows kept, as a matrix of the given number of columns, which must be enough.
  [[nodiscard]] MatrixPtr matrix(Index columns) const;

 private:
  // Where the next row goes; null when it is not kept.
  [[nodiscard]] MadeRow* place();

  Random random_{1985};
  Index seen_ = 0;
  std::vector<MadeRow> kept_;
};

}  // namespace pdbfw
