// Ratings: some entries of a matrix, a line each, for matrix completion (docs/data-formats.md). Plain or compressed,
// "-" is standard input.
//
//   row column value              ann,"Toy Story",4.5
//
// Text whose lines have three fields, with tabs, semicolons, commas or blanks between them, or a Matrix Market file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pdbfw/data_file.hpp"

namespace pdbfw {

// What the rows, or the columns, are called.
struct Ids {
  Index count = 0;
  std::vector<std::string> names;  // in order of first appearance; none: the numbers 1 .. count

  [[nodiscard]] bool are_numbers() const { return names.empty(); }
  [[nodiscard]] std::string name(Index i) const;  // of 0 .. count - 1
};

struct Ratings {
  Ids rows, columns;
  std::vector<Index> row, column;  // from 0
  std::vector<double> value;
};

// What becomes of a pair of row and column that stands on several lines: a mistake, one entry with the mean of their
// values, or one entry with the last of them. The entry stands where the pair stood first.
enum class Repeated { error, mean, last };

struct RatingsOptions {
  DataFormat format = DataFormat::automatic;  // by the first bytes, then by the name; csv or matrix_market
  // Whether the first line of text holds names. automatic: yes, if what should be its value is no number; for pairs:
  // no.
  CsvHeader header = CsvHeader::automatic;
  Repeated repeated = Repeated::error;
};

// Fields behind the third are not looked at. Throws InputError "file:line:column: what is wrong".
[[nodiscard]] Ratings read_ratings(const std::string& path, const RatingsOptions& options = {});

// Entries that are asked for.
struct Pairs {
  std::vector<Index> row, column;  // from 0
};

// Lines `row column`; fields behind the second are not looked at, so ratings will do as well. Throws InputError for
// ids that are not known, too. The same pair may stand on several lines.
[[nodiscard]] Pairs read_pairs(const std::string& path, const Ids& rows, const Ids& columns,
                               const RatingsOptions& options = {});

}  // namespace pdbfw
