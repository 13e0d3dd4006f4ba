// Matrix Market's text format: coordinate (sparse) or array (dense), real, integer or pattern, general or symmetric.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/bytes/text.hpp"
#include "io/data/read_options.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// By the first bytes of a file.
[[nodiscard]] bool is_matrix_market(std::string_view head);

struct MatrixMarketKind {
  bool is_dense = false;
  bool is_pattern = false;  // every entry is 1
  bool is_symmetric = false;
};

struct MatrixMarketSizes {
  Index rows = 0;
  Index columns = 0;
  Index entries = 0;  // lines that follow
};

// The lines of Matrix Market's text format, one after the other.
class MatrixMarketParser {
 public:
  MatrixMarketParser(ByteSource& source, const std::string& name, bool float32)
      : lines_(source, name), name_(name), float32_(float32) {}

  [[nodiscard]] MatrixMarketKind read_banner();
  [[nodiscard]] MatrixMarketSizes read_sizes(const MatrixMarketKind& kind);

  // Calls visit(value) for every entry of an array, which must be all that follows.
  template <class Visit>
  void for_each_value(const MatrixMarketSizes& sizes, const Visit& visit) {
    for_each_line(sizes.entries, [&] { visit(read_value()); });
  }

  // Calls visit(row, column, value) for every entry of coordinates, which must be all that follows; those of a
  // symmetric matrix are visited at both of their places.
  template <class Visit>
  void for_each_entry(const MatrixMarketKind& kind, const MatrixMarketSizes& sizes, const Visit& visit) {
    for_each_line(sizes.entries, [&] {
      const Index i = read_index("row", sizes.rows);
      const Index j = read_index("column", sizes.columns);
      const double value = kind.is_pattern ? 1 : read_value();
      lines_.end_line();
      if (kind.is_symmetric && i < j) fail_entry("an entry above the diagonal of a symmetric matrix");
      visit(i, j, value);
      if (kind.is_symmetric && i != j) visit(j, i, value);
    });
  }

  [[nodiscard]] Index line_number() const { return lines_.line_number(); }
  [[noreturn]] void fail_entry(std::string_view what) const { lines_.fail_line(what); }

 private:
  // Reads line after line; nothing may follow on a line, nor behind the last.
  template <class Read>
  void for_each_line(Index count, const Read& read) {
    for (Index k = 0; k < count; ++k) {
      if (!next_line())
        lines_.fail_at_end(fmt::format("the file ends after {} of {} entries (truncated file?)", k, count));
      read();
      lines_.end_line();
    }
    if (next_line()) lines_.fail_line(fmt::format("more than the {} entries that were announced", count));
  }
  // The next line with something on it that is no comment.
  [[nodiscard]] bool next_line();
  [[nodiscard]] double read_value() { return lines_.number_in(lines_.word(), "value", float32_); }
  // The next word of the banner must be one of these; says which.
  [[nodiscard]] std::size_t choose(std::string_view what, const std::vector<std::string_view>& names);
  [[nodiscard]] Index whole_number(std::string_view what);
  // Whole number 1 .. most, made to count from 0.
  [[nodiscard]] Index read_index(std::string_view what, Index most);

  TextLines lines_;
  const std::string& name_;
  bool float32_;
};

[[nodiscard]] Dataset read_matrix_market(ByteSource& source, const std::string& name, const ReadOptions& options,
                                         GivenTargets targets);

}  // namespace pdbfw
