#include "io/data/matrix_market_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "io/message.hpp"
#include "io/rows.hpp"

namespace pdbfw::test {
namespace matrix_market_reader_test {

using Rows = std::vector<reference::Row>;

Dataset read(const std::string& text, const GivenTargets& targets = {{1, 2}}, const ReadOptions& options = {}) {
  MemorySource source(text);
  return read_matrix_market(source, "f", options, targets);
}

std::string refusal(const std::string& text, const GivenTargets& targets = {{1, 2}}, const ReadOptions& options = {}) {
  return message_of([&] { static_cast<void>(read(text, targets, options)); });
}

const std::string kCoordinate = "%%MatrixMarket matrix coordinate real general\n";
const std::string kArray = "%%MatrixMarket matrix array real general\n";

TEST(MatrixMarketReader, Coordinates) {
  const Dataset data = read(kCoordinate + "% a comment\n\n2 4 3\n2 3 1.5\n 1 4 -2e1\n2\t1 0\n");
  EXPECT_EQ(data.A->columns(), 4);
  EXPECT_EQ(rows_of(data), (Rows{{1, {{3, -20}}}, {2, {{0, 0}, {2, 1.5}}}})) << "entries written as 0 are kept";
  EXPECT_EQ(rows_of(read("%%matrixmarket MATRIX Coordinate Pattern General\n2 2 1\n2 1\n")),
            (Rows{{1, {}}, {2, {{0, 1}}}}));
  EXPECT_EQ(rows_of(read("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 5\n2 1 7\n")),
            (Rows{{1, {{0, 5}, {1, 7}}}, {2, {{0, 7}}}}));
}

TEST(MatrixMarketReader, ArraysAreDenseColumnAfterColumn) {
  const Dataset data = read(kArray + "2 3\n1\n2\n3\n4\n0\n6\n");
  EXPECT_TRUE(data.A->is_dense());
  EXPECT_EQ(rows_of(data), (Rows{{1, {{0, 1}, {1, 3}, {2, 0}}}, {2, {{0, 2}, {1, 4}, {2, 6}}}}));
  EXPECT_EQ(rows_of(read("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n")),
            (Rows{{1, {{0, 1}, {1, 2}}}, {2, {{0, 2}, {1, 3}}}}));
}

TEST(MatrixMarketReader, Options) {
  const std::string text = kCoordinate + "2 2 1\n1 1 0.1\n";
  EXPECT_EQ(read(text, {{1, 2}}, {.min_features = 5}).A->columns(), 5);
  EXPECT_EQ(rows_of(read(text, {{1, 2}}, {.float32 = true}))[0].entries[0].second, 0.1F);
  EXPECT_EQ(rows_of(read(kArray + "2 1\n0.1\n1\n", {{1, 2}}, {.float32 = true}))[0].entries[0].second, 0.1F);
}

// Entries in any order are the matrix that a map makes of them.
RC_GTEST_PROP(MatrixMarketReader, AnyOrderOfTheEntries, ()) {
  const auto rows = *rc::gen::inRange(1, 8);
  const auto columns = *rc::gen::inRange(1, 8);
  std::map<std::pair<int, int>, int> entries;
  for (const auto& [i, j] : *rc::gen::container<std::vector<std::pair<int, int>>>(
           rc::gen::pair(rc::gen::inRange(0, rows), rc::gen::inRange(0, columns))))
    entries[{i, j}] = *rc::gen::inRange(-5, 5);
  std::vector<std::string> lines;
  Rows expected(static_cast<std::size_t>(rows));
  for (const auto& [place, value] : entries) {
    lines.push_back(fmt::format("{} {} {}\n", place.first + 1, place.second + 1, value));
    expected[static_cast<std::size_t>(place.first)].entries.emplace_back(place.second, value);
  }
  std::string text = kCoordinate + fmt::format("{} {} {}\n", rows, columns, lines.size());
  for (std::size_t k = 0; k < lines.size(); ++k)
    std::swap(lines[k], lines[*rc::gen::inRange<std::size_t>(0, lines.size())]);
  for (const std::string& line : lines) text += line;
  RC_ASSERT(rows_of(read(text, std::vector<double>(static_cast<std::size_t>(rows), 0.0))) == expected);
}

TEST(MatrixMarketReader, Mistakes) {
  const std::string head = kCoordinate + "2 2 2\n1 1 1\n";
  EXPECT_EQ(refusal(""), "f: the file is empty");
  EXPECT_EQ(refusal("1 1:1\n"), "f:1:1: no '%%MatrixMarket' at the beginning");
  EXPECT_EQ(refusal("%%MatrixMarket vector\n"), "f:1:16: object 'vector' cannot be read; known are: matrix");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate complex general\n"),
            "f:1:34: field 'complex' cannot be read; known are: real, integer, double, pattern");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate real hermitian\n"),
            "f:1:39: symmetry 'hermitian' cannot be read; known are: general, symmetric");
  EXPECT_EQ(refusal("%%MatrixMarket matrix sparse real general\n"),
            "f:1:23: format 'sparse' cannot be read; known are: coordinate, array");
  EXPECT_EQ(refusal("%%MatrixMarket matrix array pattern general\n"),
            "f:1:1: an array has values; 'pattern' is for coordinates");
  EXPECT_EQ(refusal(kCoordinate), "f:2:1: the file ends before the line with the sizes (truncated file?)");
  EXPECT_EQ(refusal(kCoordinate + "2 x 1\n"), "f:2:3: columns 'x' is not a whole number");
  EXPECT_EQ(refusal(kCoordinate + "2 2\n"), "f:2:4: entries '' is not a whole number");
  EXPECT_EQ(refusal(kCoordinate + "2 2 1 1\n"), "f:2:7: '1' is one word too many");
  EXPECT_EQ(refusal(kCoordinate + "0 2 1\n"), "f: no samples");
  EXPECT_EQ(refusal(kCoordinate + "2 0 0\n"), "f:2:1: no columns");
  EXPECT_EQ(refusal(kCoordinate + "2 2 5\n"), "f:2:1: 5 entries are more than 2 x 2");
  EXPECT_EQ(refusal(kCoordinate + "900000000000000000 2 5\n"), "f:2:1: 900000000000000000 rows are too many");
  EXPECT_NE(refusal(kCoordinate + "2 900000000000000000 5\n").find("do not fit into this machine's"),
            std::string::npos);
  EXPECT_NE(refusal(kArray + "2000000000 2000000\n").find("do not fit into this machine's"), std::string::npos);
  EXPECT_EQ(refusal("%%MatrixMarket matrix array real symmetric\n2 3\n"), "f:2:1: 2 x 3 is not symmetric");
  EXPECT_EQ(refusal(kCoordinate + "2 2 1\n3 1 1\n"), "f:3:1: row 3 is not in 1 .. 2");
  EXPECT_EQ(refusal(kCoordinate + "2 2 1\n1 0 1\n"), "f:3:1: column 0 is not in 1 .. 2");
  EXPECT_EQ(refusal(kCoordinate + "2 2 1\n1 1 z\n"), "f:3:5: value 'z' is not a number");
  EXPECT_EQ(refusal(kCoordinate + "2 2 1\n1 1\n"), "f:3:4: value '' is not a number");
  EXPECT_EQ(refusal(kCoordinate + "2 2 1\n1 1 1e99\n", {{1, 2}}, {.float32 = true}),
            "f:3:5: value '1e99' is beyond the largest float, about 3.4e38");
  EXPECT_EQ(refusal(head), "f:4:1: the file ends after 1 of 2 entries (truncated file?)");
  EXPECT_EQ(refusal(head + "1 2 1\n2 2 1\n"), "f:5:1: more than the 2 entries that were announced");
  EXPECT_EQ(refusal(head + "1 1 1\n"), "f: the entry of row 1, column 1 stands twice");
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n"),
            "f:3:1: an entry above the diagonal of a symmetric matrix");
  EXPECT_EQ(refusal(head + "2 2 1\n", {}), "f: these data hold no labels: name their file as labels");
  EXPECT_EQ(refusal(head + "2 2 1\n", {{1, 2, 3}}), "f: 2 rows, but 3 labels are given");
}

}  // namespace matrix_market_reader_test
}  // namespace pdbfw::test
