// Cache files whose bytes were changed, made to pass for undamaged ones again.
#pragma once

#include <cstring>
#include <span>
#include <string>

#include "base/checksum.hpp"
#include "io/cache/cache_format.hpp"
#include "io/loaded.hpp"

namespace pdbfw::test {

inline CacheHeader header_in(const std::string& bytes) {
  CacheHeader header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

// `bytes` hold at least a header.
inline void put_header(std::string& bytes, const CacheHeader& header) {
  std::memcpy(bytes.data(), &header, sizeof(header));
}

// Both checksums computed anew.
inline std::string sealed(std::string bytes) {
  CacheHeader header = header_in(bytes);
  header.payload_checksum = chunked_checksum(std::as_bytes(std::span(bytes)).subspan(sizeof(header)), 1);
  header.checksum = checksum_of(header);
  put_header(bytes, header);
  return bytes;
}

}  // namespace pdbfw::test
