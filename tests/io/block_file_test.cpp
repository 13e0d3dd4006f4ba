// Cache files in blocks: what is written is read back, in memory or streamed, and whatever is wrong with a file is
// said.
#include "io/cache/block_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/checksum.hpp"
#include "base/machine_memory.hpp"
#include "io/cache/cache_format.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/message.hpp"
#include "io/rows.hpp"
#include "io/seal_cache.hpp"
#include "io/temporary_folder.hpp"
#include "pdbfw/pdbfw.hpp"

namespace pdbfw::test {
namespace block_file_test {

std::string blocks_of(const Dataset& data, std::size_t block_bytes = kBlockBytes, bool float32 = false) {
  MemorySink sink;
  BlockWriter writer(sink, "f", float32, block_bytes);
  data.A->visit_rows([&](Index first, const Lines& rows) {
    writer.append(rows, std::span(data.target).subspan(static_cast<std::size_t>(first)));
  });
  writer.finish(data.A->columns());
  return sink.text();
}

Dataset open(const std::string& bytes, const ReadOptions& options = {}) {
  return open_cache(loaded(bytes), "f", options);
}

std::string refusal(const std::string& bytes, const ReadOptions& options = {}) {
  return message_of([&] { static_cast<void>(open(bytes, options)); });
}

Dataset small() { return parse_libsvm("1 1:0.5 4:-2\n-1\n1 2:3 4:0\n", "f"); }

// 100 rows, 30 features; the values are no floats.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += fmt::format("{} {}:0.1 {}:{}\n", i % 3 - 1, 1 + i % 15, 16 + i % 15, 0.7 * i + 0.1);
  return text;
}

std::vector<reference::Row> streamed_rows(const Dataset& data) {
  std::vector<reference::Row> rows;
  data.A->visit_rows([&](Index first, const Lines& lines) {
    EXPECT_EQ(first, static_cast<Index>(rows.size()));
    const Dataset part{std::make_shared<const DataMatrix>(lines, DataMatrix::Orientation::by_row, nullptr),
                       {data.target.begin() + first,
                        data.target.begin() + first + std::visit([](const auto& own) { return own.count; }, lines)}};
    EXPECT_EQ(part.A->columns(), data.A->columns());
    for (const reference::Row& row : rows_of(part)) rows.push_back(row);
  });
  return rows;
}

template <class T>
std::string with(std::string bytes, std::size_t at, T number) {
  std::memcpy(bytes.data() + at, &number, sizeof(number));
  return bytes;
}

BlockedTrailer trailer_in(const std::string& bytes) {
  BlockedTrailer trailer{};
  std::memcpy(&trailer, bytes.data() + bytes.size() - sizeof(trailer), sizeof(trailer));
  return trailer;
}

// Changes the trailer and the directory (of one block), with good checksums.
std::string changed(std::string bytes, const std::function<void(BlockedTrailer&, BlockEntry&)>& change) {
  BlockedTrailer trailer = trailer_in(bytes);
  const std::size_t directory = trailer.directory_begin;
  BlockEntry block{};
  std::memcpy(&block, bytes.data() + directory, sizeof(block));
  change(trailer, block);
  std::memcpy(bytes.data() + directory, &block, sizeof(block));
  const auto entries = std::as_bytes(std::span(bytes)).subspan(directory, bytes.size() - directory - sizeof(trailer));
  trailer.directory_checksum = checksum(entries);
  trailer.checksum = checksum_of(trailer);
  std::memcpy(bytes.data() + bytes.size() - sizeof(trailer), &trailer, sizeof(trailer));
  return bytes;
}

// Changes a number in the matrix of the first block, with a good checksum.
template <class T>
std::string with_number(const std::string& whole, std::size_t at, T number) {
  std::string bytes = with(whole, kBlockedHeaderBytes + at, number);
  return changed(bytes, [&](BlockedTrailer&, BlockEntry& block) {
    const BlockParts parts = parts_of(block);
    const auto all = std::as_bytes(std::span(bytes));
    block.matrix_checksum = checksum(all.subspan(block.begin, parts.targets));
    block.target_checksum = checksum(all.subspan(block.begin + parts.targets, parts.end - parts.targets));
  });
}

BlockParts parts_in(const std::string& bytes) {
  BlockEntry block{};
  std::memcpy(&block, bytes.data() + trailer_in(bytes).directory_begin, sizeof(block));
  return parts_of(block);
}

TEST(BlockFile, IsReadBackWhateverTheSizeOfABlock) {
  const Dataset data = parse_libsvm(long_text(), "f");
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{1000}, kBlockBytes}) {
    const Dataset back = open(blocks_of(data, bytes));
    EXPECT_EQ(rows_of(back), rows_of(data));
    EXPECT_EQ(back.A->columns(), 30);
    EXPECT_EQ(back.A->by_row().index(), data.A->by_row().index());
  }
}

