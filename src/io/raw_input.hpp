// The bytes of a file as they lie on the disk, in blocks, with a look ahead for the magic bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"
#include "io/loaded_file.hpp"

namespace pdbfw {

class RawInput final : public ByteSource {
 public:
  explicit RawInput(const std::string& path);  // "-" is standard input
  ~RawInput() override;

  [[nodiscard]] std::size_t read(std::span<char> buffer) override;

  // The first bytes that have not been read yet, at least `wanted` of them unless the file ends before.
  [[nodiscard]] std::string_view peek(std::size_t wanted);
  void skip(std::size_t bytes) { first_ += bytes; }

  // All that has not been read yet, in one piece. What cannot be mapped (a pipe) is read, but no further than one byte
  // beyond `expected`.
  [[nodiscard]] LoadedFile load(std::size_t expected);

  // How messages call this file.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  [[nodiscard]] std::size_t read_file(std::span<char> buffer);
  [[nodiscard]] LoadedFile map_whole() const;

  std::string name_;
  int file_ = -1;
  bool is_owned_ = false;
  std::vector<char> buffer_;
  std::size_t first_ = 0;  // what is left in the buffer: first_ .. last_ - 1
  std::size_t last_ = 0;
};

}  // namespace pdbfw
