// Rows made from rows, each from one alone.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "base/parallel.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw {

// Calls work(rows, first, last) for pieces of A's rows, on several threads at once.
template <class Work>
void for_pieces_of_rows(const DataMatrix& A, Index rows_of_a_piece, int threads, const Work& work) {
  const Lines& lines = A.by_row();  // built by one thread, if at all
  parallel_for(threads, (A.rows() + rows_of_a_piece - 1) / rows_of_a_piece, [&](Index piece) {
    const Index first = piece * rows_of_a_piece;
    std::visit([&](const auto& rows) { work(rows, first, std::min(first + rows_of_a_piece, rows.count)); }, lines);
  });
}

// Calls visit(column, value) for the entries of a line before column `width` that are not zero. Zeros are passed over
// even where they are stored: sparse and dense storage then give the same.
template <class Line, class Visit>
void for_each_nonzero(const Line& line, Index width, const Visit& visit) {
  for (Index k = 0; k < line.size && line.index(k) < width; ++k)
    if (line.value[k] != 0) visit(line.index(k), static_cast<double>(line.value[k]));
}
template <class Line, class Visit>
void for_each_nonzero(const Line& line, const Visit& visit) {
  for_each_nonzero(line, std::numeric_limits<Index>::max(), visit);
}

// Calls visit(i, row) for the rows of A, one after the other.
template <class Visit>
void for_each_row(const DataMatrix& A, const Visit& visit) {
  std::visit(
      [&](const auto& rows) {
        for (Index i = 0; i < rows.count; ++i) visit(i, rows[i]);
      },
      A.by_row());
}

struct MadeEntry {
  Index at;
  double value;
};
using MadeRow = std::vector<MadeEntry>;

// The rows as one matrix; the memory of each is given back as soon as it has been copied.
[[nodiscard]] inline MatrixPtr joined_rows(std::vector<MadeRow> rows, Index columns) {
  std::vector<Index> offsets{0}, at;
  std::vector<double> value;
  for (MadeRow& row : rows) {
    for (const MadeEntry& entry : row) {
      at.push_back(entry.at);
      value.push_back(entry.value);
    }
    offsets.push_back(static_cast<Index>(at.size()));
    row = {};
  }
  return own_csr(static_cast<Index>(rows.size()), columns, std::move(offsets), std::move(at), std::move(value));
}

// make(row) gives the entries of a new row, ascending.
template <class Make>
[[nodiscard]] MatrixPtr made_rows(const DataMatrix& A, Index columns, Index rows_of_a_piece, int threads,
                                  const Make& make) {
  std::vector<MadeRow> made(static_cast<std::size_t>(A.rows()));
  for_pieces_of_rows(A, rows_of_a_piece, threads, [&](const auto& rows, Index first, Index last) {
    for (Index i = first; i < last; ++i) made[static_cast<std::size_t>(i)] = make(rows[i]);
  });
  return joined_rows(std::move(made), columns);
}

}  // namespace pdbfw
