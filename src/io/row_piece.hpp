// Some rows of a data file, as a reader hands them on.
#pragma once

#include "io/growing_array.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

struct RowPiece {
  Index features = 0;           // the largest index, counted from 1
  GrowingArray<double> target;  // a row each
  GrowingArray<Index> row_end;  // entries of this piece up to and with the row
  GrowingArray<Index> at;       // 0-based
  GrowingArray<double> value;
};

// Keeps the memory.
inline void clear(RowPiece& piece) {
  piece.features = 0;
  piece.target.resize_down(0);
  piece.row_end.resize_down(0);
  piece.at.resize_down(0);
  piece.value.resize_down(0);
}

}  // namespace pdbfw
