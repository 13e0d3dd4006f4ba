// Where bytes come from and where they go: files, decoders on top of them, or memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace pdbfw {

// Where bytes come from: a file, a decoder on top of one, or memory.

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Fills the front of `buffer` and says how much; 0 only at the end. Throws InputError when the source is broken.
  [[nodiscard]] virtual std::size_t read(std::span<char> buffer) = 0;
};

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

// Where text goes: a file, or memory.

class TextSink {
 public:
  TextSink() = default;
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;
  virtual ~TextSink() = default;

  virtual void write(std::string_view text) = 0;
};

class MemorySink final : public TextSink {
 public:
  void write(std::string_view text) override { text_ += text; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace pdbfw
