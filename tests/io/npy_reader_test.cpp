#include "io/data/npy_reader.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "io/binary_formats.hpp"
#include "io/compress.hpp"
#include "io/message.hpp"
#include "io/rows.hpp"
#include "io/temporary_folder.hpp"

namespace pdbfw::test {
namespace npy_reader_test {

using Rows = std::vector<reference::Row>;
using Doubles = std::vector<double>;

Dataset read(const std::string& bytes, const GivenTargets& targets = {{1, 2}}, const ReadOptions& options = {}) {
  return open_npy(loaded(bytes), "f", options, targets);
}
std::string refusal(const std::string& bytes, const GivenTargets& targets = {{1, 2}}, const ReadOptions& options = {}) {
  return message_of([&] { static_cast<void>(read(bytes, targets, options)); });
}

Dataset read_npz(const Members& members, const GivenTargets& targets = {{1, 2}}, const ReadOptions& options = {}) {
  return open_npz(loaded(zip_bytes(members)), "f", options, targets);
}
std::string npz_refusal(const Members& members, const GivenTargets& targets = {{1, 2}}) {
  return message_of([&] { static_cast<void>(read_npz(members, targets)); });
}

const Rows kRows{{1, {{0, 1}, {1, 2}, {2, 3}}}, {2, {{0, 4}, {1, 5}, {2, 6}}}};

TEST(NpyReader, BothOrdersAllVersions) {
  for (const char version : {'\1', '\2', '\3'})
    EXPECT_EQ(rows_of(read(npy_bytes("<f8", "(2, 3)", Doubles{1, 2, 3, 4, 5, 6}, false, version))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes("<f8", "(2, 3)", Doubles{1, 4, 2, 5, 3, 6}, true))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes("<f8", "(2L, 3L,)", Doubles{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes("<f8", "(2, 1, 3)", Doubles{1, 2, 3, 4, 5, 6}))), kRows) << "images";
}

TEST(NpyReader, EveryTypeOfNumber) {
  EXPECT_EQ(rows_of(read(npy_bytes("<f4", "(2, 3)", std::vector<float>{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes(">f4", "(2, 3)", std::vector<float>{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes(">f8", "(2, 3)", Doubles{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes("<i8", "(2, 3)", std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes(">i4", "(2, 3)", std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes("<i2", "(2, 3)", std::vector<std::int16_t>{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes("|i1", "(2, 3)", std::vector<std::int8_t>{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes("<u8", "(2, 3)", std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes("<u4", "(2, 3)", std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes(">u2", "(2, 3)", std::vector<std::uint16_t>{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes("|u1", "(2, 3)", std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}))), kRows);
  EXPECT_EQ(rows_of(read(npy_bytes("|b1", "(1, 2)", std::vector<std::uint8_t>{0, 1}), {{7}})),
            (Rows{{7, {{0, 0}, {1, 1}}}}));
}

TEST(NpyReader, FloatsStayFloatsInPlace) {
  const LoadedFile file = loaded(npy_bytes("<f4", "(2, 3)", std::vector<float>{1, 2, 3, 4, 5, 6}));
  const Dataset data = open_npy(file, "f", {}, {{1, 2}});
  const auto* const lines = std::get_if<DenseLines<float>>(&data.A->by_row());
  ASSERT_NE(lines, nullptr);
  const std::byte* const place = reinterpret_cast<const std::byte*>(lines->value.data());
  EXPECT_TRUE(place >= file.bytes.data() && place < file.bytes.data() + file.bytes.size()) << "no copy";
  const Dataset narrow = read(npy_bytes("<i4", "(2, 1)", std::vector<std::int32_t>{1, 2}), {{1, 2}}, {.float32 = true});
  EXPECT_TRUE(std::holds_alternative<DenseLines<float>>(narrow.A->by_row()));
  EXPECT_EQ(read(npy_bytes("<f8", "(2, 1)", Doubles{1, 2}), {{1, 2}}, {.min_features = 4}).A->columns(), 4);
}

TEST(NpyReader, WithoutTargetsWhereNoneAreNeeded) {
  const Dataset data = read(npy_bytes("<f8", "(2, 1)", Doubles{3, 4}), {}, {.needs_targets = false});
  EXPECT_EQ(rows_of(data), (Rows{{0, {{0, 3}}}, {0, {{0, 4}}}}));
}

TEST(NpyReader, Mistakes) {
  const std::string good = npy_bytes("<f8", "(2, 1)", Doubles{1, 2});
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_NE(refusal(good.substr(0, size)), "") << size;
  EXPECT_EQ(refusal(good.substr(0, good.size() - 1)),
            "f: 15 bytes of elements, but the shape (2, 1) of '<f8' has 16 (truncated file?)");
  EXPECT_EQ(refusal(good + "x"), "f: 17 bytes of elements, but the shape (2, 1) of '<f8' has 16");
  EXPECT_EQ(refusal("1 1:1\n\n\n\n"), "f: does not begin like a .npy file");
  EXPECT_EQ(refusal(npy_with_header("{}", "", 4)), "f: version 4 of the .npy format is not known");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(2, 1)", Doubles{1, 2}), {{1}}), "f: 2 rows, but 1 labels are given");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(2, 1)", Doubles{1, 2}), {}),
            "f: these data hold no labels: name their file as labels");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(2,)", Doubles{1, 2})),
            "f: the shape (2,); data have two dimensions, rows and columns");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(1, 1, 2)", Doubles{1, 2}, true)),
            "f: the shape (1, 1, 2) in Fortran order; that is for two dimensions");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(0, 2)", Doubles{})), "f: no samples");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(2, 0)", Doubles{})), "f: no columns");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(200000000, 200000000)", Doubles{})),
            "f: the shape (200000000, 200000000) is too large");
  const std::string huge = "200000000000000";  // times itself it is beyond 2^63, often enough beyond any double
  std::string sizes;
  for (int k = 0; k < 25; ++k) sizes += huge + ", ";
  EXPECT_EQ(refusal(npy_bytes("<f8", "(0, " + sizes + ")", Doubles{})), "f: no samples");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(" + sizes + "0)", Doubles{})), "f: no columns");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(2, " + huge + ", " + huge + ", 0)", Doubles{})), "f: no columns");
  EXPECT_TRUE(refusal(npy_bytes("<f8", "(" + sizes + ")", Doubles{})).ends_with(") is too large"));
  EXPECT_EQ(refusal(npy_bytes("<c16", "(1, 1)", Doubles{1, 2}), {{1}}),
            "f: elements of the type '<c16'; float32, float64, whole numbers of 8 to 64 bits and bool can be read");
  EXPECT_EQ(refusal(npy_bytes("|O", "(1, 1)", Doubles{1})), "f: elements of the type '|O', which are no numbers");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(2, 1)", Doubles{1, std::numeric_limits<double>::infinity()})),
            "f: row 2, column 1: inf is not a finite number");
  EXPECT_EQ(refusal(npy_bytes("<f8", "(1, 2)", Doubles{1, std::numeric_limits<double>::quiet_NaN()}, true), {{1}}),
            "f: row 1, column 2: nan is not a finite number");
  EXPECT_NE(refusal(npy_bytes("<f8", "(2, 1)", Doubles{1, 1e300}), {{1, 2}}, {.float32 = true}).find("largest float"),
            std::string::npos);
}

TEST(NpyReader, BrokenHeaders) {
  const auto broken = [](const std::string& header) {
    const std::string message = refusal(npy_with_header(header, ""));
    const std::string prefix = "f: the header of the array is broken: ";
    EXPECT_TRUE(message.starts_with(prefix)) << message;
    return message.substr(std::min(prefix.size(), message.size()));
  };
  EXPECT_EQ(broken(""), "no '{' before ''");
  EXPECT_EQ(broken("{'descr': '<f8'}"), "one of the keys 'descr', 'fortran_order' and 'shape' is missing");
  EXPECT_EQ(broken("{'descr': '<f8', 'descr': '<f8'}"), "the key 'descr' stands twice");
  EXPECT_EQ(broken("{'order': 1}"), "the key 'order' is not known");
  EXPECT_EQ(broken("{descr: 1}"), "'descr: 1}' is not a key in quotes");
  EXPECT_EQ(broken("{'descr': '<f8"), "''<f8' is not a type in quotes");
  EXPECT_EQ(broken("{'descr' '<f8'}"), "no ':' before ''<f8'}'");
  EXPECT_EQ(broken("{'descr': '<f8' 'shape': ()}"), "there is no comma between two keys");
  EXPECT_EQ(broken("{'fortran_order': 1}"), "'fortran_order' is neither True nor False but '1}'");
  for (const char* shape : {"(-1, 2)", "(x,)", "(99999999999999999999,)", "(1 2)", "("})
    EXPECT_NE(broken(std::string("{'shape': ") + shape).find("is no shape of whole numbers"), std::string::npos);
  EXPECT_EQ(broken("{'descr': '<f8', 'fortran_order': False, 'shape': ()} 1"), "something follows the dictionary");
  EXPECT_EQ(refusal(npy_with_header("{'descr': [('a', '<f8')]}", "")),
            "f: a structured array; only plain numbers can be read");
}

TEST(NpyReader, Labels) {
  const auto labels = [](const std::string& bytes) {
    MemorySource source(bytes);
    return npy_labels(read_npy_array(source, "f"));
  };
  EXPECT_EQ(labels(npy_bytes("<i8", "(2,)", std::vector<std::int64_t>{-1, 1})), (Doubles{-1, 1}));
  EXPECT_EQ(labels(npy_bytes("<f8", "(2, 1)", Doubles{-1, 1})), (Doubles{-1, 1}));
  EXPECT_EQ(message_of([&] {
              labels(npy_bytes("<f8", "(1, 2)", Doubles{-1, 1}));
            }),
            "f: the shape (1, 2); labels have one dimension");
  EXPECT_EQ(message_of([&] { labels(npy_bytes("<f8", "(3,)", Doubles{-1, 1})); }), "f: ends early (truncated file?)");
  EXPECT_EQ(message_of([&] {
              labels(npy_bytes("<f8", "(1,)", Doubles{-1, 1}));
            }),
            "f: more bytes than its header says");
  EXPECT_NE(message_of([&] { labels(npy_bytes("<f8", "(90000000000000,)", Doubles{})); }).find("machine's memory"),
            std::string::npos);
}

// By row (2 x 3): 0 5 -1 / 7 0 0.
Members sparse_members(const std::string& format = "csr") {
  const bool is_csr = format == "csr";
  return {{"indices.npy",
           npy_bytes("<i4", "(3,)", is_csr ? std::vector<std::int32_t>{2, 1, 0} : std::vector<std::int32_t>{1, 0, 0})},
          {"indptr.npy", is_csr ? npy_bytes("<i4", "(3,)", std::vector<std::int32_t>{0, 2, 3})
                                : npy_bytes("<i8", "(4,)", std::vector<std::int64_t>{0, 1, 2, 3})},
          {"format.npy", npy_text_bytes(format)},
          {"shape.npy", npy_bytes("<i8", "(2,)", std::vector<std::int64_t>{2, 3})},
          {"data.npy", npy_bytes("<f8", "(3,)", is_csr ? Doubles{-1, 5, 7} : Doubles{7, 5, -1})}};
}

Members replaced(Members members, const std::string& name, const std::string& content) {
  for (auto& [key, bytes] : members)
    if (key == name + ".npy") bytes = content;
  return members;
}

TEST(NpzReader, SparseMatrices) {
  const Rows expected{{1, {{1, 5}, {2, -1}}}, {2, {{0, 7}}}};
  for (const char* format : {"csr", "csc"}) {
    EXPECT_EQ(rows_of(read_npz(sparse_members(format))), expected) << format;
    const std::string packed = zip_bytes(sparse_members(format), true);
    EXPECT_EQ(rows_of(open_npz(loaded(packed), "f", {}, {{1, 2}})), expected) << format;
  }
  const Members wide =
      replaced(sparse_members(), "indices", npy_bytes("<u2", "(3,)", std::vector<std::uint16_t>{2, 1, 0}));
  EXPECT_EQ(rows_of(read_npz(wide)), expected) << "indices of another type";
  const Members floats = replaced(sparse_members(), "data", npy_bytes("<f4", "(3,)", std::vector<float>{-1, 5, 7}));
  EXPECT_EQ(rows_of(read_npz(floats)), expected);
  EXPECT_TRUE((std::holds_alternative<SparseLines<float, std::int32_t>>(read_npz(floats).A->by_row())));
  const Members unicode = replaced(sparse_members(), "format",
                                   npy_with_header("{'descr': '<U3', 'fortran_order': False, 'shape': (), }",
                                                   std::string("c\0\0\0s\0\0\0r\0\0\0", 12)));
  EXPECT_EQ(rows_of(read_npz(unicode)), expected) << "as Python 3 once wrote it";
  EXPECT_EQ(read_npz(sparse_members(), {{1, 2}}, {.min_features = 9}).A->columns(), 9);
}

TEST(NpzReader, DenseXAndY) {
  const Members members{{"X.npy", npy_bytes("<f8", "(2, 3)", Doubles{1, 2, 3, 4, 5, 6})},
                        {"y.npy", npy_bytes("<i8", "(2,)", std::vector<std::int64_t>{1, 2})}};
  EXPECT_EQ(rows_of(read_npz(members, {})), kRows);
  EXPECT_EQ(read_npz(members, {{5, 6}}).target, (Doubles{5, 6})) << "what is given counts";
  EXPECT_EQ(npz_refusal({members[0]}, {}), "f(X.npy): these data hold no labels: name their file as labels");
  EXPECT_EQ(
      npz_refusal({members[1]}),
      "f: neither a sparse matrix of scipy.sparse.save_npz (data, indices, indptr, shape, format) nor an array X");
}

TEST(NpzReader, MistakesInTheArrays) {
  const Members good = sparse_members();
  const auto with = [&](const std::string& name, const std::string& content) {
    return npz_refusal(replaced(good, name, content));
  };
  EXPECT_EQ(with("format", npy_text_bytes("bsr")),
            "f(format.npy): the format 'bsr'; csr and csc can be read (save A.tocsr())");
  EXPECT_EQ(with("format", npy_bytes("<f8", "()", Doubles{1})),
            "f(format.npy): not one text but elements of the type '<f8' and the shape ()");
  EXPECT_EQ(with("shape", npy_bytes("<i8", "(1,)", std::vector<std::int64_t>{2})),
            "f(shape.npy): not the two numbers of rows and columns");
  EXPECT_EQ(with("shape", npy_bytes("<i8", "(2,)", std::vector<std::int64_t>{2, -3})),
            "f(shape.npy): not the two numbers of rows and columns");
  EXPECT_EQ(with("shape", npy_bytes("<f8", "(2,)", Doubles{2, 3})),
            "f(shape.npy): elements of the type '<f8'; these must be whole numbers");
  EXPECT_EQ(with("shape", npy_bytes("<i8", "(2,)", std::vector<std::int64_t>{1LL << 60, 3})),
            "f: 1152921504606846976 rows, but 2 labels are given");
  EXPECT_NE(with("shape", npy_bytes("<i8", "(2,)", std::vector<std::int64_t>{2, 1LL << 60})).find("machine's memory"),
            std::string::npos);
  EXPECT_EQ(with("shape", npy_bytes("<u8", "(2,)", std::vector<std::uint64_t>{2, 1ULL << 63U})),
            "f(shape.npy): element 1 is 9223372036854775808, beyond 64 bits");
  EXPECT_EQ(with("indptr", npy_bytes("<i4", "(3,)", std::vector<std::int32_t>{0, 9, 3})),
            "f: matrix offsets: 9 after 0 breaks the rule: never descending");
  EXPECT_NE(with("indptr", npy_bytes("<i4", "(2,)", std::vector<std::int32_t>{0, 3})).find("one more than the 2 lines"),
            std::string::npos);
  EXPECT_EQ(with("indices", npy_bytes("<i4", "(3,)", std::vector<std::int32_t>{2, 3, 0})),
            "f: matrix indices: 3 in line 0 breaks the rule: 0 .. 2");
  EXPECT_NE(with("indices", npy_bytes("<i4", "(3,)", std::vector<std::int32_t>{1, 1, 0})).find("1 after 1 in line 0"),
            std::string::npos);
  EXPECT_NE(with("data", npy_bytes("<f8", "(2,)", Doubles{1, 2})).find("as many as values, 2"), std::string::npos);
  EXPECT_EQ(npz_refusal({good[2]}), "f: the archive holds no 'shape.npy'");
}

TEST(NpzReader, DamagedArchives) {
  for (const bool is_deflated : {false, true}) {
    const std::string good = zip_bytes(sparse_members(), is_deflated);
    const Rows expected = rows_of(open_npz(loaded(good), "f", {}, {{1, 2}}));
    for (std::size_t size = 0; size < good.size(); ++size)
      EXPECT_NE(message_of([&] { static_cast<void>(open_npz(loaded(good.substr(0, size)), "f", {}, {{1, 2}})); }), "");
    // A byte that does not matter (a date, a hint) may change; a changed number may not slip through.
    for (std::size_t k = 0; k < good.size(); ++k) {
      std::string damaged = good;
      damaged[k] = static_cast<char>(damaged[k] ^ 0x10);
      try {
        EXPECT_EQ(rows_of(open_npz(loaded(damaged), "f", {}, {{1, 2}})), expected) << k;
      } catch (const InputError&) {
        // as it should be
      }
    }
  }
  std::string stored = zip_bytes({{"X.npy", npy_bytes("<f8", "(2, 1)", Doubles{1, 2})}});
  stored[stored.find("(2, 1)") + 80] ^= 1;
  EXPECT_NE(message_of([&] { static_cast<void>(open_npz(loaded(stored), "f", {}, {{1, 2}})); }), "");
}

TEST(NpyReader, FilesOfEveryKindThroughReadDataset) {
  const TemporaryFolder folder;
  const std::string labels = folder.write("labels", "1\n\n 2 \n");
  const std::string npy = npy_bytes("<f8", "(2, 3)", Doubles{1, 2, 3, 4, 5, 6});
  const ReadOptions options{.labels = labels};
  EXPECT_EQ(rows_of(read_dataset(folder.write("a", npy), options)), kRows) << "the name does not matter";
  EXPECT_EQ(rows_of(read_dataset(folder.write("b.npy.gz", gzip(npy)), options)), kRows);
  EXPECT_EQ(rows_of(read_dataset(folder.write("b.npy.xz", xz(npy)), options)), kRows);
  EXPECT_EQ(rows_of(read_dataset(folder.write("c.npz", zip_bytes({{"X.npy", npy}})), options)), kRows);
  EXPECT_EQ(rows_of(read_dataset(folder.write("c.npz.zst", zstd(zip_bytes({{"X.npy", npy}}))), options)), kRows);
  const std::string mtx = "%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n";
  EXPECT_EQ(rows_of(read_dataset(folder.write("d", mtx), options)), kRows);
  EXPECT_EQ(rows_of(read_dataset(folder.write("d.mtx.bz2", bzip2(mtx)), options)), kRows);
  EXPECT_EQ(rows_of(read_dataset(folder.write("e.csv", "1,2,3\n4,5,6\n"), options)), kRows);
  EXPECT_EQ(rows_of(read_dataset(folder.write("e.tsv.gz", gzip("1\t1\t2\t3\n2\t4\t5\t6\n")))), kRows);
  EXPECT_EQ(rows_of(read_dataset(folder.write("e", "1,1,2,3\n2,4,5,6\n"), {.format = DataFormat::csv})), kRows);
  EXPECT_EQ(read_dataset(folder.write("g", "3 1:1\n5 1:2\n7 1:3\n"), {.classes = {{7, 3}}}).target, (Doubles{1, -1}));

  const auto refused = [&](const std::string& path, const ReadOptions& with) {
    return message_of([&] { static_cast<void>(read_dataset(path, with)); });
  };
  const std::string text = folder.write("h", "1 1:1\n");
  EXPECT_EQ(refused(text, options),
            "labels: " + labels + " breaks the rule: only for data that hold no labels themselves");
  EXPECT_EQ(refused(text, {.label_column = "1"}), "label_column: 1 breaks the rule: only for CSV");
  EXPECT_EQ(refused(text, {.header = ReadOptions::Header::no}), "header: no breaks the rule: only for CSV");
  EXPECT_EQ(refused(folder.path("e.csv"), {.labels = labels, .label_column = "1"}),
            "label_column: 1 breaks the rule: not with a file of labels");
  EXPECT_EQ(refused(folder.write("i.npy", "1 1:1\n"), options),
            folder.path("i.npy") + ": does not begin like a .npy file");
  EXPECT_EQ(refused(folder.write("i.npy", ""), options), folder.path("i.npy") + ": the file is empty");
  EXPECT_EQ(refused(folder.path("a"), {.labels = folder.write("j", "1\nx\n")}),
            folder.path("j") + ":2:1: label 'x' is not a number");
  EXPECT_EQ(refused(folder.path("a"), {.labels = folder.write("j", "1 2\n")}),
            folder.path("j") + ":1:3: '2' is one word too many");
  const std::string bad = npy_bytes("<f8", "(2,)", Doubles{1, std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(refused(folder.path("a"), {.labels = folder.write("j", bad)}),
            folder.path("j") + ": label 2 is nan, not a finite number");
}

}  // namespace npy_reader_test
}  // namespace pdbfw::test