TEST(BlockFile, KeepsEmptyRowsAndColumnsAndZerosAndWidth) {
  const Dataset wide = parse_libsvm("1 1:0.5 4:-2\n-1\n1 2:3 4:0\n", "f", {.min_features = 9});
  const Dataset back = open(blocks_of(wide, 1));
  EXPECT_EQ(rows_of(back), rows_of(wide));
  EXPECT_EQ(back.A->columns(), 9);
  EXPECT_EQ(open(blocks_of(wide), {.min_features = 12}).A->columns(), 12);
  const Dataset none = parse_libsvm("1\n-1\n", "f");
  EXPECT_EQ(rows_of(open(blocks_of(none))), rows_of(none));
}

TEST(BlockFile, HoldsFloatsWhereTheyAreExactOrAskedFor) {
  const auto is_narrow = [](const Dataset& data) {
    return std::visit([](const auto& rows) { return sizeof(rows.value[0]) == sizeof(float); }, data.A->by_row());
  };
  EXPECT_TRUE(is_narrow(open(blocks_of(small()))));
  const Dataset inexact = parse_libsvm("1 1:0.1\n-1 2:1\n", "f");
  EXPECT_FALSE(is_narrow(open(blocks_of(inexact, 1))));
  EXPECT_EQ(rows_of(open(blocks_of(inexact, 1))), rows_of(inexact));
  EXPECT_TRUE(is_narrow(open(blocks_of(inexact, 1, true))));
  EXPECT_TRUE(is_narrow(open(blocks_of(inexact), {.float32 = true})));
  const Dataset large = parse_libsvm("1 1:1e300\n", "f");
  EXPECT_EQ(message_of([&] { static_cast<void>(blocks_of(large, 1, true)); }),
            "value 1e+300 is beyond the largest float, about 3.4e38");
}

TEST(BlockFile, HoldsDenseBlocksAndWiderRowsAmongThem) {
  const Dataset dense = parse_libsvm("1 1:1 2:2\n-1 1:4 2:5\n1 1:7 2:8\n", "f");
  const Dataset back = open(blocks_of(dense, 1));
  EXPECT_TRUE(back.A->is_dense());
  EXPECT_EQ(rows_of(back), rows_of(dense));
  const Dataset mixed = parse_libsvm("1 1:1 2:2\n-1 1:4 2:5 3:6\n1 3:8\n", "f");
  EXPECT_EQ(rows_of(open(blocks_of(mixed, 1))), rows_of(mixed));
  EXPECT_FALSE(open(blocks_of(mixed, 1)).A->is_dense());
  EXPECT_EQ(rows_of(open(blocks_of(dense, 1), {.min_features = 5})), rows_of(dense));
}

TEST(BlockFile, HoldsIndicesBeyond32Bits) {
  const Index far = Index{1} << 32U;
  if (far > most_features_in_memory()) GTEST_SKIP() << "not enough memory for so many features";
  const Dataset data{own_csr<double, std::int64_t>(2, far + 1, {0, 1, 2}, {far, 0}, {1.0, 2.0}), {1.0, -1.0}};
  EXPECT_EQ(rows_of(open(blocks_of(data, 1))), rows_of(data));
}

TEST(BlockFile, IsStreamedAsItIsInMemory) {
  const TemporaryFolder folder;
  const Dataset data = parse_libsvm(long_text(), "f");
  const std::string path = folder.write("data.pdb", blocks_of(data, 500));
  const Dataset streamed = open_streamed(path);
  ASSERT_TRUE(streamed.A->is_streamed());
  EXPECT_EQ(streamed.target, data.target);
  EXPECT_EQ(streamed.A->rows(), data.A->rows());
  EXPECT_EQ(streamed.A->nonzeros(), data.A->nonzeros());
  EXPECT_EQ(streamed_rows(streamed), rows_of(data));
  EXPECT_EQ(streamed_rows(streamed), rows_of(data));
  const RowSource::Traffic traffic = streamed.A->source()->traffic();
  EXPECT_EQ(traffic.passes, 2);
  EXPECT_GT(traffic.bytes, 2 * 12.0 * static_cast<double>(data.A->nonzeros()));
  EXPECT_EQ(rows_of(read_dataset(path)), rows_of(data));
}

