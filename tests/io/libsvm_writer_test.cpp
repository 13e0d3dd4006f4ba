#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/data/libsvm_file.hpp"
#include "io/message.hpp"
#include "io/rows.hpp"
#include "io/temporary_folder.hpp"

namespace pdbfw::test {
namespace libsvm_writer_test {

// Any finite double, all bit patterns alike.
double random_double() {
  const auto value = std::bit_cast<double>(*rc::gen::arbitrary<std::uint64_t>());
  return std::isfinite(value) ? value : 0.1;
}

Dataset random_dataset(bool is_float) {
  std::vector<Index> offsets{0};
  std::vector<std::int32_t> at;
  std::vector<double> value;
  std::vector<double> target;
  const auto rows = *rc::gen::inRange<Index>(1, 8);
  for (Index i = 0; i < rows; ++i) {
    const auto indices = *rc::gen::container<std::set<std::int32_t>>(rc::gen::inRange(0, 50));
    at.insert(at.end(), indices.begin(), indices.end());
    while (value.size() < at.size()) value.push_back(random_double());
    offsets.push_back(static_cast<Index>(at.size()));
    target.push_back(random_double());
  }
  if (!is_float) return {own_csr<double, std::int32_t>(rows, 50, offsets, at, value), target};
  std::vector<float> narrow;
  for (const double v : value) narrow.push_back(std::abs(v) < 1e38 ? static_cast<float>(v) : 0.1F);
  return {own_csr<float, std::int32_t>(rows, 50, offsets, at, narrow), target};
}

std::string text_of(const Dataset& data) {
  MemorySink sink;
  write_libsvm(sink, data);
  return sink.text();
}

// Equal rows would let -0 pass for 0; equal text does not.
void expect_round_trip(const Dataset& data, bool is_float) {
  const Dataset back = parse_libsvm(text_of(data), "f", {.threads = 2, .float32 = is_float});
  RC_ASSERT(rows_of(back) == rows_of(data));
  RC_ASSERT(text_of(back) == text_of(data));
}

RC_GTEST_PROP(LibsvmWriter, DoublesReadBackExactly, ()) { expect_round_trip(random_dataset(false), false); }

RC_GTEST_PROP(LibsvmWriter, FloatsReadBackExactlyAsFloatsAndAsDoubles, ()) {
  const Dataset data = random_dataset(true);
  expect_round_trip(data, true);
  expect_round_trip(data, false);
}

TEST(LibsvmWriter, WritesTheShortestNumbers) {
  EXPECT_EQ(text_of(parse_libsvm("+1.00 1:0.10 3:-2.5e0\n-1\n0.5 2:1e-7", "f")), "1 1:0.1 3:-2.5\n-1\n0.5 2:1e-07\n");
}

TEST(LibsvmWriter, WritesDenseDataInFull) {
  EXPECT_EQ(text_of(parse_libsvm("1 1:0 2:5\n-1 1:2 2:0", "f")), "1 1:0 2:5\n-1 1:2 2:0\n");
}

TEST(LibsvmWriter, WritesFiles) {
  const TemporaryFolder folder;
  write_dataset(folder.path("data"), parse_libsvm("1 2:3", "f"));
  EXPECT_EQ(folder.read("data"), "1 2:3\n");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(LibsvmWriter, RefusesWhatCouldNotBeReadBack) {
  Dataset data = parse_libsvm("1 2:3", "f");
  data.target[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of([&] { text_of(data); }), "target: nan breaks the rule: a finite number");
  data.target.clear();
  EXPECT_EQ(message_of([&] { text_of(data); }), "target: 0 of them breaks the rule: one for each row of the matrix");
}

}  // namespace libsvm_writer_test
}  // namespace pdbfw::test
