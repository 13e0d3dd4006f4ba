#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/machine_memory.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/data/row_store.hpp"
#include "io/message.hpp"
#include "io/rows.hpp"
#include "reference/libsvm_reference.hpp"

namespace pdbfw::test {
namespace libsvm_reader_test {

using Rows = std::vector<reference::Row>;

Rows rows_in(const std::string& text) { return rows_of(parse_libsvm(text, "f")); }

TEST(LibsvmReader, ReadsAPlainFile) {
  const Dataset data = parse_libsvm("+1 1:0.5 3:-2e-3\n-1 2:7\n", "f");
  EXPECT_EQ(data.A->rows(), 2);
  EXPECT_EQ(data.A->columns(), 3);
  EXPECT_EQ(data.A->nonzeros(), 3);
  EXPECT_EQ(rows_of(data), (Rows{{1, {{0, 0.5}, {2, -2e-3}}}, {-1, {{1, 7}}}}));
}

TEST(LibsvmReader, TakesEveryWayToLayOutALine) {
  const Rows expected{{1, {{0, 0.5}, {2, 3}}}, {0, {}}};
  EXPECT_EQ(rows_in("1 1:0.5 3:3\n0\n"), expected);
  EXPECT_EQ(rows_in("1 1:0.5 3:3\n0"), expected) << "no last newline";
  EXPECT_EQ(rows_in("1 1:0.5 3:3\r\n0\r\n"), expected) << "CRLF";
  EXPECT_EQ(rows_in("\t 1\t1:0.5   3:3 \t\n  0  \n"), expected) << "tabs and repeated spaces";
  EXPECT_EQ(rows_in("# head\n\n1 1:0.5 3:3 # 7:nonsense\n  # more\n0#\n\n"), expected) << "comments, blank lines";
  EXPECT_EQ(rows_in("1 qid:4 1:0.5 3:3\n0 qid:none\n"), expected) << "qid";
  EXPECT_EQ(rows_in("+1.0 0001:+.5 00000000000000000000003:3.\n-0 \n"), expected) << "odd numbers";
}

TEST(LibsvmReader, ReadsNumbersExactly) {
  const std::vector<std::pair<std::string, double>> cases = {
      {"0.1", 0.1},
      {"-0.0123456", -0.0123456},
      {"9007199254740993", 9007199254740992.0},
      {"9007199254740992", 9007199254740992.0},
      {"0.30000000000000004", 0.30000000000000004},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"4.9e-324", 4.9e-324},
      {"1e-999", 0},
      {"123456789012345678901234567890", 123456789012345678901234567890.0},
      {"0.00000000000000000000001", 1e-23},
      {"1E5", 1e5},
  };
  for (const auto& [text, value] : cases) EXPECT_EQ(rows_in("1 1:" + text)[0].entries[0].second, value) << text;
}

TEST(LibsvmReader, FullRowsBecomeDense) {
  const std::string text = "1 1:1 2:2\n2 1:3 2:4\n";
  EXPECT_TRUE(parse_libsvm(text, "f").A->is_dense());
  EXPECT_TRUE(parse_libsvm(text, "f", {.threads = 1, .float32 = true}).A->is_dense());
  EXPECT_EQ(rows_in(text), (Rows{{1, {{0, 1}, {1, 2}}}, {2, {{0, 3}, {1, 4}}}}));
  EXPECT_FALSE(parse_libsvm(text, "f", {.threads = 1, .float32 = false, .min_features = 3}).A->is_dense());
  EXPECT_FALSE(parse_libsvm("1\n2\n", "f").A->is_dense());
}

TEST(LibsvmReader, MinFeaturesWidens) {
  EXPECT_EQ(parse_libsvm("1 2:1", "f", {.threads = 1, .float32 = false, .min_features = 9}).A->columns(), 9);
  EXPECT_EQ(parse_libsvm("1 2:1", "f", {.threads = 1, .float32 = false, .min_features = 1}).A->columns(), 2);
  EXPECT_EQ(message_of([] {
              static_cast<void>(parse_libsvm("1 2:1", "f", {.threads = 1, .float32 = false, .min_features = -1}));
            }),
            fmt::format("min_features: -1 breaks the rule: 0 .. {}, which this machine's memory can hold",
                        most_features_in_memory()));
}

TEST(LibsvmReader, KeepsFloatsWhenAsked) {
  const Dataset data = parse_libsvm("1 1:0.1 3:1e-60", "f", {.threads = 1, .float32 = true});
  ASSERT_TRUE((std::holds_alternative<SparseLines<float, std::int32_t>>(data.A->by_row())));
  EXPECT_EQ(rows_of(data), (Rows{{1, {{0, 0.1F}, {2, 0}}}}));
}

// Through the store: few machines have the memory that the reader asks for before it takes such indices.
TEST(LibsvmReader, IndicesBeyond32BitsAreWide) {
  const std::unique_ptr<RowStore> store = make_row_store(false);
  const LibsvmRules rules{.float32 = false, .most_features = Index{1} << 40U};
  LibsvmPiece piece;
  for (const std::string text : {"1 1:1 2147483647:3\n", "2 5:1 3000000000:2\n", "3 2147483648:4\n"}) {
    parse_libsvm_block(text, rules, piece);
    store->append(piece);
  }
  const Dataset data = store->finish(0);
  ASSERT_TRUE((std::holds_alternative<SparseLines<double, std::int64_t>>(data.A->by_row())));
  EXPECT_EQ(data.A->columns(), 3'000'000'000);
  EXPECT_EQ(rows_of(data),
            (Rows{{1, {{0, 1}, {2147483646, 3}}}, {2, {{4, 1}, {2999999999, 2}}}, {3, {{2147483647, 4}}}}));
}

TEST(LibsvmReader, EveryMistakeHasItsMessage) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1 1:1\n1 0:1\n", "f:2:3: index '0' is below 1: indices start at 1"},
      {"1 -3:1", "f:1:3: index '-3' is below 1: indices start at 1"},
      {"1 1:1 5:1 4:1", "f:1:11: index 4 after 5: indices must ascend"},
      {"1 5:1 5:1", "f:1:7: index 5 is repeated"},
      {"1 9223372036854775808:1", "f:1:3: index '9223372036854775808' is above 2^63 - 1"},
      {"1 99999999999999999999999:1", "f:1:3: index '99999999999999999999999' is above 2^63 - 1"},
      {"1 9223372036854775807:1",
       "f:1:3: index 9223372036854775807: weights for so many features do not fit into this machine's memory"},
      {"1 x:1", "f:1:3: index 'x' is not a whole number"},
      {"1 1.5:1", "f:1:3: index '1.5' is not a whole number"},
      {"1 +2:1", "f:1:3: index '+2' is not a whole number"},
      {"1 :1", "f:1:3: index '' is not a whole number"},
      {"1 1:nan", "f:1:5: value 'nan' is not a finite number"},
      {"1 1:-inf", "f:1:5: value '-inf' is not a finite number"},
      {"1 1:1e999", "f:1:5: value '1e999' is beyond the largest double, about 1.8e308"},
      {"1 1:abc", "f:1:5: value 'abc' is not a number"},
      {"1 1:0x1p3", "f:1:5: value '0x1p3' is not a number"},
      {"1 1:+-2", "f:1:5: value '+-2' is not a number"},
      {"1 1:--2", "f:1:5: value '--2' is not a number"},
      {"1 1:1e", "f:1:5: value '1e' is not a number"},
      {"1 1:.", "f:1:5: value '.' is not a number"},
      {"1 1:2:3", "f:1:5: value '2:3' is not a number"},
      {"1 1: 2:3", "f:1:5: value '' is not a number"},
      {"1 1:1 7", "f:1:7: '7' has no colon: entries are index:value"},
      {"1 word", "f:1:3: 'word' has no colon: entries are index:value"},
      {"\n\n  yes 1:1", "f:3:3: target 'yes' is not a number"},
      {"1:1 2:1", "f:1:1: target '1:1' is not a number"},
      {"nan 1:1", "f:1:1: target 'nan' is not a finite number"},
      {"-inf 1:1", "f:1:1: target '-inf' is not a finite number"},
      {"1e400 1:1", "f:1:1: target '1e400' is beyond the largest double, about 1.8e308"},
      {"3,17 1:1", "f:1:1: target '3,17': several labels, which only multilabel losses take"},
      {std::string("1 1:\x01\0\xff", 7), "f:1:5: value '\\x01\\x00\\xff' is not a number"},
      {"1 1:" + std::string(60, 'z'), "f:1:5: value '" + std::string(40, 'z') + "...' is not a number"},
      {"", "f: no samples"},
      {"# only\n\n", "f: no samples"},
  };
  for (const auto& entry : cases)
    EXPECT_EQ(message_of([&] { static_cast<void>(parse_libsvm(entry.first, "f")); }), entry.second);
}

