// Rows read in blocks are the rows of the file, and rows transformed piece by piece are those transformed all at once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "io/compress.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/message.hpp"
#include "io/row_blocks.hpp"
#include "io/temporary_folder.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw::test {
namespace transformed_rows_test {

// Some megabytes, so that there are several blocks, of different widths; with lines that hold no row.
std::string large_text() {
  std::string text = "# a comment\n\n";
  for (int i = 0; i < 60'000; ++i) {
    text += fmt::format("{} {}:0.5 {}:{} # row\r\n", i % 3 - 1, 1 + i % 7, 10 + i / 100, i);
    if (i % 1'000 == 0) text += "   # nothing\n";
  }
  return text;
}

std::string text_of(const Dataset& data) {
  MemorySink sink;
  write_libsvm(sink, data);
  return sink.text();
}

std::string text_of(RowBlocks& blocks, int& count) {
  std::string text;
  count = 0;
  blocks.for_each([&](const RowBlock& block) {
    text += text_of(block.data);
    ++count;
  });
  return text;
}

TEST(RowBlocks, AreTheRowsOfTheFileAsOftenAsOneAsks) {
  const TemporaryFolder folder;
  const std::string text = large_text();
  folder.write("plain", text);
  folder.write("gz", gzip(text));
  const std::string expected = text_of(read_dataset(folder.path("plain")));
  write_cache(folder.path("cache.pdb"), read_dataset(folder.path("plain")));
  for (const std::string name : {"plain", "gz", "cache.pdb"}) {
    RowBlocks blocks(folder.path(name), {});
    int count = 0;
    EXPECT_EQ(text_of(blocks, count), expected);
    EXPECT_EQ(text_of(blocks, count), expected);
    EXPECT_EQ(count > 1, name != "cache.pdb") << name;
  }
}

TEST(RowBlocks, GiveTheLinesAsTheyStand) {
  const TemporaryFolder folder;
  const std::string text = large_text();
  RowBlocks blocks(folder.write("plain", text), {});
  std::string lines;
  blocks.for_each([&](const RowBlock& block) { lines += block.text; });
  EXPECT_EQ(lines, text);
}

TEST(RowBlocks, SayWhereAMistakeIsAsTheReaderDoes) {
  const TemporaryFolder folder;
  for (const std::string& text : {large_text() + "1 2:3 x\n", std::string("1 1:1\n1 1:1 1:1\n"),
                                  std::string("# nothing\n"), std::string("x 1:1\n"), std::string()}) {
    const std::string path = folder.write("bad", text);
    EXPECT_EQ(message_of([&] { RowBlocks(path, {}).for_each([](const RowBlock&) {}); }),
              message_of([&] { (void)read_dataset(path); }));
  }
  EXPECT_EQ(message_of([&] { RowBlocks(folder.path("none"), {}).for_each([](const RowBlock&) {}); }),
            message_of([&] { (void)read_dataset(folder.path("none")); }));
}

TEST(RowBlocks, LeaveOtherFormatsAndOptionsToTheReader) {
  const TemporaryFolder folder;
  folder.write("data.csv", "1,2\n3,4\n");
  folder.write("data.txt", "1 1:1\n2 1:2\n3 1:3\n");
  const auto expect_one_block = [&](const std::string& name, const ReadOptions& options) {
    RowBlocks blocks(folder.path(name), options);
    int count = 0;
    EXPECT_EQ(text_of(blocks, count), text_of(read_dataset(folder.path(name), options)));
    blocks.for_each([](const RowBlock& block) { EXPECT_EQ(block.text, ""); });
  };
  expect_one_block("data.csv", {});
  expect_one_block("data.txt", {.classes = {{1, 3}}});
  const ReadOptions wrong{.label_column = "1"};
  EXPECT_EQ(message_of([&] { RowBlocks(folder.path("data.txt"), wrong).for_each([](const RowBlock&) {}); }),
            message_of([&] { (void)read_dataset(folder.path("data.txt"), wrong); }));
}

TEST(TransformedRows, AreThoseMappedAtOnce) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data", large_text());
  const Dataset whole = read_dataset(path);
  const Polynomial options{.degree = 2};
  const std::string expected = text_of({options.apply(*whole.A), whole.target});
  for (const int threads : {1, 3})
    for (const Index entries : {1, 6, 100'000}) {
      RowBlocks rows(path, {});
      MemorySink sink;
      const RowTransformation mapping{[&](const DataMatrix& A) { return options.apply(A); },
                                      [&](Index) { return entries; }};
      if (entries == 100'000 && threads == 3) continue;  // a row at a time is slow; once is enough
      const TransformedRows made = write_transformed(rows, mapping, threads, sink);
      EXPECT_TRUE(sink.text() == expected);
      EXPECT_EQ(made.rows, whole.A->rows());
      EXPECT_EQ(made.columns, whole.A->columns());
      EXPECT_EQ(made.nonzeros, std::count(expected.begin(), expected.end(), ':'));
    }
}

TEST(TransformedRows, AreHeldUpToANumberOfEntries) {
  const TemporaryFolder folder;
  const RowBlocks rows(folder.write("data", "1 1:1\n1 1:2\n1 1:3\n1 1:4\n1 1:5\n1 1:6\n1 1:7\n1 1:8\n"), {});
  std::atomic<int> held = 0;
  class CountingSink final : public TextSink {
   public:
    explicit CountingSink(std::atomic<int>& held) : held_(held) {}
    void write(std::string_view) override {
      most = std::max(most, held_.load());
      --held_;
    }
    int most = 0;

   private:
    std::atomic<int>& held_;
  } sink(held);
  const RowTransformation mapping{[&](const DataMatrix& A) {
                                    ++held;
                                    return Polynomial{.degree = 2}.apply(A);
                                  },
                                  [](Index) { return Index{2'000'000}; }};
  EXPECT_EQ(write_transformed(rows, mapping, 3, sink).rows, 8);
  EXPECT_EQ(sink.most, 2) << "of two million entries each, four million being the most";
}

TEST(TransformedRows, AMistakeNamesTheFileAndTheFirstOfItsRows) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data", large_text());
  const RowBlocks rows(path, {});
  const auto refusal = [&](Index entries, int threads) {
    MemorySink sink;
    const RowTransformation mapping{[](const DataMatrix& A) -> MatrixPtr {
                                      if (A.columns() > 200) throw InputError("too wide");
                                      return Polynomial{.degree = 2}.apply(A);
                                    },
                                    [&](Index) { return entries; }};
    return message_of([&] { static_cast<void>(write_transformed(rows, mapping, threads, sink)); });
  };
  const std::string alone = refusal(100'000, 1);
  EXPECT_TRUE(alone.starts_with(path + ": row ")) << alone;
  EXPECT_TRUE(alone.ends_with(": too wide")) << alone;
  EXPECT_TRUE(refusal(100, 1).starts_with(path + ": rows ")) << refusal(100, 1);
  for (const int threads : {2, 4}) EXPECT_EQ(refusal(100'000, threads), alone);
}

}  // namespace transformed_rows_test
}  // namespace pdbfw::test
