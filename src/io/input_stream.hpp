// A file or standard input as text, whatever it is compressed with.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "io/byte_source.hpp"
#include "io/raw_input.hpp"

namespace pdbfw {

class InputStream final : public ByteSource {
 public:
  // "-" is standard input. Throws InputError for files that cannot be read or are empty.
  explicit InputStream(const std::string& path);
  explicit InputStream(std::unique_ptr<RawInput> input);  // nothing of it has been read

  [[nodiscard]] std::size_t read(std::span<char> buffer) override { return source_->read(buffer); }

  // How messages call this file.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::unique_ptr<ByteSource> source_;
};

}  // namespace pdbfw
