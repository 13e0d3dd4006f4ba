// Files as text, whatever they are compressed with.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/raw_input.hpp"

namespace pdbfw {

// gzip, bzip2, xz and zstd as byte sources. Streams that follow one another in a file are one text, as the tools that
// write them have it.

enum class Compression { none, gzip, bzip2, xz, zstd };

// By the first bytes of a file.
[[nodiscard]] Compression recognise(std::string_view head);
inline constexpr std::size_t kMagicBytes = 6;

// Reads `input` through the decoder for it. Throws InputError, here or while reading, for streams that are corrupt or
// end early.
[[nodiscard]] std::unique_ptr<ByteSource> make_decoder(Compression compression, std::unique_ptr<RawInput> input);

// A file or standard input as text, whatever it is compressed with.

class InputStream final : public ByteSource {
 public:
  // "-" is standard input. Throws InputError for files that cannot be read or are empty.
  explicit InputStream(const std::string& path);
  explicit InputStream(std::unique_ptr<RawInput> input);  // nothing of it has been read

  [[nodiscard]] std::size_t read(std::span<char> buffer) override;

  // The first bytes, before any has been read; at least `wanted` of them unless there are fewer.
  [[nodiscard]] std::string_view peek(std::size_t wanted);

  // How messages call this file.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::unique_ptr<ByteSource> source_;
  std::string head_;       // what was looked at
  std::size_t given_ = 0;  // how much of it has been read
};

}  // namespace pdbfw
