// A matrix in memory that passes for a streamed one.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "linalg/chosen_rows.hpp"
#include "pdbfw/matrix.hpp"

namespace pdbfw::test {

class RowsOfMemory final : public RowSource {
 public:
  RowsOfMemory(MatrixPtr A, Index rows_of_a_block, double room)
      : A_(std::move(A)), rows_of_a_block_(rows_of_a_block), room_(room) {}

  [[nodiscard]] Index rows() const override { return A_->rows(); }
  [[nodiscard]] Index columns() const override { return A_->columns(); }
  [[nodiscard]] Index nonzeros() const override { return A_->nonzeros(); }
  [[nodiscard]] bool is_dense() const override { return A_->is_dense(); }
  [[nodiscard]] Traffic traffic() const override { return {}; }
  [[nodiscard]] double room() const override { return room_; }
  void visit(const RowVisitor& visitor) const override {
    for (Index first = 0; first < rows(); first += rows_of_a_block_)
      visitor(first, row_range(*A_, first, std::min(rows(), first + rows_of_a_block_))->by_row());
  }

 private:
  MatrixPtr A_;
  Index rows_of_a_block_;
  double room_;
};

inline MatrixPtr streamed(MatrixPtr A, Index rows_of_a_block, double room = 0) {
  return std::make_shared<const DataMatrix>(std::make_shared<const RowsOfMemory>(std::move(A), rows_of_a_block, room));
}

}  // namespace pdbfw::test
