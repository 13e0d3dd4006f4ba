// Rows of LIBSVM's format out of a block of whole lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "io/data/row_store.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

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
};

// `text` ends with a newline. Replaces what `piece` held and uses its memory again.
void parse_libsvm_block(std::string_view text, const LibsvmRules& rules, LibsvmPiece& piece);

}  // namespace pdbfw
