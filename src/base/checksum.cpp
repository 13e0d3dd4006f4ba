#include "base/checksum.hpp"

// All of it comes from the header: nothing to link.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"

namespace pdbfw {

std::uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint64_t chunked_checksum(std::span<const std::byte> bytes, int threads) {
  std::vector<std::uint64_t> of_chunk((bytes.size() + kChecksumChunkBytes - 1) / kChecksumChunkBytes);
  parallel_for(threads, static_cast<std::int64_t>(of_chunk.size()), [&](std::int64_t k) {
    const std::span<const std::byte> rest = bytes.subspan(static_cast<std::size_t>(k) * kChecksumChunkBytes);
    of_chunk[static_cast<std::size_t>(k)] = checksum(rest.first(std::min(rest.size(), kChecksumChunkBytes)));
  });
  return checksum(std::as_bytes(std::span(of_chunk)));
}

}  // namespace pdbfw
