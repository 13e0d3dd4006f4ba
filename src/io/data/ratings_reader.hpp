// Ratings from any source; read_ratings and read_pairs (pdbfw/data_file.hpp) are these on files.
#pragma once

#include <string>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw {

// Pairs of row and column that stand on several lines of a file.

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

// Does with repeated pairs what the rule says; `name` is of the file.
void settle_repeated(Ratings& ratings, RatingsOptions::Repeated rule, const EntryLines& lines, const std::string& name);

// `options.format` is csv for any text with separators, or matrix_market; `name` is what messages call the source.
[[nodiscard]] Ratings read_ratings_from(ByteSource& source, const std::string& name, const RatingsOptions& options);
[[nodiscard]] Pairs read_pairs_from(ByteSource& source, const std::string& name, const Ids& rows, const Ids& columns,
                                    const RatingsOptions& options);

}  // namespace pdbfw
