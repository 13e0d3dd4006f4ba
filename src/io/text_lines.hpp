// A text file line by line and word by word, with errors that name the place. For model files: clear, not fast.
#pragma once

#include <string>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/line_blocks.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

class TextLines {
 public:
  TextLines(ByteSource& source, std::string name);

  // Moves to the next line; false at the end of the file.
  [[nodiscard]] bool next();

  [[nodiscard]] Index line_number() const { return number_; }  // from 1

  // The next word of the line, or an empty one behind the last.
  [[nodiscard]] std::string_view word();
  [[nodiscard]] double number(std::string_view what);                                         // finite
  [[nodiscard]] double number_or_infinity(std::string_view what, std::string_view infinity);  // "inf" or "-inf"
  [[nodiscard]] Index whole_number(std::string_view what);
  void end_line();  // nothing may follow

  // "file:line:column: message": at a word of this line, at its beginning, or behind the last line.
  [[noreturn]] void fail(std::string_view word, std::string_view message) const;
  [[noreturn]] void fail_line(std::string_view message) const { fail(line_, message); }
  [[noreturn]] void fail_at_end(std::string_view message) const;

 private:
  std::string name_;
  LineBlocks blocks_;
  std::string block_;
  std::string_view unread_;  // of the block
  std::string_view line_;    // without its end
  std::string_view rest_;    // of the line
  Index number_ = 0;
};

}  // namespace pdbfw
