// Cache files: what is written is read back to the last bit, and whatever is wrong with a file is said.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "base/checksum.hpp"
#include "base/machine_memory.hpp"
#include "io/bytes/checked_file.hpp"
#include "io/cache/cache_format.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/message.hpp"
#include "io/rows.hpp"
#include "io/seal_cache.hpp"
#include "io/temporary_folder.hpp"
#include "pdbfw/pdbfw.hpp"

namespace pdbfw::test {
namespace cache_file_test {

std::string cache_of(const Dataset& data) {
  MemorySink sink;
  write_cache_to(sink, "f", data);
  return sink.text();
}

Dataset open(const std::string& bytes, const ReadOptions& options = {}) {
  return open_cache(loaded(bytes), "f", options);
}

std::string refusal(const std::string& bytes, const ReadOptions& options = {}) {
  return message_of([&] { static_cast<void>(open(bytes, options)); });
}

// Three rows, one of them empty, and four columns, one of them empty.
Dataset small() { return parse_libsvm("1 1:0.5 4:-2\n-1\n1 2:3 4:0\n", "f"); }
Dataset small_dense() { return parse_libsvm("1 1:1 2:2 3:3\n-1 1:4 2:5 3:6\n", "f"); }

// The file of small() after a change in one section, with good checksums.
template <class T>
std::string with_number(CacheSection section, std::size_t k, T number, const Dataset& data = small()) {
  std::string bytes = cache_of(data);
  const auto begin = header_in(bytes).sections[static_cast<std::size_t>(section)].begin;
  std::memcpy(bytes.data() + begin + k * sizeof(T), &number, sizeof(T));
  return sealed(bytes);
}

std::string with_header(const std::function<void(CacheHeader&)>& change, const Dataset& data = small()) {
  std::string bytes = cache_of(data);
  CacheHeader header = header_in(bytes);
  change(header);
  put_header(bytes, header);
  return sealed(bytes);
}

// Any finite number, all bit patterns alike.
template <class Value, class Bits>
Value random_value() {
  const auto value = std::bit_cast<Value>(*rc::gen::arbitrary<Bits>());
  return std::isfinite(value) ? value : Value{-0.0};
}

template <class Value, class Bits, class Entry>
Dataset random_sparse() {
  std::vector<Index> offsets{0};
  std::vector<Entry> at;
  std::vector<Value> value;
  const auto lines = *rc::gen::inRange<Index>(1, 8);
  const auto length = *rc::gen::inRange<Entry>(1, 30);
  for (Index i = 0; i < lines; ++i) {
    for (Entry j = 0; j < length; ++j)
      if (*rc::gen::inRange(0, 3) == 0) at.push_back(j);
    while (value.size() < at.size()) value.push_back(random_value<Value, Bits>());
    offsets.push_back(static_cast<Index>(at.size()));
  }
  MatrixPtr A = own_csr<Value, Entry>(lines, length, offsets, at, value);
  if (*rc::gen::arbitrary<bool>())
    A = std::make_shared<const DataMatrix>(A->by_row(), DataMatrix::Orientation::by_column, A);
  std::vector<double> target;
  while (static_cast<Index>(target.size()) < A->rows()) target.push_back(random_value<double, std::uint64_t>());
  return {A, target};
}

template <class Value, class Bits>
Dataset random_dense() {
  const auto rows = *rc::gen::inRange<Index>(1, 9), columns = *rc::gen::inRange<Index>(0, 9);
  std::vector<Value> value(static_cast<std::size_t>(rows * columns));
  for (Value& v : value) v = random_value<Value, Bits>();
  std::vector<double> target(static_cast<std::size_t>(rows));
  for (double& t : target) t = random_value<double, std::uint64_t>();
  return {own_dense_rows<Value>(rows, columns, value), target};
}

// Files hold all there is, so equal files are equal data sets, types and bits included.
void expect_round_trip(const Dataset& data) {
  const std::string bytes = cache_of(data);
  const Dataset back = open(bytes, {.threads = 2});
  RC_ASSERT(cache_of(back) == bytes);
  RC_ASSERT(back.A->by_row().index() == data.A->by_row().index());
  RC_ASSERT(back.A->by_column().index() == data.A->by_column().index());
  RC_ASSERT(back.A->columns() == data.A->columns());
}

RC_GTEST_PROP(CacheFile, SparseDataReadBackExactly, ()) {
  expect_round_trip(random_sparse<double, std::uint64_t, std::int32_t>());
  expect_round_trip(random_sparse<double, std::uint64_t, std::int64_t>());
  expect_round_trip(random_sparse<float, std::uint32_t, std::int32_t>());
  expect_round_trip(random_sparse<float, std::uint32_t, std::int64_t>());
}

RC_GTEST_PROP(CacheFile, DenseDataReadBackExactly, ()) {
  expect_round_trip(random_dense<double, std::uint64_t>());
  expect_round_trip(random_dense<float, std::uint32_t>());
}

TEST(CacheFile, KeepsEmptyRowsAndColumnsAndZeros) {
  const Dataset back = open(cache_of(small()));
  EXPECT_EQ(rows_of(back), rows_of(small()));
  EXPECT_EQ(back.A->columns(), 4);
  EXPECT_EQ(back.A->nonzeros(), 4);
}

TEST(CacheFile, KeepsTheWidthThatTextWouldLose) {
  const Dataset wide = parse_libsvm("1 1:1\n", "f", {.threads = 1, .float32 = false, .min_features = 7});
  EXPECT_EQ(open(cache_of(wide)).A->columns(), 7);
}

TEST(CacheFile, MayHaveNoFeatures) {
  const Dataset none = parse_libsvm("1\n-1\n", "f");
  EXPECT_EQ(none.A->columns(), 0);
  EXPECT_EQ(rows_of(open(cache_of(none))), rows_of(none));
}

TEST(CacheFile, MayBeLongerThanAChunkOfTheChecksum) {
  std::vector<double> value(300'000);
  for (std::size_t k = 0; k < value.size(); ++k) value[k] = static_cast<double>(k);
  const Dataset data{own_dense_rows<double>(3'000, 100, value), std::vector<double>(3'000, 1.0)};
  const std::string bytes = cache_of(data);
  for (const int threads : {1, 3}) EXPECT_TRUE(cache_of(open(bytes, {.threads = threads})) == bytes);
}

TEST(CacheFile, ChecksumIsXxh3) {
  EXPECT_EQ(checksum({}), 0x2D06800538D394C2U);
  EXPECT_EQ(chunked_checksum({}, 1), checksum({}));
  EXPECT_EQ(ChecksumSink().value(), checksum({}));
}

// The same arrays, so the same bits of every result.
TEST(CacheFile, EverySolverGivesTheBitsThatTextGives) {
  const Dataset text = generate({.rows = 200, .features = 300, .row_nonzeros = 20, .support = 10}).data;
  const Dataset cache = open(cache_of(text));
  for (const std::string_view solver : solver_names()) {
    const Settings settings{.tol = 1e-5, .solver = std::string(solver), .max_iterations = 500};
    const Result from_text = solve(make_problem(text.A, text.target, Formulation{}), settings);
    const Result from_cache = solve(make_problem(cache.A, cache.target, Formulation{}), settings);
    EXPECT_EQ(from_text.x, from_cache.x) << solver;
    EXPECT_EQ(from_text.y, from_cache.y) << solver;
    EXPECT_EQ(from_text.certificate.gap, from_cache.certificate.gap) << solver;
  }
}

TEST(CacheFile, IsKnownByItsBytesNotItsName) {
  const TemporaryFolder folder;
  const std::string path = folder.path("data.txt");
  write_cache(path, small());
  EXPECT_EQ(folder.files(), 1U);
  EXPECT_EQ(rows_of(read_dataset(path)), rows_of(small()));
  EXPECT_EQ(folder.read("data.txt").substr(0, 8), "\x89PDB\r\n\x1a\n");
}

TEST(CacheFile, TheDataOutliveTheName) {
  const TemporaryFolder folder;
  write_cache(folder.path("a.pdb"), small());
  const Dataset data = read_dataset(folder.path("a.pdb"));
  write_cache(folder.path("a.pdb"), small_dense());
  EXPECT_EQ(rows_of(data), rows_of(small())) << "replaced";
  std::filesystem::remove(folder.path("a.pdb"));
  EXPECT_EQ(rows_of(data), rows_of(small())) << "removed";
}

// Calls `use` with the name of a pipe that `bytes` come through.
void through_a_pipe(const std::string& bytes, const std::function<void(const std::string&)>& use) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path, std::ios::binary) << bytes; });
  use(path);
  writer.join();
}

