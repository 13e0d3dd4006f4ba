// Comma-separated values: a row a record, one column of it the label, all of them numbers (docs/data-formats.md).
#pragma once

#include <cstddef>
#include <list>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

// Text of cells with separators, record by record: quotes as in RFC 4180, commas, semicolons, tabs or blanks, any line
// ends.

// How others write that there is no value: an empty cell, NA, ?, null.
[[nodiscard]] bool is_missing(std::string_view cell);

class CsvRecords {
 public:
  // What separates cells where the first record has neither tab, semicolon nor comma.
  enum class Otherwise { comma, blanks };

  // Reads in blocks; a record that is longer than one makes a longer block.
  CsvRecords(ByteSource& source, std::string name, std::size_t block_bytes = kBlockBytes,
             Otherwise otherwise = Otherwise::comma);
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 18U;

  // Moves to the next record that is not a blank line; false at the end. The first one decides upon the separator: a
  // tab if there is one, else a semicolon, else a comma, or any number of blanks if they are asked for.
  [[nodiscard]] bool next();

  // The cells of the record, without quotes and the blanks around them; good until the next one.
  [[nodiscard]] const std::vector<std::string_view>& cells() const { return cells_; }

  // Where the record begins.
  [[nodiscard]] Index line() const { return line_; }

  // "file:line:column: message", at a cell or at the beginning of the record.
  [[noreturn]] void fail(std::size_t cell, std::string_view message) const;

 private:
  [[nodiscard]] bool find_record();
  [[nodiscard]] bool refill();
  void find_separator();
  void split();
  void split_at_blanks();
  void split_plain(std::size_t first, std::size_t end);
  [[nodiscard]] std::size_t split_quoted(std::size_t first);
  void add_cell(std::size_t first, std::string_view text);
  [[noreturn]] void fail_at(std::size_t place, std::string_view message) const;

  ByteSource& source_;
  std::string name_;
  std::size_t block_bytes_;
  std::string buffer_;
  std::size_t begin_ = 0;  // of what comes behind the record, in the buffer
  bool is_first_ = true;
  Otherwise otherwise_;
  char separator_ = ',';     // ' ': any number of blanks
  Index line_ = 1;           // of the record's beginning
  Index next_line_ = 1;      // of what comes behind it
  std::string_view record_;  // without its line end
  std::vector<std::string_view> cells_;
  std::vector<std::size_t> places_;  // of the cells in the record
  std::list<std::string> unquoted_;  // cells in which doubled quotes stood for one
};

// With given targets every column is a feature.
[[nodiscard]] Dataset read_csv(ByteSource& source, const std::string& name, const ReadOptions& options,
                               GivenTargets targets);

}  // namespace pdbfw
