#include "io/loaded_file.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <utility>

#include "base/machine_memory.hpp"
#include "io/growing_array.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

LoadedFile map_file(int file, std::size_t size) {
  void* const place = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (place == MAP_FAILED) return {};
  const auto unmap = [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); };
  return {{static_cast<const std::byte*>(place), size}, std::shared_ptr<const void>(place, unmap)};
}

LoadedFile load_all(ByteSource& source, const std::string& name) {
  constexpr std::size_t kStep = std::size_t{1} << 20U;
  const auto most = static_cast<std::size_t>(machine_memory_bytes());
  GrowingArray<char> bytes;
  for (;;) {
    const std::size_t before = bytes.size();
    const std::size_t got = source.read({bytes.extend(kStep), kStep});
    bytes.resize_down(before + got);
    if (got == 0) break;
    if (bytes.size() > most) throw InputError(fmt::format("{}: unpacked larger than this machine's memory", name));
  }
  const auto storage = std::make_shared<const GrowingArray<char>>(std::move(bytes));
  return {std::as_bytes(storage->view()), storage};
}

}  // namespace pdbfw