TEST(CacheFile, ComesThroughAPipeToo) {
  std::string bytes = cache_of(generate({.rows = 3'000, .features = 500}).data);
  const std::size_t size = bytes.size();
  ASSERT_GT(size, 1'000'000U);
  through_a_pipe(bytes, [&](const std::string& path) { EXPECT_TRUE(cache_of(read_dataset(path)) == bytes); });
  bytes.pop_back();
  through_a_pipe(bytes, [&](const std::string& path) {
    EXPECT_EQ(message_of([&] { static_cast<void>(read_dataset(path)); }),
              fmt::format("{}: {} bytes, but {} by its header (truncated file?)", path, size - 1, size));
  });
  bytes += "..";
  through_a_pipe(bytes, [&](const std::string& path) {
    EXPECT_EQ(message_of([&] { static_cast<void>(read_dataset(path)); }),
              fmt::format("{}: longer than the {} bytes by its header", path, size));
  });
}

TEST(CacheFile, Float32NarrowsAsFromText) {
  const std::string text = "1 1:0.1 3:-2.3e-41\n-1 2:0.30000000000000004\n";
  const ReadOptions narrow{.threads = 1, .float32 = true};
  EXPECT_EQ(cache_of(open(cache_of(parse_libsvm(text, "f")), narrow)), cache_of(parse_libsvm(text, "f", narrow)));
  EXPECT_EQ(cache_of(open(cache_of(small_dense()), narrow)),
            cache_of(parse_libsvm("1 1:1 2:2 3:3\n-1 1:4 2:5 3:6\n", "f", narrow)));
  const std::string floats = cache_of(parse_libsvm(text, "f", narrow));
  EXPECT_EQ(cache_of(open(floats, narrow)), floats);
  EXPECT_EQ(cache_of(open(floats)), floats) << "what holds floats stays";
  EXPECT_EQ(refusal(cache_of(parse_libsvm("1 1:1 3:-1e300", "f")), narrow),
            "f: value -1e+300 is beyond the largest float, about 3.4e38");
}

TEST(CacheFile, MinFeaturesWidens) {
  const ReadOptions wide{.threads = 1, .float32 = false, .min_features = 9};
  for (const Dataset& data : {small(), small_dense()}) {
    const Dataset back = open(cache_of(data), wide);
    EXPECT_EQ(back.A->columns(), 9);
    EXPECT_FALSE(back.A->is_dense());
    EXPECT_EQ(rows_of(back), rows_of(data));
    EXPECT_EQ(std::visit([](const auto& columns) { return columns.count; }, back.A->by_column()), 9);
  }
  EXPECT_EQ(open(cache_of(small()), {.threads = 1, .float32 = false, .min_features = 2}).A->columns(), 4);
  EXPECT_EQ(refusal(cache_of(small()), {.threads = 1, .float32 = false, .min_features = -1}),
            fmt::format("min_features: -1 breaks the rule: 0 .. {}, which this machine's memory can hold",
                        most_features_in_memory()));
}

TEST(CacheFile, EveryChangedByteIsNoticed) {
  for (const Dataset& data : {small(), small_dense()}) {
    const std::string bytes = cache_of(data);
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      std::string damaged = bytes;
      damaged[k] = static_cast<char>(damaged[k] ^ 0x10);
      EXPECT_THROW(static_cast<void>(open(damaged)), InputError) << "byte " << k;
    }
  }
}

TEST(CacheFile, EveryCutIsNoticed) {
  const std::string bytes = cache_of(small());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(refusal(bytes.substr(0, size)).find("(truncated file?)"), std::string::npos) << size;
  EXPECT_EQ(refusal(bytes.substr(0, 100)), "f: 100 bytes are too few for the header of a cache file (truncated file?)");
  EXPECT_EQ(refusal(bytes.substr(0, 300)), "f: 300 bytes, but 640 by its header (truncated file?)");
  EXPECT_EQ(refusal(bytes + "x"), "f: longer than the 640 bytes by its header");
}

TEST(CacheFile, DamageIsNamed) {
  std::string bytes = cache_of(small());
  bytes[20] = 1;
  EXPECT_EQ(refusal(bytes), "f: the header is damaged (its checksum does not match)");
  bytes = cache_of(small());
  bytes.back() = 1;
  EXPECT_EQ(refusal(bytes), "f: the data are damaged (their checksum does not match)");
}

TEST(CacheFile, OtherVersionsAreRefused) {
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.version = 3; })),
            "f: written by a newer pdbfw: this is version 3 of the cache format, and versions up to 2 are known");
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.version = 0; })),
            "f: version 0 of the cache format does not exist");
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.magic[0] = 'x'; })), "f: not a cache file");
}