TEST(BlockFile, IsStreamedBySeveralThreadsAndInsideAVisit) {
  const TemporaryFolder folder;
  const Dataset data = parse_libsvm(long_text(), "f");
  const Dataset streamed = open_streamed(folder.write("data.pdb", blocks_of(data, 500)));
  std::vector<std::thread> threads;
  std::vector<Index> seen(3);
  for (Index& count : seen)
    threads.emplace_back([&] {
      streamed.A->visit_rows([&](Index, const Lines&) {
        streamed.A->visit_rows(
            [&](Index, const Lines& rows) { count += std::visit([](const auto& own) { return own.count; }, rows); });
      });
    });
  for (std::thread& thread : threads) thread.join();
  for (const Index count : seen) EXPECT_EQ(count, seen[0]);
  EXPECT_EQ(seen[0] % 100, 0);
}

TEST(BlockFile, GivesSomeRowsOnly) {
  const TemporaryFolder folder;
  const Dataset data = parse_libsvm(long_text(), "f");
  const std::string path = folder.write("data.pdb", blocks_of(data, 500));
  const std::string text = folder.write("data.txt", long_text());
  const std::vector<reference::Row> all = rows_of(data);
  for (const ReadOptions::RowRange range :
       {ReadOptions::RowRange{0, 100}, ReadOptions::RowRange{0, 1}, ReadOptions::RowRange{37, 38},
        ReadOptions::RowRange{13, 90}, ReadOptions::RowRange{99, 100}}) {
    const std::vector<reference::Row> wanted(all.begin() + range.first, all.begin() + range.last);
    EXPECT_EQ(rows_of(read_dataset(path, {.rows = range})), wanted);
    EXPECT_EQ(rows_of(read_dataset(text, {.rows = range})), wanted);
    const Dataset streamed = open_streamed(path, {.rows = range});
    EXPECT_EQ(streamed_rows(streamed), wanted);
    EXPECT_EQ(streamed.A->rows(), range.last - range.first);
    EXPECT_EQ(streamed.A->columns(), 30);
    EXPECT_EQ(streamed.A->nonzeros(), 2 * (range.last - range.first));
  }
  for (const ReadOptions::RowRange range :
       {ReadOptions::RowRange{-1, 5}, ReadOptions::RowRange{5, 5}, ReadOptions::RowRange{90, 101}}) {
    const std::string rule =
        fmt::format(": rows: {} .. {} breaks the rule: at least one of 0 .. 99", range.first, range.last - 1);
    EXPECT_EQ(message_of([&] { static_cast<void>(read_dataset(path, {.rows = range})); }), path + rule);
    EXPECT_EQ(message_of([&] { static_cast<void>(read_dataset(text, {.rows = range})); }), text + rule);
    EXPECT_EQ(message_of([&] { static_cast<void>(open_streamed(path, {.rows = range})); }), path + rule);
  }
}

TEST(BlockFile, SaysWhatItHolds) {
  const TemporaryFolder folder;
  const std::string bytes = blocks_of(parse_libsvm(long_text(), "f"), 500);
  const auto shape = blocked_shape(folder.write("data.pdb", bytes));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->rows, 100);
  EXPECT_EQ(shape->columns, 30);
  EXPECT_EQ(shape->nonzeros, 200);
  EXPECT_GT(shape->blocks, 3);
  EXPECT_EQ(shape->bytes, static_cast<double>(bytes.size()));
  EXPECT_GT(shape->bytes_in_memory, shape->bytes);
  EXPECT_FALSE(blocked_shape(folder.write("data.txt", "1 1:1\n")));
  EXPECT_FALSE(blocked_shape(folder.path("absent")));
}

TEST(BlockFile, OnlySuchFilesAreStreamed) {
  const TemporaryFolder folder;
  const std::string text = folder.write("data.txt", "1 1:1\n");
  EXPECT_EQ(message_of([&] { static_cast<void>(open_streamed(text)); }),
            text + ": only cache files in blocks can be streamed; pdbfw convert --memory writes them");
  const std::string path = folder.write("data.pdb", blocks_of(small()));
  EXPECT_EQ(message_of([&] { static_cast<void>(open_streamed(path, {.labels = "x"})); }),
            "labels: x breaks the rule: only for data that hold no labels themselves");
  EXPECT_EQ(message_of([&] {
              static_cast<void>(open_streamed(path, {.classes = std::array{0.0, 1.0}}));
            }),
            "classes: given breaks the rule: none for data that are streamed");
  const Dataset streamed = open_streamed(path);
  EXPECT_EQ(message_of([&] { static_cast<void>(streamed.A->by_row()); }),
            "data: streamed from a file breaks the rule: data in memory, for all but training, certifying and "
            "predicting (docs/scaling.md)");
  EXPECT_THROW(static_cast<void>(streamed.A->by_column()), InputError);
}

