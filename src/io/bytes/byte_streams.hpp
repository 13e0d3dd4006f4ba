// Where bytes come from and where they go: files, decoders on top of them, or memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace pdbfw {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Fills the front of `buffer` and says how much; 0 only at the end. Throws InputError when the source is broken.
  [[nodiscard]] virtual std::size_t read(std::span<char> buffer) = 0;
};

// Appends the next `size` bytes, or those that are left; false if there are none. A source may give less than it is
// asked for, and small blocks would cost more than they hold.
inline bool append_block(ByteSource& source, std::size_t size, std::string& text) {
  const std::size_t before = text.size();
  std::size_t filled = before;
  text.resize(before + size);
  while (filled < text.size()) {
    const std::size_t got = source.read(std::span(text).subspan(filled));
    if (got == 0) break;
    filled += got;
  }
  text.resize(filled);
  return filled > before;
}

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view text) : text_(text) {}  // the text must outlive the source

  [[nodiscard]] std::size_t read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), text_.size());
    if (size > 0) std::memcpy(buffer.data(), text_.data(), size);
    text_.remove_prefix(size);
    return size;
  }

 private:
  std::string_view text_;
};

class TextSink {
 public:
  TextSink() = default;
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;
  virtual ~TextSink() = default;

  virtual void write(std::string_view text) = 0;
};

// The bytes of numbers as they lie in memory. In pieces: a sink that buffers should not hold them all at once.
template <class T>
void write_numbers(TextSink& sink, std::span<const T> numbers) {
  constexpr std::size_t kPieceBytes = std::size_t{1} << 20U;
  std::string_view rest(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  for (; !rest.empty(); rest.remove_prefix(std::min(kPieceBytes, rest.size()))) sink.write(rest.substr(0, kPieceBytes));
}

// A header and the like, as it lies in memory.
template <class T>
void write_one(TextSink& sink, const T& thing) {
  write_numbers(sink, std::span<const T>(&thing, 1));
}

class MemorySink final : public TextSink {
 public:
  void write(std::string_view text) override { text_ += text; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// The number that these bytes hold, at most eight of them, the lowest first.
inline std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t k = bytes.size(); k-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[k]);
  return value;
}

}  // namespace pdbfw
