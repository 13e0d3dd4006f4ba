// A file as one piece of memory: mapped, or read where that cannot be.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "io/byte_source.hpp"

namespace pdbfw {

struct LoadedFile {
  std::span<const std::byte> bytes;     // aligned for every number
  std::shared_ptr<const void> storage;  // keeps the bytes
};

// Maps `size` bytes of a file, read-only. Without storage when the system cannot.
[[nodiscard]] LoadedFile map_file(int file, std::size_t size);

// All that a source gives, in memory. Throws InputError that begins with `name` when it is more than this machine has.
[[nodiscard]] LoadedFile load_all(ByteSource& source, const std::string& name);

}  // namespace pdbfw