TEST(BlockFile, RefusesEveryFileThatWasCut) {
  const std::string bytes = blocks_of(small());
  for (std::size_t size = kBlockedHeadBytes; size < bytes.size(); ++size)
    EXPECT_NE(refusal(bytes.substr(0, size)), "") << size;
  EXPECT_EQ(refusal(bytes.substr(0, 100)),
            "f: 100 bytes are too few for the ends of a cache file in blocks (truncated file?)");
  EXPECT_EQ(refusal(bytes.substr(0, bytes.size() - 1)),
            "f: does not end like a cache file in blocks (truncated file?)");
  EXPECT_NE(refusal(bytes + "x"), "");
}

TEST(BlockFile, RefusesEveryFileWithAChangedByte) {
  const std::string bytes = blocks_of(small());
  for (std::size_t at = kCacheMagic.size() + 4; at < bytes.size(); ++at)
    EXPECT_NE(refusal(with(bytes, at, static_cast<char>(bytes[at] ^ 1))), "") << at;
}

TEST(BlockFile, NamesTheBlockThatIsDamaged) {
  const std::string bytes = blocks_of(parse_libsvm(long_text(), "f"), 500);
  const BlockedTrailer trailer = trailer_in(bytes);
  std::vector<BlockEntry> blocks(static_cast<std::size_t>(trailer.blocks));
  std::memcpy(blocks.data(), bytes.data() + trailer.directory_begin, blocks.size() * sizeof(BlockEntry));
  const BlockEntry& third = blocks[2];
  EXPECT_EQ(refusal(with(bytes, third.begin, 'x')),
            fmt::format("f: block 3 of {} is damaged (its checksum does not match)", blocks.size()));
  EXPECT_EQ(refusal(with(bytes, third.begin + parts_of(third).targets, 'x')),
            fmt::format("f: the targets of block 3 of {} are damaged (their checksum does not match)", blocks.size()));
  EXPECT_EQ(refusal(with(bytes, trailer.directory_begin, 'x')),
            "f: the directory is damaged (its checksum does not match)");
  EXPECT_EQ(refusal(with(bytes, bytes.size() - kBlockedTrailerBytes, 'x')),
            "f: the end is damaged (its checksum does not match)");
  EXPECT_EQ(refusal(with(bytes, 20, 'x')), "f: the header is damaged (its checksum does not match)");
}

TEST(BlockFile, RefusesNumbersThatCannotBe) {
  const std::string bytes = blocks_of(small());
  const auto refused = [&](const std::function<void(BlockedTrailer&, BlockEntry&)>& change) {
    return refusal(changed(bytes, change));
  };
  EXPECT_EQ(refused([](BlockedTrailer& t, BlockEntry&) { t.rows = -1; }),
            "f: the end says -1 rows, 4 features, 4 entries and 1 blocks; each must be in 0 .. 2^48");
  EXPECT_EQ(refused([](BlockedTrailer& t, BlockEntry&) { t.rows = 0; }), "f: no samples");
  EXPECT_EQ(refused([](BlockedTrailer& t, BlockEntry&) { t.rows = 4; }),
            "f: the directory does not fit the end of the file");
  EXPECT_EQ(refused([](BlockedTrailer& t, BlockEntry&) { t.columns = kMostCacheCount; }),
            fmt::format("f: weights for {} features do not fit into this machine's memory", kMostCacheCount));
  EXPECT_EQ(refused([](BlockedTrailer& t, BlockEntry&) { t.file_bytes += 64; }),
            fmt::format("f: {} bytes, but {} by its end", bytes.size(), bytes.size() + 64));
  EXPECT_EQ(refused([](BlockedTrailer& t, BlockEntry&) { t.blocks = 2; }),
            fmt::format("f: the directory of 2 blocks does not fit into {} bytes", bytes.size()));
  for (const auto& change : std::vector<std::function<void(BlockedTrailer&, BlockEntry&)>>{
           [](BlockedTrailer&, BlockEntry& b) { b.begin = 128; }, [](BlockedTrailer&, BlockEntry& b) { b.rows = 0; },
           [](BlockedTrailer&, BlockEntry& b) { b.first_row = 1; },
           [](BlockedTrailer&, BlockEntry& b) { b.entries = -1; },
           [](BlockedTrailer&, BlockEntry& b) { b.entries = kMostCacheCount; },
           [](BlockedTrailer&, BlockEntry& b) { b.columns = 5; },
           [](BlockedTrailer&, BlockEntry& b) { b.value_bytes = 3; },
           [](BlockedTrailer&, BlockEntry& b) { b.index_bytes = 0; },
           [](BlockedTrailer&, BlockEntry& b) { b.layout = CacheLayout::dense; },
           [](BlockedTrailer&, BlockEntry& b) { b.layout = CacheLayout{2}; },
           [](BlockedTrailer&, BlockEntry& b) { b.reserved[0] = 1; }})
    EXPECT_EQ(refused(change), "f: block 1 of 1: its entry in the directory cannot be true");
}

