// Binary files that say how long they are and end with the chunked_checksum() of all before.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"

namespace pdbfw {

// The chunked_checksum() of all that is written to it, which it passes on, if there is where to.
class ChecksumSink final : public TextSink {
 public:
  explicit ChecksumSink(TextSink* onward = nullptr) : onward_(onward) {}

  void write(std::string_view text) override;
  [[nodiscard]] std::uint64_t value() const;

 private:
  TextSink* onward_;
  std::vector<std::byte> chunk_;
  std::vector<std::uint64_t> finished_;  // of the full chunks
};

// Throws InputError that begins with `name` unless the bytes are as many as the file says, at least a checksum, and
// undamaged.
void require_whole(std::span<const std::byte> bytes, std::uint64_t stated_bytes, const std::string& name);

// How such a file begins: eight bytes that tell its format, and its version. `what` is how messages call such a file.
struct CheckedFormat {
  std::string_view magic;
  std::uint32_t version;
  std::string_view what;
};
// Throws InputError that begins with `name` for what is no such file, of another version, or shorter than its header
// and a checksum.
void require_format(std::span<const std::byte> bytes, std::size_t header_bytes, const CheckedFormat& format,
                    const std::string& name);

// The header of a file that is whole and undamaged; it says how long the file is.
template <class Header>
[[nodiscard]] Header checked_header(std::span<const std::byte> bytes, const CheckedFormat& format,
                                    const std::string& name) {
  require_format(bytes, sizeof(Header), format, name);
  Header header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  require_whole(bytes, header.file_bytes, name);
  return header;
}

// Throws InputError unless the numbers in memory have the byte order of the file.
void require_little_endian(const std::string& name, std::endian machine = std::endian::native);

}  // namespace pdbfw
