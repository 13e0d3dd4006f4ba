// Collects rows and becomes a data set: the arrays of the matrix grow in place, so reading needs little more memory
// than the result.
#pragma once

#include <memory>

#include "io/row_piece.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {

// Takes rows in their order.
class RowSink {
 public:
  RowSink() = default;
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;
  virtual ~RowSink() = default;

  virtual void append(const RowPiece& piece) = 0;
};

class RowStore : public RowSink {
 public:
  [[nodiscard]] virtual Index count() const = 0;

  // Dense when every row holds every feature, sparse otherwise. The store is empty afterwards.
  [[nodiscard]] virtual Dataset finish(Index min_features) = 0;

  // The same for rows of `width` features whose zeros were left out: dense, with its zeros, as soon as half of the
  // values are not 0 (and no more features are asked for).
  [[nodiscard]] virtual Dataset finish_table(Index width, Index min_features) = 0;
};

[[nodiscard]] std::unique_ptr<RowStore> make_row_store(bool float32);

}  // namespace pdbfw