TEST(CacheFile, BigEndianMachinesAreRefused) {
  EXPECT_EQ(message_of([] { require_little_endian("f", std::endian::big); }),
            "f: cache files need a little-endian machine, and this one is not");
}

TEST(CacheFile, CountsThatCannotBeAreRefused) {
  constexpr Index kHuge = std::numeric_limits<Index>::max();
  const std::string most = "f: the header says {} rows, {} features and {} entries; each must be in 0 .. 2^48";
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.rows = -1; })), fmt::format(fmt::runtime(most), -1, 4, 4));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.columns = kHuge; })),
            fmt::format(fmt::runtime(most), 3, kHuge, 4));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.entries = kMostCacheCount + 1; })),
            fmt::format(fmt::runtime(most), 3, 4, kMostCacheCount + 1));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.rows = 0; })), "f: no samples");
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.columns = kMostCacheCount; })),
            fmt::format("f: weights for {} features do not fit into this machine's memory", kMostCacheCount));
}

TEST(CacheFile, SectionsThatDoNotFitAreRefused) {
  const std::string message = "f: the sections in the header do not fit 3 rows, 4 features and {} entries";
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.entries = 5; })), fmt::format(fmt::runtime(message), 5));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.sections[2].begin += 64; })),
            fmt::format(fmt::runtime(message), 4));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.sections[6].bytes = ~std::uint64_t{0}; })),
            fmt::format(fmt::runtime(message), 4));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.file_bytes = 0; })), fmt::format(fmt::runtime(message), 4));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.reserved_too = 1; })), fmt::format(fmt::runtime(message), 4));
}

