// LIBSVM's text from any source and to any sink.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/data/row_store.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/dataset.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

// LIBSVM's format from any source; read_dataset (pdbfw/data_file.hpp) is this on a file of text.

// Large enough that a block's overhead vanishes, small enough that text and numbers of a block stay in the cache.
inline constexpr std::size_t kLibsvmBlockBytes = std::size_t{1} << 20U;

// `name` is what messages call the source. The result does not depend on the number of threads or the block size.
[[nodiscard]] Dataset read_libsvm(ByteSource& source, const std::string& name, const ReadOptions& options,
                                  std::size_t block_bytes = kLibsvmBlockBytes);

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

// Rows of LIBSVM's format out of a block of whole lines.
struct LibsvmRules {
  bool float32 = false;        // values must fit a float
  Index most_features = 0;     // wider data could not be worked with on this machine
  bool needs_target = true;    // else a row may begin with its first entry: its target is 0
  bool is_multilabel = false;  // a row begins with its labels, if it has any: 3,17,40; its target is 0
};

struct TextFault {
  Index line = 0;    // 1-based, in the block
  Index column = 0;  // 1-based
  std::string message;
  bool has_several_labels = false;  // where one target was wanted
};

// What a block holds.
struct LibsvmPiece : RowPiece {
  GrowingArray<Index> label;      // of multilabel rows, ascending inside a row
  GrowingArray<Index> label_end;  // labels of this piece up to and with the row
  Index lines = 0;
  std::optional<TextFault> fault;  // the first; what follows was not read
  std::string text;                // the block itself, for read_libsvm_pieces
};

// `text` ends with a newline. Replaces what `piece` held and uses its memory again.
void parse_libsvm_block(std::string_view text, const LibsvmRules& rules, LibsvmPiece& piece);

// Calls `use` for block after block, in their order; of the options, threads, float32 and needs_targets have a say.
// Throws InputError for the first mistake, and when there is no row.
void read_libsvm_pieces(ByteSource& source, const std::string& name, const ReadOptions& options,
                        const std::function<void(const LibsvmPiece&)>& use, std::size_t block_bytes = kLibsvmBlockBytes,
                        bool is_multilabel = false);

}  // namespace pdbfw
