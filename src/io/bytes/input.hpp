// Files and standard input: as they lie on the disk, unpacked, in one piece, at any place, or in pieces of known size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/growing_array.hpp"

namespace pdbfw {

// A file as one piece of memory: mapped, or read where that cannot be.
struct LoadedFile {
  std::span<const std::byte> bytes;     // aligned for every number
  std::shared_ptr<const void> storage;  // keeps the bytes
};

// All that a source gives, in memory. Throws InputError that begins with `name` when it is more than this machine has.
[[nodiscard]] LoadedFile load_all(ByteSource& source, const std::string& name);

// A source with a look ahead, and the name by which messages call it.
class NamedSource : public ByteSource {
 public:
  [[nodiscard]] const std::string& name() const { return name_; }

  [[nodiscard]] std::size_t read(std::span<char> buffer) final;

  // The first bytes that have not been read yet, at least `wanted` of them (no more than kLookAheadBytes) unless there
  // are fewer.
  [[nodiscard]] std::string_view peek(std::size_t wanted);
  static constexpr std::size_t kLookAheadBytes = std::size_t{1} << 18U;
  void skip(std::size_t bytes) { first_ += bytes; }

  // All that has not been read yet, in one piece.
  [[nodiscard]] virtual LoadedFile load() { return load_all(*this, name_); }

 protected:
  explicit NamedSource(std::string name) : name_(std::move(name)) {}

  // As read(), of what nobody has looked at.
  [[nodiscard]] virtual std::size_t read_on(std::span<char> buffer) = 0;

  // How many bytes have come from read_on(), if all of them are still there to be read.
  [[nodiscard]] std::optional<std::size_t> looked_at() const {
    return first_ == 0 ? std::optional(last_) : std::nullopt;
  }

 private:
  std::string name_;
  std::vector<char> buffer_;  // none before the first look ahead
  std::size_t first_ = 0;     // what is left in the buffer: first_ .. last_ - 1
  std::size_t last_ = 0;
};

// The bytes of a file as they lie on the disk.
class RawInput final : public NamedSource {
 public:
  explicit RawInput(const std::string& path);  // "-" is standard input
  ~RawInput() override;

  [[nodiscard]] LoadedFile load() override;  // mapped, if that can be

 private:
  [[nodiscard]] std::size_t read_on(std::span<char> buffer) override;

  int file_ = -1;
  bool is_owned_ = false;
};

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

// Whether a file begins with these bytes; false for what cannot be opened, and for pipes and "-", which can be read
// only once.
[[nodiscard]] bool file_begins_with(const std::string& path, std::string_view magic);

// Bytes that can be read at any place, by several threads at once: a file, or memory.
class FixedBytes {
 public:
  // A regular file, never mapped: address space and memory stay free, and a file that another program cuts is an
  // exception, not the end of the process. Throws InputError when it cannot be opened.
  explicit FixedBytes(const std::string& path);
  explicit FixedBytes(LoadedFile file) : memory_(std::move(file)), size_(memory_.bytes.size()) {}
  FixedBytes(const FixedBytes&) = delete;
  FixedBytes& operator=(const FixedBytes&) = delete;
  ~FixedBytes();

  [[nodiscard]] std::uint64_t size() const { return size_; }  // when they were opened
  // Fills the buffer. Throws DataLost when the bytes are not there any more.
  void read(std::uint64_t at, std::span<std::byte> buffer) const;

 private:
  std::string name_;
  int file_ = -1;  // none: they are in memory
  LoadedFile memory_;
  std::uint64_t size_ = 0;
};

// Bytes of a binary format in pieces of known size; a file that ends early is named.
class ExactReader final : public NamedSource {
 public:
  ExactReader(ByteSource& source, std::string name) : NamedSource(std::move(name)), source_(source) {}

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
  [[nodiscard]] std::size_t read_on(std::span<char> buffer) override { return source_.read(buffer); }
  [[noreturn]] void fail_early() const;

  ByteSource& source_;
  std::size_t taken_ = 0;
};

}  // namespace pdbfw
