// The checksums of cache files: XXH3 (64 bits, seed 0), for long content in chunks so that many threads can work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "io/text_sink.hpp"

namespace pdbfw {

[[nodiscard]] std::uint64_t checksum(std::span<const std::byte> bytes);

inline constexpr std::size_t kChecksumChunkBytes = std::size_t{1} << 20U;

// The checksum of the checksums (8 bytes each, little-endian) of the chunks; the last chunk may be shorter.
[[nodiscard]] std::uint64_t chunked_checksum(std::span<const std::byte> bytes, int threads);

// The same of all that is written to it.
class ChecksumSink final : public TextSink {
 public:
  void write(std::string_view text) override;
  [[nodiscard]] std::uint64_t value() const;

 private:
  std::vector<std::byte> chunk_;
  std::vector<std::uint64_t> finished_;  // of the full chunks
};

}  // namespace pdbfw
