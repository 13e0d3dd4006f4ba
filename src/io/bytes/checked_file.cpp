#include "io/bytes/checked_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/checksum.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

void ChecksumSink::write(std::string_view text) {
  if (onward_ != nullptr) onward_->write(text);
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
  return checksum(std::as_bytes(std::span(of_chunk)));
}

void require_whole(std::span<const std::byte> bytes, std::uint64_t stated_bytes, const std::string& name) {
  if (stated_bytes != bytes.size())
    throw InputError(
        fmt::format("{}: {} bytes, but {} by its header (truncated file?)", name, bytes.size(), stated_bytes));
  std::uint64_t kept = 0;
  std::memcpy(&kept, bytes.data() + bytes.size() - sizeof(kept), sizeof(kept));
  if (chunked_checksum(bytes.first(bytes.size() - sizeof(kept)), 1) != kept)
    throw InputError(fmt::format("{}: wrong checksum (damaged file?)", name));
}

void require_format(std::span<const std::byte> bytes, std::size_t header_bytes, const CheckedFormat& format,
                    const std::string& name) {
  require_little_endian(name);
  const std::size_t begins = std::min(bytes.size(), format.magic.size());
  if (begins == 0 || std::memcmp(bytes.data(), format.magic.data(), begins) != 0)
    throw InputError(fmt::format("{}: not a {}", name, format.what));
  std::uint32_t version = 0;
  if (bytes.size() < header_bytes + sizeof(std::uint64_t))
    throw InputError(
        fmt::format("{}: {} bytes are too few for a {} (truncated file?)", name, bytes.size(), format.what));
  std::memcpy(&version, bytes.data() + format.magic.size(), sizeof(version));
  if (version != format.version)
    throw InputError(
        fmt::format("{}: a {} of version {}; this pdbfw reads version {}", name, format.what, version, format.version));
}

void require_little_endian(const std::string& name, std::endian machine) {
  if (machine != std::endian::little)
    throw InputError(fmt::format("{}: cache files need a little-endian machine, and this one is not", name));
}

}  // namespace pdbfw
