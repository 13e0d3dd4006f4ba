#include "io/checksum.hpp"

// All of it comes from the header: nothing to link.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "base/parallel.hpp"

namespace pdbfw {
namespace {

std::uint64_t combined(const std::vector<std::uint64_t>& checksums) {
  return checksum(std::as_bytes(std::span(checksums)));
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint64_t chunked_checksum(std::span<const std::byte> bytes, int threads) {
  std::vector<std::uint64_t> of_chunk((bytes.size() + kChecksumChunkBytes - 1) / kChecksumChunkBytes);
  parallel_for(threads, static_cast<std::int64_t>(of_chunk.size()), [&](std::int64_t k) {
    const std::span<const std::byte> rest = bytes.subspan(static_cast<std::size_t>(k) * kChecksumChunkBytes);
    of_chunk[static_cast<std::size_t>(k)] = checksum(rest.first(std::min(rest.size(), kChecksumChunkBytes)));
  });
  return combined(of_chunk);
}

void ChecksumSink::write(std::string_view text) {
  std::span<const std::byte> rest = std::as_bytes(std::span(text));
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.size(), kChecksumChunkBytes - chunk_.size());
    chunk_.insert(chunk_.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(size));
    rest = rest.subspan(size);
    if (chunk_.size() < kChecksumChunkBytes) continue;
    finished_.push_back(checksum(chunk_));
    chunk_.clear();
  }
}

std::uint64_t ChecksumSink::value() const {
  std::vector<std::uint64_t> of_chunk = finished_;
  if (!chunk_.empty()) of_chunk.push_back(checksum(chunk_));
  return combined(of_chunk);
}

}  // namespace pdbfw