TEST(BlockFile, RefusesLinesThatBreakTheRules) {
  const std::string bytes = blocks_of(small());
  const BlockParts parts = parts_in(bytes);
  EXPECT_EQ(refusal(with_number(bytes, 8, Index{9})),
            "f: block 1 of 1: matrix offsets: 9 after 0 breaks the rule: never descending");
  EXPECT_EQ(refusal(with_number(bytes, parts.indices + 4, std::int32_t{7})),
            "f: block 1 of 1: matrix indices: 7 in line 0 breaks the rule: 0 .. 3");
  EXPECT_EQ(refusal(with_number(bytes, parts.values, std::nanf(""))),
            "f: block 1 of 1: matrix values: entry 0 is nan breaks the rule: finite numbers");
  EXPECT_EQ(refusal(with_number(bytes, parts.targets, std::nan(""))),
            "f: block 1 of 1: target: nan breaks the rule: a finite number");
}

TEST(BlockFile, ThatIsCutOrChangedWhileItIsStreamedIsLost) {
  const TemporaryFolder folder;
  const std::string bytes = blocks_of(parse_libsvm(long_text(), "f"), 500);
  const auto lost = [](const Dataset& data) -> std::string {
    try {
      data.A->visit_rows([](Index, const Lines&) {});
    } catch (const DataLost& error) {
      return error.what();
    }
    return "nothing";
  };
  const std::string path = folder.write("data.pdb", bytes);
  const Dataset data = open_streamed(path);
  EXPECT_EQ(lost(data), "nothing");
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(2000) << "x";
  EXPECT_NE(lost(data).find(path + ": block "), std::string::npos);
  EXPECT_NE(lost(data).find("is damaged (its checksum does not match)"), std::string::npos);
  std::filesystem::resize_file(path, 1000);
  EXPECT_EQ(lost(data), fmt::format("{}: ends at byte 1000 of {}; it was cut meanwhile", path, bytes.size()));
  std::filesystem::remove(path);
}

TEST(BlockFile, AVisitorMayThrow) {
  const TemporaryFolder folder;
  const Dataset data = open_streamed(folder.write("data.pdb", blocks_of(parse_libsvm(long_text(), "f"), 500)));
  EXPECT_THROW(data.A->visit_rows([](Index, const Lines&) { throw std::runtime_error("enough"); }), std::runtime_error);
  EXPECT_EQ(streamed_rows(data).size(), 100U);
}

TEST(WriteBlocks, StreamsTextOfSeveralFiles) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.txt", "1 1:1\n-1 2:0.5\n"), b = folder.write("b.txt", "1 3:0.1\n");
  write_blocks(folder.path("out.pdb"), {b, a}, {.threads = 3, .min_features = 7}, kLeastMemory);
  const Dataset data = read_dataset(folder.path("out.pdb"));
  EXPECT_EQ(rows_of(data), rows_of(parse_libsvm("1 3:0.1\n1 1:1\n-1 2:0.5\n", "f")));
  EXPECT_EQ(data.A->columns(), 7);
  write_blocks(folder.path("again.pdb"), {folder.path("out.pdb"), a}, {}, kLeastMemory);
  EXPECT_EQ(rows_of(read_dataset(folder.path("again.pdb"))),
            rows_of(parse_libsvm("1 3:0.1\n1 1:1\n-1 2:0.5\n1 1:1\n-1 2:0.5\n", "f")));
  write_blocks(folder.path("copy.pdb"), open_streamed(folder.path("out.pdb")));
  EXPECT_EQ(folder.read("copy.pdb"), folder.read("out.pdb"));
}

