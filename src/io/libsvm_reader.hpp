// LIBSVM's format from any source; read_dataset (pdbfw/data_file.hpp) is this on a file of text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/row_store.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

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

}  // namespace pdbfw