TEST(LibsvmReader, FloatsHaveTheirOwnRange) {
  EXPECT_EQ(message_of([] { static_cast<void>(parse_libsvm("1 1:4e38", "f", {.threads = 1, .float32 = true})); }),
            "f:1:5: value '4e38' is beyond the largest float, about 3.4e38");
}

TEST(LibsvmReader, ReportsTheFirstMistakeForAnyNumberOfThreads) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "1 1:1 2:2\n";
  for (int i = 0; i < 5000; ++i) text += "1 1:1 2:x\n";
  for (const int threads : {1, 2, 8})
    for (const std::size_t block_bytes : {std::size_t{64}, std::size_t{1000}, kLibsvmBlockBytes})
      EXPECT_EQ(message_of([&] { static_cast<void>(parse_libsvm(text, "f", {.threads = threads}, block_bytes)); }),
                "f:5001:9: value 'x' is not a number");
}

TEST(LibsvmReader, TakesLongLinesAndManyColumns) {
  constexpr Index kEntries = 1'000'000;
  std::string text = "1";
  for (Index j = 1; j <= kEntries; ++j) text += fmt::format(" {}:1", 10 * j);
  text += "\n-1 3:2";
  const Dataset data = parse_libsvm(text, "f", {.threads = 2});
  EXPECT_EQ(data.A->nonzeros(), kEntries + 1);
  EXPECT_EQ(data.A->columns(), 10 * kEntries);
}

