#include "io/loaded_file.hpp"

#include <sys/mman.h>

namespace pdbfw {

LoadedFile map_file(int file, std::size_t size) {
  void* const place = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (place == MAP_FAILED) return {};
  const auto unmap = [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); };
  return {{static_cast<const std::byte*>(place), size}, std::shared_ptr<const void>(place, unmap)};
}

}  // namespace pdbfw
