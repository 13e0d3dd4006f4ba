// Ratings from any source; read_ratings and read_pairs (pdbfw/data_file.hpp) are these on files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw {

// On which line each entry stands. Most files have one per line: only where that breaks is anything kept.
class EntryLines {
 public:
  void add(Index line);  // of the next entry
  [[nodiscard]] Index line(Index entry) const;

 private:
  struct Break {
    Index entry = 0;
    Index line = 0;  // of this entry; those behind it follow one per line, up to the next break
  };
  std::vector<Break> breaks_;
  Index count_ = 0;
};

// `options.format` is csv for any text with separators, or matrix_market; `name` is what messages call the source.
[[nodiscard]] Ratings read_ratings_from(ByteSource& source, const std::string& name, const RatingsOptions& options);
[[nodiscard]] Pairs read_pairs_from(ByteSource& source, const std::string& name, const Ids& rows, const Ids& columns,
                                    const RatingsOptions& options);

// Names by their numbers and numbers by their names.
class IdTable {
 public:
  IdTable() = default;
  explicit IdTable(const std::vector<std::string>& names);  // all different

  // The number of the name, which is added if it is new: 0, 1, 2 ... in order of appearance.
  Index number(std::string_view name);

  // -1 when there is no such name.
  [[nodiscard]] Index find(std::string_view name) const;

  // The table is empty afterwards.
  [[nodiscard]] std::vector<std::string> take_names();

 private:
  struct Slot {
    std::size_t hash = 0;
    Index number = -1;  // -1: free
  };

  // Where the name is, or would be.
  [[nodiscard]] std::size_t slot(std::size_t hash, std::string_view name) const;
  void grow();

  std::vector<std::string> names_;
  std::vector<Slot> slots_;  // a power of two of them, at most half of them taken
  Index last_ = 0;           // what was asked for last: files are often sorted
};

}  // namespace pdbfw
