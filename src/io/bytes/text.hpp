// Text: numbers, read exactly and fast, whatever the locale; in blocks of whole lines, and word by word.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "io/bytes/byte_streams.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

[[nodiscard]] inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// What ends a word: blanks, line ends, and '#', which starts a comment.
[[nodiscard]] inline bool ends_word(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '#'; }

// Both digits and powers of ten up to these are exact in a double, so one multiplication or division rounds correctly
// (Clinger 1990).
inline constexpr std::uint64_t kLargestExactInteger = std::uint64_t{1} << 53U;
inline constexpr int kLargestExactPower = 22;
inline constexpr std::array<double, kLargestExactPower + 1> kPowersOfTen = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Reads `[sign]digits[.digits]` up to the end of the word if that is short enough to be exact, which nearly all numbers
// in files are. Returns where the word ends, or null: then ask `parse_number`. The text must hold an end of word.
[[nodiscard]] inline const char* parse_short_decimal(const char* p, double& value) {
  constexpr std::ptrdiff_t kMostDigits = 19;  // fit 64 bits
  const bool is_negative = *p == '-';
  if (is_negative || *p == '+') ++p;
  const char* const first = p;
  std::uint64_t digits = 0;
  while (is_digit(*p)) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
  std::ptrdiff_t count = p - first;
  std::ptrdiff_t decimals = 0;
  if (*p == '.') {
    const char* const point = ++p;
    while (is_digit(*p)) digits = digits * 10 + static_cast<std::uint64_t>(*p++ - '0');
    decimals = p - point;
    count += decimals;
  }
  if (count == 0 || count > kMostDigits || digits > kLargestExactInteger || !ends_word(*p)) return nullptr;
  const double magnitude = static_cast<double>(digits) / kPowersOfTen[static_cast<std::size_t>(decimals)];
  value = is_negative ? -magnitude : magnitude;
  return p;
}

enum class NumberFault { none, not_a_number, not_finite, too_large, beyond_float };

// Any decimal number, with a sign or without; the nearest double. `inf` and `nan` are not_finite, 1e999 is too_large;
// what lies below the smallest double is 0. With float32, numbers must fit a float too.
[[nodiscard]] NumberFault parse_number(std::string_view word, double& value, bool float32 = false);

// "'nan' is not a finite number"; the rule that the word breaks.
[[nodiscard]] std::string describe(NumberFault fault, std::string_view word);

// A word for a message: in quotes, on one line, not too long.
[[nodiscard]] std::string in_quotes(std::string_view word);

// What a reader says of a file that it cannot take.
[[noreturn]] inline void fail(const std::string& name, std::string_view what) {
  throw InputError(fmt::format("{}: {}", name, what));
}

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
  void rewind() { rest_ = line_; }                                                            // to its first word
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
