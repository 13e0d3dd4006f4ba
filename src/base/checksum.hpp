// Checksums: XXH3 (64 bits, seed 0), for long content in chunks so that many threads can work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pdbfw {

[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes);

inline constexpr std::size_t kChecksumChunkBytes = std::size_t{1} << 20U;

// The checksum of the checksums (8 bytes each, little-endian) of the chunks; the last chunk may be shorter.
[[nodiscard]] std::uint64_t chunked_checksum(std::span<const std::byte> bytes, int threads);

}  // namespace pdbfw
