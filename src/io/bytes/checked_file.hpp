// Binary files that say how long they are and end with the chunked_checksum() of all before.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"

namespace pdbfw {

// The chunked_checksum() of all that is written to it.
class ChecksumSink final : public TextSink {
 public:
  void write(std::string_view text) override;
  [[nodiscard]] std::uint64_t value() const;

 private:
  std::vector<std::byte> chunk_;
  std::vector<std::uint64_t> finished_;  // of the full chunks
};

// Passes bytes on and keeps their checksum, which end() writes.
class CheckedWriter {
 public:
  explicit CheckedWriter(TextSink& sink) : sink_(sink) {}

  void write(std::string_view bytes);
  template <class T>
  void write(std::span<const T> numbers) {
    write(std::string_view(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()));
  }
  template <class T>
  void write_one(const T& number) {
    write(std::span<const T>(&number, 1));
  }
  void end();

 private:
  TextSink& sink_;
  ChecksumSink checksum_;
};

// Throws InputError that begins with `name` unless the bytes are as many as the file says, at least a checksum, and
// undamaged.
void require_whole(std::span<const std::byte> bytes, std::uint64_t stated_bytes, const std::string& name);

// Throws InputError unless the numbers in memory have the byte order of the file.
void require_little_endian(const std::string& name, std::endian machine = std::endian::native);

}  // namespace pdbfw
