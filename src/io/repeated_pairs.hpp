// Pairs of row and column that stand on several lines of a file.
#pragma once

#include <string>
#include <vector>

#include "pdbfw/data_file.hpp"

namespace pdbfw {

// On which line each entry stands. Most files have one a line: only where that breaks is anything kept.
class EntryLines {
 public:
  void add(Index line);  // of the next entry
  [[nodiscard]] Index line(Index entry) const;

 private:
  struct Break {
    Index entry = 0;
    Index line = 0;  // of this entry; those behind it follow one a line, up to the next break
  };
  std::vector<Break> breaks_;
  Index count_ = 0;
};

// Does with repeated pairs what the rule says; `name` is of the file.
void settle_repeated(Ratings& ratings, Repeated rule, const EntryLines& lines, const std::string& name);

}  // namespace pdbfw
