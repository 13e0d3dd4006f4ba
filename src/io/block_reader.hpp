// Cache files in blocks, into memory or streamed; read_dataset and open_streamed (pdbfw/data_file.hpp) are this on a
// file that begins like one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/block_file.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// By the first bytes of a file, kBlockedHeadBytes of them.
[[nodiscard]] bool is_blocked(std::string_view head);
inline constexpr std::size_t kBlockedHeadBytes = 12;

[[nodiscard]] Dataset read_blocks(std::shared_ptr<const BlockFile> file, const ReadOptions& options);
[[nodiscard]] Dataset stream_blocks(std::shared_ptr<const BlockFile> file, const ReadOptions& options);

// Throws InputError unless there is such a row range in so many rows.
[[nodiscard]] RowRange checked_range(const ReadOptions& options, Index rows, const std::string& name);

}  // namespace pdbfw
