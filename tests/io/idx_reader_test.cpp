#include "io/data/idx_reader.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "io/binary_formats.hpp"
#include "io/compress.hpp"
#include "io/message.hpp"
#include "io/rows.hpp"
#include "io/temporary_folder.hpp"

namespace pdbfw::test {
namespace idx_reader_test {

using Rows = std::vector<reference::Row>;
using Bytes = std::vector<std::uint8_t>;

Dataset read(const std::string& bytes, const GivenTargets& targets, const ReadOptions& options = {}) {
  MemorySource source(bytes);
  return read_idx(source, "f", options, targets);
}

std::string refusal(const std::string& bytes, const GivenTargets& targets = std::vector{1.0, 2.0},
                    const ReadOptions& options = {}) {
  return message_of([&] { static_cast<void>(read(bytes, targets, options)); });
}

TEST(IdxReader, ImagesAreRowsWithoutTheirZeros) {
  const Dataset data = read(idx_bytes(8, {2, 2, 3}, Bytes{0, 0, 255, 0, 7, 0, 0, 0, 0, 0, 0, 1}), {{5, 9}});
  EXPECT_EQ(data.A->columns(), 6);
  EXPECT_EQ(data.A->nonzeros(), 3);
  EXPECT_EQ(rows_of(data), (Rows{{5, {{2, 255}, {4, 7}}}, {9, {{5, 1}}}}));
}

TEST(IdxReader, AsSoonAsHalfIsNotZeroItIsDense) {
  const Dataset half = read(idx_bytes(8, {2, 2}, Bytes{0, 1, 2, 0}), {{5, 9}});
  EXPECT_TRUE(half.A->is_dense());
  EXPECT_EQ(rows_of(half), (Rows{{5, {{0, 0}, {1, 1}}}, {9, {{0, 2}, {1, 0}}}}));
  EXPECT_FALSE(read(idx_bytes(8, {2, 2}, Bytes{0, 1, 0, 0}), {{5, 9}}).A->is_dense());
  EXPECT_FALSE(read(idx_bytes(8, {2, 2}, Bytes{1, 1, 1, 0}), {{5, 9}}, {.min_features = 3}).A->is_dense());
  EXPECT_EQ(read(idx_bytes(8, {2, 2}, Bytes{1, 1, 1, 0}), {{5, 9}}, {.min_features = 3}).A->columns(), 3);
}

TEST(IdxReader, EveryTypeOfElement) {
  const Rows expected{{1, {{0, -2}, {1, 100}}}};
  EXPECT_EQ(rows_of(read(idx_bytes(9, {1, 2}, std::vector<std::int8_t>{-2, 100}), {{1}})), expected);
  EXPECT_EQ(rows_of(read(idx_bytes(0x0B, {1, 2}, std::vector<std::int16_t>{-2, 100}), {{1}})), expected);
  EXPECT_EQ(rows_of(read(idx_bytes(0x0C, {1, 2}, std::vector<std::int32_t>{-2, 100}), {{1}})), expected);
  EXPECT_EQ(rows_of(read(idx_bytes(0x0D, {1, 2}, std::vector<float>{-2, 100}), {{1}})), expected);
  EXPECT_EQ(rows_of(read(idx_bytes(0x0E, {1, 2}, std::vector<double>{-2, 100}), {{1}})), expected);
  EXPECT_EQ(rows_of(read(idx_bytes(8, {1}, Bytes{200}), {{1}})), (Rows{{1, {{0, 200}}}})) << "one dimension";
}

TEST(IdxReader, RowsLongerThanTheBuffer) {
  std::vector<double> elements(50'000, 0.0);
  elements[1] = 1;
  elements[20'000] = 2;
  elements[24'999] = 3;
  elements[25'000] = 4;
  const Rows rows = rows_of(read(idx_bytes(0x0E, {2, 25'000}, elements), {{1, 2}}));
  EXPECT_EQ(rows, (Rows{{1, {{1, 1}, {20'000, 2}, {24'999, 3}}}, {2, {{0, 4}}}}));
}

TEST(IdxReader, Mistakes) {
  const std::string good = idx_bytes(8, {2, 2}, Bytes{1, 2, 3, 4});
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_EQ(refusal(good.substr(0, size)), "f: ends early (truncated file?)") << size;
  EXPECT_EQ(refusal(good + '\0'), "f: more bytes than its header says");
  EXPECT_EQ(refusal("1 1:1\n"), "f: does not begin like an idx file (two zeros, a type, the number of dimensions)");
  EXPECT_EQ(refusal(idx_bytes(8, {1, 1, 1, 1}, Bytes{1})), "f: 4 dimensions; idx files of up to 3 can be read");
  EXPECT_EQ(refusal(idx_bytes(8, {0, 2}, Bytes{})), "f: no samples");
  EXPECT_EQ(refusal(idx_bytes(8, {2, 0}, Bytes{})), "f: rows without values: one of the sizes is 0");
  EXPECT_EQ(refusal(good, {}), "f: these data hold no labels: name their file as labels");
  EXPECT_EQ(refusal(good, {{1}}), "f: 2 rows, but 1 labels are given");
  EXPECT_NE(refusal(idx_bytes(8, {2, 4294967295U, 4294967295U}, Bytes{})).find("do not fit into"), std::string::npos);
  const auto nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(idx_bytes(0x0E, {2, 2}, std::vector<double>{1, 2, 3, nan})),
            "f: row 2, column 2: nan is not a finite number");
  EXPECT_EQ(refusal(idx_bytes(0x0E, {2, 2}, std::vector<double>{1, 1e300, 3, 4}), {{1, 2}}, {.float32 = true}),
            "f: row 1, column 2: 1e+300 is beyond the largest float, about 3.4e38");
}

TEST(IdxReader, Labels) {
  const auto labels = [](const std::string& bytes) {
    MemorySource source(bytes);
    return read_idx_labels(source, "f");
  };
  EXPECT_EQ(labels(idx_bytes(8, {3}, Bytes{7, 0, 9})), (std::vector<double>{7, 0, 9}));
  EXPECT_EQ(message_of([&] { labels(idx_bytes(8, {1, 1}, Bytes{7})); }), "f: 2 dimensions; labels have one");
  EXPECT_EQ(message_of([&] { labels(idx_bytes(8, {2}, Bytes{7})); }), "f: ends early (truncated file?)");
}

TEST(IdxReader, LabelsAreFoundByTheNameOfTheImages) {
  const TemporaryFolder folder;
  const std::string images = folder.write("train-images-idx3-ubyte.gz", gzip(idx_bytes(8, {1, 1, 2}, Bytes{0, 3})));
  EXPECT_EQ(labels_beside_images(images), "");
  EXPECT_NE(message_of([&] { static_cast<void>(read_dataset(images)); }).find("hold no labels"), std::string::npos);
  const std::string labels = folder.write("train-labels-idx1-ubyte", idx_bytes(8, {1}, Bytes{4}));
  EXPECT_EQ(labels_beside_images(images), labels) << "compressed or not";
  EXPECT_EQ(rows_of(read_dataset(images)), (Rows{{4, {{0, 0}, {1, 3}}}}));
  const std::string other = folder.write("other", "8\n");
  EXPECT_EQ(read_dataset(images, {.labels = other}).target, std::vector<double>{8}) << "what is given counts";
  EXPECT_EQ(labels_beside_images(folder.path("pictures-idx3-ubyte")), "");
}

}  // namespace idx_reader_test
}  // namespace pdbfw::test