// Valid text with everything that the format allows.
std::string random_text() {
  const auto pick = [](auto... choices) { return std::string(*rc::gen::element(choices...)); };
  const auto number = [&] {
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        return fmt::format("{}", *rc::gen::inRange(-1000, 1000));
      case 1:
        return fmt::format("{:.{}f}", *rc::gen::inRange(-100000, 100000) / 1024.0, *rc::gen::inRange(1, 25));
      case 2:
        return fmt::format("{}e{}", *rc::gen::inRange(-999, 999), *rc::gen::inRange(-300, 300));
      default:
        return fmt::format("{}", static_cast<double>(*rc::gen::arbitrary<std::int64_t>()) * 1e-17);
    }
  };
  std::string text = "0 1:1\n";
  const int rows = *rc::gen::inRange(0, 20);
  for (int i = 0; i < rows; ++i) {
    text += pick("", " ", "\t", "# comment\n", "\n", "\r\n") + number();
    Index index = 0;
    const int entries = *rc::gen::inRange(0, 10);
    for (int k = 0; k < entries; ++k) {
      index += *rc::gen::inRange(1, 1000);
      text += pick(" ", "  ", "\t", " qid:7 ") + fmt::format("{}:", index) + number();
    }
    text += pick("\n", "\r\n", " \n", " # 9:x\n");
  }
  return text;
}

RC_GTEST_PROP(LibsvmReader, AgreesWithTheReference, ()) {
  const std::string text = random_text();
  const Rows expected = reference::read_libsvm(text);
  for (const int threads : {1, 2, 8}) {
    const auto block_bytes = static_cast<std::size_t>(*rc::gen::inRange(1, 200));
    RC_ASSERT(rows_of(parse_libsvm(text, "f", {.threads = threads}, block_bytes)) == expected);
  }
}

// Any bytes: an InputError or a data set, and the same for any number of threads and any block size.
RC_GTEST_PROP(LibsvmReader, AnyTextGivesTheSameForAnyThreads, ()) {
  const auto letters = rc::gen::elementOf(std::string("0123456789:.-+e \n#,qidnaf\t\r"));
  const std::string text = *rc::gen::container<std::string>(letters);
  const auto outcome = [&](int threads, std::size_t block_bytes) {
    try {
      return fmt::format("{} rows", parse_libsvm(text, "f", {.threads = threads}, block_bytes).A->rows());
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  RC_ASSERT(outcome(1, kLibsvmBlockBytes) == outcome(3, 5));
}

}  // namespace libsvm_reader_test
}  // namespace pdbfw::test
