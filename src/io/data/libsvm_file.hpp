// LIBSVM's text from any source and to any sink.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/data/row_store.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {

// Collects the labels of multilabel rows.

class LabelStore {
 public:
  // Adds some rows: their labels, ascending inside a row, and where among them each row ends.
  void append(std::span<const Index> label, std::span<const Index> row_end);

  // Fills in labels and ids. The store is empty afterwards.
  void finish(MultilabelDataset& data);

 private:
  LabelLists lists_;        // labels where their places will be
  std::vector<Index> ids_;  // so far, ascending
};

// LIBSVM's format from any source; read_dataset (pdbfw/data_file.hpp) is this on a file of text.

// Large enough that a block's overhead vanishes, small enough that text and numbers of a block stay in the cache.
inline constexpr std::size_t kLibsvmBlockBytes = std::size_t{1} << 20U;

// `name` is what messages call the source. The result does not depend on the number of threads or the block size.
[[nodiscard]] Dataset read_libsvm(ByteSource& source, const std::string& name, const ReadOptions& options,
                                  std::size_t block_bytes = kLibsvmBlockBytes);

// The same into a sink of rows, of which there may be none.
void read_libsvm_into(ByteSource& source, const std::string& name, const ReadOptions& options, RowSink& rows);

// The same for rows that begin with their labels: read_multilabel.
[[nodiscard]] MultilabelDataset read_libsvm_multilabel(ByteSource& source, const std::string& name,
                                                       const ReadOptions& options,
                                                       std::size_t block_bytes = kLibsvmBlockBytes);

[[nodiscard]] Dataset parse_libsvm(std::string_view text, const std::string& name, const ReadOptions& options = {},
                                   std::size_t block_bytes = kLibsvmBlockBytes);

// LIBSVM's format to any sink; write_dataset (pdbfw/data_file.hpp) is this on a file.

void write_libsvm(TextSink& sink, const Dataset& data);

// What read_dataset throws where a row has several labels, 3,17,40: read_multilabel reads them.
class SeveralLabels : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace pdbfw
