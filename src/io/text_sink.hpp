// Where text goes: a file, or memory.
#pragma once

#include <string>
#include <string_view>

namespace pdbfw {

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
