// Bytes of a binary format in pieces of known size; a file that ends early is named.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/growing_array.hpp"

namespace pdbfw {

class ExactReader {
 public:
  ExactReader(ByteSource& source, std::string name);

  // The next `size` bytes, at most kMostTaken; good until the next call. Throws InputError when there are fewer.
  [[nodiscard]] std::string_view take(std::size_t size);
  static constexpr std::size_t kMostTaken = std::size_t{1} << 16U;

  // The next `size` bytes in memory that grows as they come, however many a header promised.
  [[nodiscard]] GrowingArray<char> take_all(std::size_t size);

  // How many bytes were taken so far.
  [[nodiscard]] std::size_t taken() const { return taken_; }

  // Throws InputError when something follows.
  void expect_end();

 private:
  // The number of bytes left of what was read into the buffer.
  [[nodiscard]] std::size_t left() const { return last_ - first_; }
  [[noreturn]] void fail_early() const;

  ByteSource& source_;
  std::string name_;
  std::vector<char> buffer_;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  std::size_t taken_ = 0;
};

}  // namespace pdbfw