TEST(WriteBlocks, TakesOtherFormatsThatFit) {
  const TemporaryFolder folder;
  const std::string csv = folder.write("a.csv", "1,2,3\n-1,0,4\n");
  write_blocks(folder.path("out.pdb"), {csv}, {}, kLeastMemory);
  EXPECT_EQ(rows_of(read_dataset(folder.path("out.pdb"))), rows_of(read_dataset(csv)));
  std::string large = "1,2,3\n";
  for (int k = 0; k < 21; ++k) large += large;
  const std::string too_large = folder.write("b.csv", large);
  EXPECT_EQ(message_of([&] { write_blocks(folder.path("out.pdb"), {too_large}, {}, kLeastMemory); }),
            too_large +
                ": files in this format are read whole, which may take 96 MiB, more than the 64 MiB of memory "
                "that are given; LIBSVM's text is read in pieces");
}

TEST(WriteBlocks, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string a = folder.write("a.txt", "1 1:1\n"), none = folder.write("none.txt", "# nothing\n");
  const std::string bad = folder.write("bad.txt", "1 1:1\n1 1:x\n");
  const auto refused = [&](const std::vector<std::string>& files, const ReadOptions& options = {},
                           Index memory = kLeastMemory) {
    return message_of([&] { write_blocks(folder.path("out.pdb"), files, options, memory); });
  };
  EXPECT_EQ(refused({a}, {}, kLeastMemory - 1), "memory: 67108863 bytes breaks the rule: at least 64 MiB");
  EXPECT_EQ(refused({}), "data: no file breaks the rule: at least one");
  EXPECT_EQ(refused({a}, {.classes = std::array{0.0, 1.0}}),
            "classes: given breaks the rule: none for a given amount of memory");
  EXPECT_EQ(refused({a}, {.rows = ReadOptions::RowRange{0, 1}}),
            "rows: given breaks the rule: none for a given amount of memory");
  EXPECT_EQ(refused({a, none}), none + ": no samples");
  EXPECT_EQ(refused({a, bad}).substr(0, bad.size() + 5), bad + ":2:5:");
  EXPECT_EQ(refused({a}, {.labels = "x"}), "labels: x breaks the rule: only for data that hold no labels themselves");
  EXPECT_EQ(folder.files(), 3U);
}

TEST(MatchingFiles, AreInTheOrderOfTheirNames) {
  const TemporaryFolder folder;
  for (const char* name : {"part-2", "part-10", "part-1", "other", "what?"}) folder.write(name, "x");
  EXPECT_EQ(matching_files(folder.path("part-*")),
            (std::vector{folder.path("part-1"), folder.path("part-10"), folder.path("part-2")}));
  EXPECT_EQ(matching_files(folder.path("what?")), std::vector{folder.path("what?")});
  EXPECT_EQ(matching_files(folder.path("absent")), std::vector{folder.path("absent")});
  EXPECT_EQ(message_of([&] { static_cast<void>(matching_files(folder.path("absent*"))); }),
            fmt::format("no file matches '{}'", folder.path("absent*")));
}

TEST(UsableMemory, IsTheLeastOfAllLimits) {
  const TemporaryFolder folder;
  EXPECT_LE(usable_memory(), machine_memory_bytes());
  EXPECT_GT(usable_memory(), 0);
  std::filesystem::create_directories(folder.path("a/b"));
  std::filesystem::create_directories(folder.path("memory/c"));
  folder.write("a/b/memory.max", "max\n");
  folder.write("a/memory.max", "3000\n");
  folder.write("memory.max", "5000\n");
  folder.write("memory/c/memory.limit_in_bytes", "2000\n");
  const std::string root = folder.path("");
  const Index none = std::numeric_limits<Index>::max();
  EXPECT_EQ(control_group_limit("0::/a/b\n", root), 3000);
  EXPECT_EQ(control_group_limit("0::/elsewhere\n", root), 5000);
  EXPECT_EQ(control_group_limit("7:cpu,memory:/c\n0::/\n", root), 2000);
  EXPECT_EQ(control_group_limit("7:cpu:/c\nnonsense\n", root), none);
  EXPECT_EQ(control_group_limit("", root), none);
}

}  // namespace block_file_test
}  // namespace pdbfw::test
