#include "io/data/csv_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "io/message.hpp"
#include "io/rows.hpp"

namespace pdbfw::test {
namespace csv_reader_test {

using Rows = std::vector<reference::Row>;
using Records = std::vector<std::vector<std::string>>;

Dataset read(const std::string& text, const ReadOptions& options = {}, const GivenTargets& targets = {}) {
  MemorySource source(text);
  return read_csv(source, "f", options, targets);
}

std::string refusal(const std::string& text, const ReadOptions& options = {}, const GivenTargets& targets = {}) {
  return message_of([&] { static_cast<void>(read(text, options, targets)); });
}

Records records_of(const std::string& text, std::size_t block_bytes) {
  MemorySource source(text);
  CsvRecords records(source, "f", block_bytes);
  Records all;
  while (records.next()) all.emplace_back(records.cells().begin(), records.cells().end());
  return all;
}

TEST(CsvRecords, QuotesSeparatorsAndLineEnds) {
  for (const std::size_t block : {1U, 2U, 7U, 1000U}) {
    EXPECT_EQ(records_of("a,b\n1,2", block), (Records{{"a", "b"}, {"1", "2"}}));
    EXPECT_EQ(records_of("\xEF\xBB\xBF"
                         "a,b\r\n\r\n \n1,2\r\n",
                         block),
              (Records{{"a", "b"}, {"1", "2"}}));
    EXPECT_EQ(records_of("\"a,\n\"\"b\"\"\", \"c\" ,d\n,,\n", block), (Records{{"a,\n\"b\"", "c", "d"}, {"", "", ""}}));
    EXPECT_EQ(records_of("a;b,c\n1;2\n", block), (Records{{"a", "b,c"}, {"1", "2"}})) << "a semicolon wins";
    EXPECT_EQ(records_of("a\tb;c\n1\t\n", block), (Records{{"a", "b;c"}, {"1", ""}})) << "a tab wins";
    EXPECT_EQ(records_of("\"a;b\",c\n", block), (Records{{"a;b", "c"}})) << "not inside quotes";
    EXPECT_EQ(records_of("", block), Records{});
  }
}

// Slow for a reader that looks for the line's end once more at every quote.
TEST(CsvRecords, ManyQuotesInOneLine) {
  std::string text = "\"0\"";
  std::vector<std::string> expected{"0"};
  for (int j = 1; j < 100'000; ++j) {
    text += fmt::format(",\"{}\n\"", j);
    expected.push_back(fmt::format("{}\n", j));
  }
  for (const std::size_t block : {std::size_t{1} << 16U, std::size_t{1} << 24U})
    EXPECT_EQ(records_of(text + "\n1,2\n", block), (Records{expected, {"1", "2"}}));
}

// Any cells, quoted the obvious way, come back.
RC_GTEST_PROP(CsvRecords, WhatIsQuotedComesBack, ()) {
  const auto cells = *rc::gen::container<std::vector<std::string>>(
      3, rc::gen::container<std::string>(rc::gen::element('a', '"', ',', ';', '\n', '1')));
  std::string text = "x,y,z\n";
  for (std::size_t j = 0; j < cells.size(); ++j) {
    text += j == 0 ? "\"" : ",\"";
    for (const char c : cells[j]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
    text += '"';
  }
  RC_ASSERT(records_of(text + "\n", *rc::gen::inRange<std::size_t>(1, 20)) == (Records{{"x", "y", "z"}, cells}));
}

TEST(CsvReader, TheFirstColumnIsTheLabel) {
  const Rows expected{{1, {{0, 0}, {1, 2.5}, {2, -3}}}, {-1, {{0, 4}, {1, 5}, {2, 6e-3}}}};
  EXPECT_EQ(rows_of(read("1,0,2.5,-3\n-1,4,5,6e-3\n")), expected);
  EXPECT_EQ(rows_of(read("y,a,b,c\n1,0,2.5,-3\n-1,4,5,6e-3")), expected) << "names";
  EXPECT_EQ(rows_of(read("+1\t0\t2.5\t -3\r\n-1\t4\t+5\t\"6e-3\"\r\n")), expected) << "tabs, quotes, blanks";
}

TEST(CsvReader, AFirstRowWithHolesIsNoLineOfNames) {
  const std::string hint = "; if this line holds names, header is yes";
  EXPECT_EQ(refusal("1,,3\n4,5,6\n"), "f:1:3: column 2: the cell is empty" + hint);
  EXPECT_EQ(refusal(",2,3\n4,5,6\n"), "f:1:1: column 1: the cell is empty" + hint);
  for (const std::string mark : {"NA", "na", "N/A", "?", "null", "NULL"})
    EXPECT_EQ(refusal("1," + mark + ",3\n4,5,6\n"), fmt::format("f:1:3: column 2: '{}' is not a number", mark) + hint);
  EXPECT_EQ(refusal("1,2,3\n4,,6\n"), "f:2:3: column 2: the cell is empty")
      << "behind the first row there are no names";
  EXPECT_EQ(refusal("1,,3\n4,5,6\n", {.header = ReadOptions::Header::no}), "f:1:3: column 2: the cell is empty");
  const Rows second{{4, {{0, 5}, {1, 6}}}};
  EXPECT_EQ(rows_of(read("1,,3\n4,5,6\n", {.header = ReadOptions::Header::yes})), second);
  EXPECT_EQ(rows_of(read(",a,1\n4,5,6\n")), second) << "one name is enough";
  EXPECT_EQ(rows_of(read(",,NA\n4,5,6\n")), second) << "no number at all";
}

TEST(CsvReader, ZerosAreLeftOutOfWhatIsMostlyZero) {
  const Dataset data = read("1,0,0,3\n2,0,0,0\n3,1,0,0\n");
  EXPECT_FALSE(data.A->is_dense());
  EXPECT_EQ(data.A->columns(), 3);
  EXPECT_EQ(rows_of(data), (Rows{{1, {{2, 3}}}, {2, {}}, {3, {{0, 1}}}}));
}

TEST(CsvReader, TheLabelByNameAndByNumber) {
  const std::string text = "a,\"the label\",c\n1,2,3\n";
  const Rows expected{{2, {{0, 1}, {1, 3}}}};
  for (const char* column : {"the label", "2", "-2"})
    EXPECT_EQ(rows_of(read(text, {.label_column = column})), expected) << column;
  EXPECT_EQ(rows_of(read(text, {.label_column = "-1"})), (Rows{{3, {{0, 1}, {1, 2}}}}));
  EXPECT_EQ(rows_of(read("5,6\n2,4\n", {.label_column = "1", .header = ReadOptions::Header::yes})),
            (Rows{{2, {{0, 4}}}}));
  EXPECT_EQ(rows_of(read("2,1\n3,4\n", {.label_column = "1", .header = ReadOptions::Header::yes})),
            (Rows{{4, {{0, 3}}}}))
      << "a name goes before a number";
  for (const char* column : {"d", "0", "4", "-4", "1.5", "2x"})
    EXPECT_EQ(refusal(text, {.label_column = column}),
              fmt::format("label_column: '{}' breaks the rule: a name in the first line of f, or a number in 1 .. 3 or "
                          "-3 .. -1",
                          column));
  EXPECT_EQ(refusal("a,a\n1,2\n", {.label_column = "a"}),
            "label_column: 'a' breaks the rule: a name that f has only once");
}

TEST(CsvReader, WithLabelsOfTheirOwnAllColumnsAreFeatures) {
  EXPECT_EQ(rows_of(read("1,2\n3,4\n", {}, {{7, 8}})), (Rows{{7, {{0, 1}, {1, 2}}}, {8, {{0, 3}, {1, 4}}}}));
  EXPECT_EQ(rows_of(read("1\n3\n", {}, {{7, 8}})), (Rows{{7, {{0, 1}}}, {8, {{0, 3}}}}));
  EXPECT_EQ(refusal("1,2\n3,4\n", {}, {{7}}), "f: 2 rows, but 1 labels are given");
}

TEST(CsvReader, Mistakes) {
  EXPECT_EQ(refusal(""), "f: no samples");
  EXPECT_EQ(refusal(" \n\n"), "f: no samples");
  EXPECT_EQ(refusal("a,b\n"), "f: no samples, only names of columns");
  EXPECT_EQ(refusal("1\n2\n"), "f:1:1: one column only: a label and at least one feature are needed");
  EXPECT_EQ(refusal("1,2\n\n3,\n"), "f:3:3: column 2: the cell is empty");
  EXPECT_EQ(refusal("y,a\n1,2\n3,\n"), "f:3:3: column 2 ('a'): the cell is empty");
  EXPECT_EQ(refusal("1,2\n3,x\n"), "f:2:3: column 2: 'x' is not a number");
  EXPECT_EQ(refusal("1,nan\n"), "f:1:3: column 2: 'nan' is not a finite number");
  EXPECT_EQ(refusal("1,2\n1, 1e999\n"), "f:2:4: column 2: '1e999' is beyond the largest double, about 1.8e308");
  EXPECT_EQ(refusal("1,2\n1,1e99\n", {.float32 = true}),
            "f:2:3: column 2: '1e99' is beyond the largest float, about 3.4e38");
  EXPECT_EQ(refusal("1,2\n3\n"), "f:2:1: 1 cells where the first line has 2");
  EXPECT_EQ(refusal("1,2\n3,4,5\n"), "f:2:5: 3 cells where the first line has 2");
  EXPECT_EQ(refusal("1,2\n3,\"4\"5\n"), "f:2:6: something follows the quote that closes a cell");
  EXPECT_EQ(refusal("1,2\n3,4\"\"\n5,6\n"), "f:2:4: a quote inside a cell that does not begin with one");
  EXPECT_EQ(refusal("1,2\n3,\"4\n5,6\n"), "f:2:1: a quote of this record is never closed");
  EXPECT_EQ(refusal("y,\"a\nb\"\n1,2\n3,?\n"), "f:4:3: column 2 ('a\\x0ab'): '?' is not a number");
  EXPECT_EQ(refusal("y,a\n1,2\n", {.header = ReadOptions::Header::no}), "f:1:1: column 1: 'y' is not a number");
}

}  // namespace csv_reader_test
}  // namespace pdbfw::test
