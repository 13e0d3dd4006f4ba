// Bytes that can be read at any place, by several threads at once: a file, or memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "io/loaded_file.hpp"

namespace pdbfw {

class FixedBytes {
 public:
  FixedBytes() = default;
  FixedBytes(const FixedBytes&) = delete;
  FixedBytes& operator=(const FixedBytes&) = delete;
  virtual ~FixedBytes() = default;

  [[nodiscard]] virtual std::uint64_t size() const = 0;  // when they were opened
  // Fills the buffer. Throws DataLost when the bytes are not there any more.
  virtual void read(std::uint64_t at, std::span<std::byte> buffer) const = 0;
};

// A regular file, never mapped: address space and memory stay free, and a file that somebody cuts is an exception, not
// the end of the process. Throws InputError when it cannot be opened.
[[nodiscard]] std::unique_ptr<FixedBytes> open_bytes(const std::string& path);

[[nodiscard]] std::unique_ptr<FixedBytes> bytes_in_memory(LoadedFile file);

}  // namespace pdbfw
