// The bytes of files as they lie on the disk: in one piece, in blocks, at any place, or in pieces of known size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/growing_array.hpp"

namespace pdbfw {

// A file as one piece of memory: mapped, or read where that cannot be.

struct LoadedFile {
  std::span<const std::byte> bytes;     // aligned for every number
  std::shared_ptr<const void> storage;  // keeps the bytes
};

// Maps `size` bytes of a file, read-only. Without storage when the system cannot.
[[nodiscard]] LoadedFile map_file(int file, std::size_t size);

// All that a source gives, in memory. Throws InputError that begins with `name` when it is more than this machine has.
[[nodiscard]] LoadedFile load_all(ByteSource& source, const std::string& name);

// The bytes of a file as they lie on the disk, in blocks, with a look ahead for the magic bytes.

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

// Whether a file begins with these bytes; false for what cannot be opened, and for pipes and "-", which can be read
// only once.
[[nodiscard]] bool file_begins_with(const std::string& path, std::string_view magic);

// Bytes that can be read at any place, by several threads at once: a file, or memory.

class FixedBytes {
 public:
  FixedBytes() = default;
  FixedBytes(const FixedBytes&) = delete;
  FixedBytes& operator=(const FixedBytes&) = delete;
  virtual ~FixedBytes() = default;

  [[nodiscard]] virtual std::uint64_t size() const = 0;  // when they were opened
  // Fills the buffer. Throws DataLost when the bytes are not there any more.
  virtual void read(std::uint64_t at, std::span<std::byte> buffer) const = 0;
};

// A regular file, never mapped: address space and memory stay free, and a file that another program cuts is an
// exception, not the end of the process. Throws InputError when it cannot be opened.
[[nodiscard]] std::unique_ptr<FixedBytes> open_bytes(const std::string& path);

[[nodiscard]] std::unique_ptr<FixedBytes> bytes_in_memory(LoadedFile file);

// Bytes of a binary format in pieces of known size; a file that ends early is named.
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
