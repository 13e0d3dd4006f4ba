// Some of the rows, drawn before it is known how many there will be.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// At most 1,000 rows, every set of them as likely as any other (Vitter's algorithm R): all rows in their order when
// there are no more. The choice depends on the numbers of the rows alone, not on the blocks in which they come.
class RowSample {
 public:
  void add(const DataMatrix& rows);

  // The rows kept, as a matrix of the given number of columns, which must be enough.
  [[nodiscard]] MatrixPtr matrix(Index columns) const;

 private:
  struct Row {
    std::vector<Index> at;
    std::vector<double> value;
  };
  // Where the next row goes; null when it is not kept.
  [[nodiscard]] Row* place();

  Random random_{1985};
  Index seen_ = 0;
  std::vector<Row> kept_;
};

}  // namespace pdbfw
