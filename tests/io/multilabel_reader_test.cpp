#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/compress.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/message.hpp"
#include "io/rows.hpp"
#include "io/temporary_folder.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw::test {
namespace multilabel_reader_test {

using Rows = std::vector<reference::Row>;
using Labels = std::vector<std::vector<Index>>;

MultilabelDataset parse(const std::string& text, const ReadOptions& options = {},
                        std::size_t block_bytes = kLibsvmBlockBytes) {
  MemorySource source(text);
  return read_libsvm_multilabel(source, "f", options, block_bytes);
}

// As in the file, not their places.
Labels labels_of(const MultilabelDataset& data) {
  Labels labels;
  for (Index i = 0; i < data.labels.rows(); ++i) {
    labels.emplace_back();
    for (const Index place : data.labels[i]) labels.back().push_back(data.ids.at(static_cast<std::size_t>(place)));
  }
  return labels;
}

Rows rows_of(const MultilabelDataset& data) {
  return test::rows_of(Dataset{data.A, std::vector<double>(static_cast<std::size_t>(data.A->rows()))});
}

TEST(MultilabelReader, ReadsLabelsInAnyOrder) {
  const MultilabelDataset data = parse("40,3,17 1:0.5 3:2\n3 2:7\n");
  EXPECT_EQ(data.ids, (std::vector<Index>{3, 17, 40}));
  EXPECT_EQ(data.labels.offsets, (std::vector<Index>{0, 3, 4}));
  EXPECT_EQ(data.labels.place, (std::vector<Index>{0, 1, 2, 0}));
  EXPECT_EQ(rows_of(data), (Rows{{0, {{0, 0.5}, {2, 2}}}, {0, {{1, 7}}}}));
}

TEST(MultilabelReader, ARowThatBeginsWithAnEntryHasNoLabel) {
  const MultilabelDataset data = parse("5,0 1:1\n 2:1\n2:3\n\n\t3:1 # 7\n  7 1:2\r\n5\nqid:2 4:1");
  EXPECT_EQ(labels_of(data), (Labels{{0, 5}, {}, {}, {}, {7}, {5}, {}}));
  EXPECT_EQ(rows_of(data)[5].entries.size(), 0U) << "labels and nothing else";
  EXPECT_EQ(data.ids, (std::vector<Index>{0, 5, 7}));
}

TEST(MultilabelReader, TheLargestIdFits) {
  EXPECT_EQ(parse("9223372036854775807,00 1:1").ids, (std::vector<Index>{0, 9223372036854775807}));
}

TEST(MultilabelReader, KeepsTheOptionsOfTheMatrix) {
  const MultilabelDataset data = parse("1 1:0.1\n2 2:1", {.float32 = true, .min_features = 9});
  EXPECT_EQ(data.A->columns(), 9);
  EXPECT_TRUE((std::holds_alternative<SparseLines<float, std::int32_t>>(data.A->by_row())));
  EXPECT_EQ(parse("1:1\n2:1", {.needs_targets = false}).ids.size(), 0U) << "data to predict";
}

TEST(MultilabelReader, EveryMistakeHasItsMessage) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1 1:1\n3,17,3 1:1", "f:2:6: label 3 is repeated"},
      {"3,4,04 1:1", "f:1:5: label 4 is repeated"},
      {"3,x 1:1", "f:1:3: label 'x' is not a whole number from 0 up"},
      {"3,-1 1:1", "f:1:3: label '-1' is not a whole number from 0 up"},
      {"  +1 1:1", "f:1:3: label '+1' is not a whole number from 0 up"},
      {"1.5 1:1", "f:1:1: label '1.5' is not a whole number from 0 up"},
      {"nan", "f:1:1: label 'nan' is not a whole number from 0 up"},
      {"9223372036854775808 1:1", "f:1:1: label '9223372036854775808' is above 2^63 - 1"},
      {"3,,4 1:1", "f:1:3: a label is missing: labels are separated by single commas"},
      {"3, 1:1", "f:1:3: a label is missing: labels are separated by single commas"},
      {",3", "f:1:1: a label is missing: labels are separated by single commas"},
      {"3, 17 1:1", "f:1:3: a label is missing: labels are separated by single commas"},
      {"3 17 1:1", "f:1:3: '17' has no colon: entries are index:value"},
      {"3,4 0:1", "f:1:5: index '0' is below 1: indices start at 1"},
      {"3,4 1:x", "f:1:7: value 'x' is not a number"},
      {"1:1\n2:1\n", "f: no row has a label"},
      {"\n# 3\n", "f: no samples"},
  };
  for (const auto& entry : cases)
    EXPECT_EQ(message_of([&] { static_cast<void>(parse(entry.first)); }), entry.second) << entry.first;
}