TEST(CacheFile, KindsThatThereAreNotAreRefused) {
  const auto message = [](int layout, int values, int in_rows, int in_columns) {
    return fmt::format(
        "f: the header names no storage that there is (layout {}, values of {} bytes, indices of {} and {})", layout,
        values, in_rows, in_columns);
  };
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.layout = CacheLayout{2}; })), message(2, 8, 4, 4));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.layout = CacheLayout::dense; })), message(1, 8, 4, 4));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.value_bytes = 2; })), message(0, 2, 4, 4));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.row_index_bytes = 0; })), message(0, 8, 0, 4));
  EXPECT_EQ(refusal(with_header([](CacheHeader& h) { h.column_index_bytes = 16; })), message(0, 8, 4, 16));
}

TEST(CacheFile, MatricesThatBreakARuleAreRefused) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(with_number<Index>(CacheSection::row_offsets, 1, 9)),
            "f: matrix offsets: 9 after 0 breaks the rule: never descending");
  EXPECT_EQ(refusal(with_number<std::int32_t>(CacheSection::row_indices, 1, 4)),
            "f: matrix indices: 4 in line 0 breaks the rule: 0 .. 3");
  EXPECT_EQ(refusal(with_number<std::int32_t>(CacheSection::row_indices, 2, 3)),
            "f: matrix indices: 3 after 3 in line 2 breaks the rule: strictly ascending inside a line");
  EXPECT_EQ(refusal(with_number<double>(CacheSection::row_values, 1, kNaN)),
            "f: matrix values: entry 1 is nan breaks the rule: finite numbers");
  EXPECT_EQ(refusal(with_number<std::int32_t>(CacheSection::column_indices, 0, -1)),
            "f: matrix indices: -1 in line 0 breaks the rule: 0 .. 2");
  EXPECT_EQ(refusal(with_number<double>(CacheSection::targets, 0, kNaN)),
            "f: target: nan breaks the rule: a finite number");
  const std::string bytes = with_header(
      [](CacheHeader& h) {
        h.columns = 4;
        lay_out(h);
      },
      small_dense());
  EXPECT_EQ(refusal(bytes), "f: matrix values: 6 of them breaks the rule: 2 x 4");
}

TEST(CacheFile, ColumnsThatAreNotThoseOfTheRowsAreRefused) {
  const std::string message =
      "f: matrix columns: entries that differ from those of the rows breaks the rule: the same matrix";
  EXPECT_EQ(refusal(with_number<double>(CacheSection::column_values, 0, 0.25)), message);
  EXPECT_EQ(refusal(with_number<std::int32_t>(CacheSection::column_indices, 0, 1)), message);
  EXPECT_EQ(refusal(with_number<double>(CacheSection::column_values, 3, -0.0)), message) << "-0 is not 0";
  EXPECT_EQ(refusal(with_number<double>(CacheSection::column_values, 0, 7, small_dense())), message);
}

TEST(CacheFile, RefusesWhatCouldNotBeReadBack) {
  const TemporaryFolder folder;
  Dataset data = small();
  data.target[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of([&] { write_cache(folder.path("a.pdb"), data); }),
            "target: inf breaks the rule: a finite number");
  data.target.clear();
  EXPECT_EQ(message_of([&] { write_cache(folder.path("a.pdb"), data); }),
            "target: 0 of them breaks the rule: one for each row of the matrix");
  const Dataset none{own_dense_rows<double>(0, 3, {}), {}};
  EXPECT_EQ(message_of([&] { write_cache(folder.path("a.pdb"), none); }),
            "matrix rows: 0 breaks the rule: a cache file has at least one");
  EXPECT_EQ(folder.files(), 0U);
}

TEST(CacheFile, AFullDiskIsNamed) {
  EXPECT_EQ(message_of([] { write_cache("/dev/full", small()); }), "cannot write '/dev/full': No space left on device");
}

}  // namespace cache_file_test
}  // namespace pdbfw::test
