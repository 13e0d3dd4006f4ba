// Mapped models whose bytes were changed, made to pass for undamaged ones again.
#pragma once

#include <cstring>
#include <span>
#include <string>

#include "base/checksum.hpp"
#include "io/models/model_file.hpp"
#include "io/seal_cache.hpp"

namespace pdbfw::test {

inline MappedModelHeader mapped_header_in(const std::string& bytes) {
  MappedModelHeader header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

// Length and checksum computed anew; `bytes` hold at least a header and a checksum.
inline std::string sealed_mapped_model(std::string bytes) {
  MappedModelHeader header = mapped_header_in(bytes);
  header.file_bytes = bytes.size();
  std::memcpy(bytes.data(), &header, sizeof(header));
  const std::size_t end = bytes.size() - sizeof(std::uint64_t);
  const std::uint64_t value = chunked_checksum(std::as_bytes(std::span(bytes)).first(end), 1);
  std::memcpy(bytes.data() + end, &value, sizeof(value));
  return bytes;
}

}  // namespace pdbfw::test