TEST(MultilabelReader, ALineOfManyLabelsTakesNoTime) {
  std::string text = "0";
  for (int label = 1; label < 300'000; ++label) text += fmt::format(",{}", label);
  EXPECT_EQ(parse(text + " 1:1").ids.size(), 300'000U);
  EXPECT_EQ(message_of([&] { static_cast<void>(parse(text + ",299999")); }),
            fmt::format("f:1:{}: label 299999 is repeated", text.size() + 2));
}

TEST(MultilabelReader, ReadsPackedFilesAndNothingElse) {
  const TemporaryFolder folder;
  const std::string text = "2,1 1:1\n3 2:1\n";
  for (const std::string& bytes : {text, gzip(text), bzip2(text), xz(text), zstd(text)})
    EXPECT_EQ(labels_of(read_multilabel(folder.write("data", bytes))), (Labels{{1, 2}, {3}}));
  const std::string packed = xz(text);
  const std::string cut = folder.write("cut", packed.substr(0, packed.size() / 2));
  EXPECT_EQ(message_of([&] { static_cast<void>(read_multilabel(cut)); }),
            cut + ": the xz stream ends early (truncated file?)");
  const std::string csv = folder.write("data.csv", "1,2\n");
  EXPECT_EQ(message_of([&] { static_cast<void>(read_multilabel(csv)); }),
            csv + ": several labels a row are read from LIBSVM's text only");
  const std::string plain = folder.write("plain", text);
  EXPECT_EQ(message_of([&] {
              static_cast<void>(read_multilabel(plain, {.classes = {{1, 2}}}));
            }),
            "classes: two of them breaks the rule: only for data with one label a row");
  EXPECT_EQ(message_of([&] { static_cast<void>(read_multilabel(plain, {.labels = "y"})); }),
            "labels: y breaks the rule: only for data that hold no labels themselves");
}

// A program that may be given either kind of data can ask one reader after the other.
TEST(MultilabelReader, OneTargetARowIsRefusedForSeveralLabelsByType) {
  const TemporaryFolder folder;
  for (const char* const text : {"3,17 1:1\n", "1 1:1\n2,5 1:1\n"})
    EXPECT_THROW(static_cast<void>(read_dataset(folder.write("data", text))), SeveralLabels);
  for (const char* const text : {"3;17 1:1\n", "1 1:1,2\n", " 1:1\n3,17 1:1\n"}) try {
      static_cast<void>(read_dataset(folder.write("data", text)));
      FAIL() << text;
    } catch (const SeveralLabels&) {
      FAIL() << text << " is another mistake, or one that comes first";
    } catch (const InputError&) {
    }
}

// What was made is what is read, in blocks of any size and on any number of threads.
RC_GTEST_PROP(MultilabelReader, ReadsWhatWasWritten, ()) {
  Labels expected;
  std::string text;
  std::set<Index> ids;
  const int rows = *rc::gen::inRange(1, 30);
  for (int i = 0; i < rows; ++i) {
    const auto labels = *rc::gen::container<std::set<Index>>(rc::gen::inRange<Index>(0, 50));
    expected.emplace_back(labels.begin(), labels.end());
    ids.insert(labels.begin(), labels.end());
    std::string line;
    for (const Index label : labels) line = fmt::format("{}{}{}", label, line.empty() ? "" : ",", line);
    text += line + *rc::gen::element<std::string>(" ", "\t", "  ") + fmt::format("{}:1\n", i + 1);
  }
  const MultilabelDataset data = parse(text, {.threads = *rc::gen::inRange(1, 4), .needs_targets = false},
                                       static_cast<std::size_t>(*rc::gen::inRange(1, 200)));
  RC_ASSERT(labels_of(data) == expected);
  RC_ASSERT(data.ids == std::vector<Index>(ids.begin(), ids.end()));
  RC_ASSERT(data.A->rows() == rows && data.A->nonzeros() == rows);
}

}  // namespace multilabel_reader_test
}  // namespace pdbfw::test
