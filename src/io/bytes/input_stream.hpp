// Files as text, whatever they are compressed with.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/raw_input.hpp"

namespace pdbfw {

// A file or standard input, unpacked if it is compressed: with gzip, bzip2, xz or zstd, by its first bytes. Streams
// that follow one another in a file are one text, as the tools that write them have it.
class InputStream final : public ByteSource {
 public:
  // "-" is standard input. Throws InputError for files that cannot be read or are empty, and, here or while reading,
  // for streams that are corrupt or end early.
  explicit InputStream(const std::string& path);

  [[nodiscard]] std::size_t read(std::span<char> buffer) override { return source_->read(buffer); }

  // As NamedSource has them.
  [[nodiscard]] const std::string& name() const { return source_->name(); }
  [[nodiscard]] std::string_view peek(std::size_t wanted) { return source_->peek(wanted); }
  [[nodiscard]] LoadedFile load() { return source_->load(); }

  [[nodiscard]] bool is_packed() const { return is_packed_; }

 private:
  std::unique_ptr<NamedSource> source_;
  bool is_packed_ = false;
};

}  // namespace pdbfw
