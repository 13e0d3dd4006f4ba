#include "io/data/ratings_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/machine_memory.hpp"
#include "io/compress.hpp"
#include "io/message.hpp"
#include "io/temporary_folder.hpp"

namespace pdbfw::test {
namespace ratings_reader_test {

using Rating = std::tuple<std::string, std::string, double>;

DataFormat format_of(const std::string& text) {
  return text.starts_with("%%") ? DataFormat::matrix_market : DataFormat::csv;
}

Ratings parse(const std::string& text, RatingsOptions options = {}) {
  options.format = format_of(text);
  MemorySource source(text);
  return read_ratings_from(source, "f", options);
}

Pairs parse_pairs(const std::string& text, const Ratings& known, RatingsOptions options = {}) {
  options.format = format_of(text);
  MemorySource source(text);
  return read_pairs_from(source, "f", known.rows, known.columns, options);
}

std::vector<Rating> list(const Ratings& ratings) {
  std::vector<Rating> out;
  for (std::size_t k = 0; k < ratings.value.size(); ++k)
    out.emplace_back(ratings.rows.name(ratings.row[k]), ratings.columns.name(ratings.column[k]), ratings.value[k]);
  return out;
}

std::string refusal(const std::string& text, const RatingsOptions& options = {}) {
  return message_of([&] { static_cast<void>(parse(text, options)); });
}

TEST(IdTable, NumbersNamesInOrderOfAppearance) {
  IdTable table;
  for (const int k : {5, 3, 5, 5, 9, 3}) table.number(fmt::format("{}", k));
  EXPECT_EQ(table.find("5"), 0);
  EXPECT_EQ(table.find("9"), 2);
  EXPECT_EQ(table.find("4"), -1);
  EXPECT_EQ(table.number(""), 3) << "an empty name is a name";
  EXPECT_EQ(table.take_names(), (std::vector<std::string>{"5", "3", "9", ""}));
  EXPECT_EQ(table.find("5"), -1);
  EXPECT_EQ(table.number("x"), 0);
}

RC_GTEST_PROP(IdTable, AgreesWithAMap, (const std::vector<std::string>& names)) {
  IdTable table;
  std::map<std::string, Index> expected;
  for (const std::string& name : names) {
    const auto number = static_cast<Index>(expected.size());
    RC_ASSERT(table.number(name) == expected.emplace(name, number).first->second);
  }
  for (const auto& [name, number] : expected) RC_ASSERT(table.find(name) == number);
}

TEST(EntryLines, RemembersBreaksOnly) {
  EntryLines lines;
  const std::vector<Index> expected{2, 3, 4, 9, 9, 10, 12};
  for (const Index line : expected) lines.add(line);
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_EQ(lines.line(static_cast<Index>(k)), expected[k]);
}

TEST(RatingsReader, TakesAnySeparator) {
  const std::vector<Rating> expected{{"ann", "7", 4.5}, {"bob", "7", -1}, {"ann", "x", 0}};
  EXPECT_EQ(list(parse("ann 7 4.5\nbob 7 -1\nann x 0\n")), expected);
  EXPECT_EQ(list(parse("  ann   7  4.5\r\n\nbob 7\t-1 \n ann x  0")), expected) << "any number of blanks, no last end";
  EXPECT_EQ(list(parse("ann\t7\t4.5\nbob\t7\t-1\nann\tx\t0\n")), expected);
  EXPECT_EQ(list(parse("\xEF\xBB\xBF"
                       "ann,7,4.5\nbob, 7 ,-1\n\"ann\",x,0")),
            expected)
      << "byte order mark, quotes";
  EXPECT_EQ(list(parse("ann;7;4.5\nbob;7;-1\nann;x;0")), expected);
}

TEST(RatingsReader, IdsMayBeAnyText) {
  EXPECT_EQ(list(parse("\"a \"\"b\"\", c\",\"line\nend\",1\n#1,\xC3\xA9,2\n")),
            (std::vector<Rating>{{"a \"b\", c", "line\nend", 1}, {"#1", "\xC3\xA9", 2}}));
  EXPECT_EQ(list(parse("\"Toy Story\" ann 5\nHeat ann 4")),
            (std::vector<Rating>{{"Toy Story", "ann", 5}, {"Heat", "ann", 4}}));
  EXPECT_EQ(list(parse("Toy Story\tann\t5\n")), (std::vector<Rating>{{"Toy Story", "ann", 5}}));
}

TEST(RatingsReader, NamesInTheFirstLine) {
  const std::vector<Rating> expected{{"1", "2", 3.5}};
  EXPECT_EQ(list(parse("user,film,rating\n1,2,3.5\n")), expected);
  EXPECT_EQ(list(parse("user,film,17\n1,2,3.5\n", {.header = ReadOptions::Header::yes})), expected);
  EXPECT_EQ(list(parse("user item rating\n1 2 3.5\n")), expected);
  EXPECT_EQ(refusal("user,film,rating\n1,2,3.5\n", {.header = ReadOptions::Header::no}),
            "f:1:11: value 'rating' is not a number");
  EXPECT_EQ(refusal("1,2,NA\n1,2,3.5\n"), "f:1:5: value 'NA' is not a number; if this line holds names, header is yes");
  EXPECT_EQ(refusal("1,2,\n"), "f:1:5: value '' is not a number; if this line holds names, header is yes");
}

TEST(RatingsReader, FieldsBehindTheThirdAreNotLookedAt) {
  EXPECT_EQ(list(parse("userId,movieId,rating,timestamp\n1,31,2.5,1260759144\n1,32,4,x\n")),
            (std::vector<Rating>{{"1", "31", 2.5}, {"1", "32", 4}}));
}

TEST(RatingsReader, KeepsIdsInOrderOfAppearance) {
  const Ratings ratings = parse("b,2,1\na,1,2\nb,1,3\n");
  EXPECT_EQ(ratings.rows.names, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(ratings.columns.names, (std::vector<std::string>{"2", "1"}));
  EXPECT_EQ(ratings.rows.count, 2);
  EXPECT_EQ(ratings.columns.count, 2);
  EXPECT_EQ(ratings.row, (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(ratings.column, (std::vector<Index>{0, 1, 1}));
  EXPECT_EQ(ratings.value, (std::vector<double>{1, 2, 3}));
}

TEST(RatingsReader, MatrixMarketHasNumbersForIds) {
  const Ratings ratings = parse("%%MatrixMarket matrix coordinate real general\n% no\n4 3 2\n2 3 0.5\n\n1 1 -2\n");
  EXPECT_TRUE(ratings.rows.are_numbers());
  EXPECT_EQ(ratings.rows.count, 4);
  EXPECT_EQ(ratings.columns.count, 3);
  EXPECT_EQ(list(ratings), (std::vector<Rating>{{"2", "3", 0.5}, {"1", "1", -2}}));
  EXPECT_EQ(list(parse("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n2 1 5\n1 1 3\n")),
            (std::vector<Rating>{{"2", "1", 5}, {"1", "2", 5}, {"1", "1", 3}}));
}

TEST(RatingsReader, EveryMistakeHasItsMessage) {
  const std::string market = "%%MatrixMarket matrix coordinate real general\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "f: no ratings"},
      {"\n \n", "f: no ratings"},
      {"user,film,rating\n", "f: no ratings, only names of fields"},
      {"1 2\n", "f:1:1: 2 fields where 'row column value' is needed"},
      {"1\n", "f:1:1: 1 field where 'row column value' is needed"},
      {"1 2 3\n1 4\n", "f:2:1: 2 fields where the first line has 3"},
      {"1 2 3\n1 4 5 6\n", "f:2:1: 4 fields where the first line has 3"},
      {"1,2,3\n,4,5\n", "f:2:1: the row is empty"},
      {"1,2,3\n1,,5\n", "f:2:3: the column is empty"},
      {"1,2,3\n1,4,\n", "f:2:5: value '' is not a number"},
      {"1 2 3\n1 4 x\n", "f:2:5: value 'x' is not a number"},
      {"1 2 nan\n", "f:1:5: value 'nan' is not a finite number"},
      {"1 2 3\n1 4 -inf\n", "f:2:5: value '-inf' is not a finite number"},
      {"1 2 1e999\n", "f:1:5: value '1e999' is beyond the largest double, about 1.8e308"},
      {"1 2 3\n\"1 4 5\n", "f:2:1: a quote of this record is never closed"},
      {"1 2 3\n\"1\"x 4 5\n", "f:2:4: something follows the quote that closes a cell"},
      {"1 2 3\n1 4\"\" 5\n", "f:2:4: a quote inside a cell that does not begin with one"},
      {market, "f:2:1: the file ends before the line with the sizes (truncated file?)"},
      {market + "2 2 0\n", "f: no ratings"},
      {market + "0 2 0\n", "f: no samples"},
      {market + "2 2 1\n1 3 1\n", "f:3:1: column 3 is not in 1 .. 2"},
      {market + "2 2 2\n1 2 1\n", "f:4:1: the file ends after 1 of 2 entries (truncated file?)"},
      {market + "2 2 1\n1 2 nan\n", "f:3:5: value 'nan' is not a finite number"},
      {market + "2 2 2\n1 2 1\n1 2 1\n", "f:4:1: row '1', column '2' is repeated: it stands on line 3 already"},
      {market + fmt::format("{} 2 1\n1 2 1\n", most_features_in_memory() + 1),
       fmt::format("f:2:1: {} rows do not fit into this machine's memory", most_features_in_memory() + 1)},
      {"%%MatrixMarket matrix array real general\n", "f:1:1: an array; the format must be 'coordinate' here"},
      {"%%MatrixMarket matrix coordinate pattern general\n", "f:1:1: a 'pattern' has no values"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
       "f:3:1: an entry above the diagonal of a symmetric matrix"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(refusal(text), message) << text;
}

TEST(RatingsReader, RepeatedPairs) {
  const std::string text = "row,column,value\n\na,x,1\nb,x,2\na,y,3\na,x,5\nb,x,4\na,x,-3\n";
  EXPECT_EQ(refusal(text), "f:6:1: row 'a', column 'x' is repeated: it stands on line 3 already");
  EXPECT_EQ(list(parse(text, {.repeated = RatingsOptions::Repeated::mean})),
            (std::vector<Rating>{{"a", "x", 1}, {"b", "x", 3}, {"a", "y", 3}}));
  EXPECT_EQ(list(parse(text, {.repeated = RatingsOptions::Repeated::last})),
            (std::vector<Rating>{{"a", "x", -3}, {"b", "x", 4}, {"a", "y", 3}}));
  EXPECT_EQ(list(parse("a,x,-1.7e308\na,x,1.7e308\n", {.repeated = RatingsOptions::Repeated::mean})),
            (std::vector<Rating>{{"a", "x", 0}}))
      << "no difference is too large";
}

// Any ids and any values, quoted, in any order: what was written is read.
RC_GTEST_PROP(RatingsReader, ReadsWhatWasWritten, ()) {
  const auto id = rc::gen::map(rc::gen::inRange(0, 12), [](int k) { return fmt::format("id {}\"\n,{}", k % 3, k); });
  std::vector<Rating> expected;
  std::map<std::pair<std::string, std::string>, std::size_t> place;
  std::string text = *rc::gen::element<std::string>("", "r,c,v\n");
  const int lines = *rc::gen::inRange(1, 60);
  const auto cell = [](std::string name) {
    name.insert(name.find('"'), "\"");
    return '"' + name + '"';
  };
  for (int k = 0; k < lines; ++k) {
    const std::string row = *id, column = *id;
    const double value = *rc::gen::inRange(-1000, 1000) / 8.0;
    text += fmt::format("{},{},{}\n", cell(row), cell(column), value);
    const auto [found, is_new] = place.emplace(std::pair(row, column), expected.size());
    if (is_new)
      expected.emplace_back(row, column, value);
    else
      std::get<2>(expected[found->second]) = value;
  }
  const Ratings ratings = parse(text, {.repeated = RatingsOptions::Repeated::last});
  RC_ASSERT(list(ratings) == expected);
  if (expected.size() == static_cast<std::size_t>(lines)) RC_ASSERT(list(parse(text)) == expected);
}

TEST(PairsReader, FindsKnownIds) {
  const Ratings named = parse("a x 1\nb y 2\n");
  const Pairs pairs = parse_pairs("b,x\n\na,y\nb,x\n", named);
  EXPECT_EQ(pairs.row, (std::vector<Index>{1, 0, 1}));
  EXPECT_EQ(pairs.column, (std::vector<Index>{0, 1, 0}));
  EXPECT_EQ(parse_pairs("row,column\nb,x\n", named, {.header = ReadOptions::Header::yes}).row, (std::vector<Index>{1}));
  EXPECT_EQ(parse_pairs("b x 4\n", named).row, (std::vector<Index>{1})) << "ratings are pairs";
  const Ratings numbered = parse("%%MatrixMarket matrix coordinate real general\n3 2 1\n1 1 1\n");
  EXPECT_EQ(parse_pairs("3 2\n", numbered).row, (std::vector<Index>{2}));
  const std::string market = "%%MatrixMarket matrix coordinate pattern general\n9 9 1\n2 1\n";
  EXPECT_EQ(parse_pairs(market, numbered).row, (std::vector<Index>{1}));
  EXPECT_EQ(parse_pairs(market, parse("2 1 5\n")).column, (std::vector<Index>{0})) << "numbers for names";
}

TEST(PairsReader, EveryMistakeHasItsMessage) {
  const Ratings named = parse("a x 1\nb y 2\n");
  const Ratings numbered = parse("%%MatrixMarket matrix coordinate real general\n3 2 1\n1 1 1\n");
  const auto pairs_refusal = [](const std::string& text, const Ratings& known) {
    return message_of([&] { static_cast<void>(parse_pairs(text, known)); });
  };
  EXPECT_EQ(pairs_refusal("", named), "f: no pairs");
  EXPECT_EQ(pairs_refusal("a\n", named), "f:1:1: 1 field where 'row column' is needed");
  EXPECT_EQ(pairs_refusal("a x\nb z\n", named), "f:2:3: column 'z' is not known");
  EXPECT_EQ(pairs_refusal("row column\nb x\n", named),
            "f:1:1: row 'row' is not known; if this line holds names, header is yes");
  EXPECT_EQ(pairs_refusal("a x\nx a\n", named), "f:2:1: row 'x' is not known");
  for (const std::string id : {"0", "4", "-1", "1.0", "x", "99999999999999999999"})
    EXPECT_EQ(pairs_refusal("1 1\n" + id + " 2\n", numbered), "f:2:1: row '" + id + "' is not known");
  const std::string market = "%%MatrixMarket matrix coordinate pattern general\n9 9 ";
  EXPECT_EQ(pairs_refusal(market + "1\n4 1\n", numbered), "f:3:1: row '4' is not known");
  EXPECT_EQ(pairs_refusal(market + "0\n", numbered), "f: no pairs");
}

TEST(RatingsFile, PlainAndPacked) {
  const TemporaryFolder folder;
  const std::string text = "1,2,3\n4,5,6\n";
  const std::vector<Rating> expected{{"1", "2", 3}, {"4", "5", 6}};
  for (const std::string& bytes : {text, gzip(text), bzip2(text), xz(text), zstd(text)}) {
    const std::string path = folder.write("ratings", bytes);
    const Ratings ratings = read_ratings(path);
    EXPECT_EQ(list(ratings), expected);
    EXPECT_EQ(read_pairs(path, ratings.rows, ratings.columns).row, ratings.row);
  }
  const std::string market =
      folder.write("packed.gz", gzip("%%MatrixMarket matrix coordinate real general\n5 6 1\n1 2 3\n"));
  EXPECT_EQ(read_ratings(market).rows.count, 5) << "by its first bytes";
}

TEST(RatingsFile, Mistakes) {
  const TemporaryFolder folder;
  const auto file_refusal = [](const std::string& path, const RatingsOptions& options = {}) {
    return message_of([&] { static_cast<void>(read_ratings(path, options)); });
  };
  const std::string empty = folder.write("empty", "");
  EXPECT_EQ(file_refusal(empty), empty + ": the file is empty");
  const std::string packed = gzip("1,2,3\n4,5,6\n");
  const std::string cut = folder.write("cut", packed.substr(0, packed.size() - 9));
  EXPECT_EQ(file_refusal(cut), cut + ": the gzip stream ends early (truncated file?)");
  const std::string npy = folder.write("x.npy", "1,2,3\n");
  const std::string wrong = npy + ": ratings are text, 'row column value', or a Matrix Market file";
  EXPECT_EQ(file_refusal(npy), wrong);
  EXPECT_EQ(file_refusal(npy, {.format = DataFormat::libsvm}), wrong);
  EXPECT_EQ(list(read_ratings(npy, {.format = DataFormat::csv})), (std::vector<Rating>{{"1", "2", 3}}));
  const std::string market = folder.write("x.mtx", "1,2,3\n");
  EXPECT_EQ(file_refusal(market), market + ":1:1: no '%%MatrixMarket' at the beginning");
  EXPECT_EQ(file_refusal(market, {.header = ReadOptions::Header::yes}),
            "header: yes breaks the rule: only for text with separators");
}

}  // namespace ratings_reader_test
}  // namespace pdbfw::test
