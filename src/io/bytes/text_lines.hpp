// Text line by line: in blocks of whole lines, and word by word.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/bytes/byte_streams.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

// Cuts a stream of bytes into blocks of whole lines.

class LineBlocks {
 public:
  static constexpr std::size_t kMostLineBytes = std::size_t{1} << 30U;  // a file without line ends is no text

  // Blocks are about this long; a longer line makes a longer block. `name` is for messages.
  LineBlocks(ByteSource& source, std::string name, std::size_t block_bytes,
             std::size_t most_line_bytes = kMostLineBytes)
      : source_(source), name_(std::move(name)), block_bytes_(block_bytes), most_line_bytes_(most_line_bytes) {}

  // The next block. It ends with a newline, which is added after a last line that has none. False at the end. Throws
  // InputError for a line that is too long.
  [[nodiscard]] bool next(std::string& block);

 private:
  ByteSource& source_;
  std::string name_;
  std::size_t block_bytes_;
  std::size_t most_line_bytes_;
  std::string rest_;  // the beginning of the next block: a line that was cut
};

// A text file line by line and word by word, with errors that name the place. For model files: clear, not fast.

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
  // A word of this line, or a part of it, that must be a finite number; with float32 also as a float.
  [[nodiscard]] double number_in(std::string_view word, std::string_view what, bool float32 = false) const;
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

// Any text as one word of printable ASCII: other bytes, blanks and % itself are written as % and two hexadecimal
// digits.

[[nodiscard]] std::string percent_encoded(std::string_view text);

// None when a % is not followed by two hexadecimal digits.
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view word);

}  // namespace pdbfw
