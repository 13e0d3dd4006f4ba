#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "io/binary_formats.hpp"
#include "io/compress.hpp"
#include "io/data/npy_reader.hpp"
#include "io/message.hpp"
#include "io/temporary_folder.hpp"
#include "pdbfw/data_file.hpp"

namespace pdbfw::test {
namespace npy_file_test {

using Doubles = std::vector<double>;
using Shape = std::vector<Index>;
using Complex = std::complex<double>;

NumberArray read(const std::string& bytes) { return number_array(open_npy_array(loaded(bytes), "f")); }
std::string refusal(const std::string& bytes) {
  return message_of([&] { static_cast<void>(read(bytes)); });
}

template <class T>
std::string written(const std::vector<T>& values, const Shape& shape) {
  MemorySink sink;
  write_npy_to(sink, std::span<const T>(values), shape);
  return sink.text();
}

// What numpy.save writes for numpy.array([[1, -2.5], [0, 1e300], [3, 4]]), byte for byte.
TEST(NpyFile, WritesWhatNumPyWrites) {
  const std::string head = std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                           "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }" + std::string(58, ' ') + "\n";
  ASSERT_EQ(head.size(), 128U);
  const std::string elements(
      "\x00\x00\x00\x00\x00\x00\xf0\x3f"
      "\x00\x00\x00\x00\x00\x00\x04\xc0"
      "\x00\x00\x00\x00\x00\x00\x00\x00"
      "\x9c\x75\x00\x88\x3c\xe4\x37\x7e"
      "\x00\x00\x00\x00\x00\x00\x08\x40"
      "\x00\x00\x00\x00\x00\x00\x10\x40",
      48);
  EXPECT_EQ(written<double>({1, -2.5, 0, 1e300, 3, 4}, {3, 2}), head + elements);
}

// numpy.array([1 - 2j]) and numpy.zeros(0).
TEST(NpyFile, WritesComplexVectorsAndNothing) {
  EXPECT_EQ(written<Complex>({{1, -2}}, {1}), std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                                                  "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }" +
                                                  std::string(59, ' ') + "\n" +
                                                  std::string("\x00\x00\x00\x00\x00\x00\xf0\x3f"
                                                              "\x00\x00\x00\x00\x00\x00\x00\xc0",
                                                              16));
  EXPECT_EQ(written<double>({}, {0}), std::string("\x93NUMPY\x01\x00\x76\x00", 10) +
                                          "{'descr': '<f8', 'fortran_order': False, 'shape': (0,), }" +
                                          std::string(60, ' ') + "\n");
}

TEST(NpyFile, TheShapeMustFitTheValues) {
  const auto shape_refusal = [](const Shape& shape) {
    return message_of([&] { static_cast<void>(written<double>({1, 2, 3}, shape)); });
  };
  EXPECT_EQ(shape_refusal({2, 2}), "shape: (2, 2) breaks the rule: sizes whose product is 3, the number of values");
  EXPECT_EQ(shape_refusal({-1, -3}), "shape: (-1, -3) breaks the rule: sizes whose product is 3, the number of values");
}

TEST(NpyFile, ReadsEveryTypeAsDoubles) {
  const Doubles expected{1, 2, 3};
  const auto real_of = [](const std::string& bytes) {
    const NumberArray array = read(bytes);
    EXPECT_FALSE(array.is_complex);
    EXPECT_TRUE(array.imaginary.empty());
    EXPECT_EQ(array.shape, (Shape{3}));
    return array.real;
  };
  EXPECT_EQ(real_of(npy_bytes<double>("<f8", "(3,)", {1, 2, 3})), expected);
  EXPECT_EQ(real_of(npy_bytes<float>(">f4", "(3,)", {1, 2, 3})), expected);
  EXPECT_EQ(real_of(npy_bytes<std::int64_t>("<i8", "(3,)", {1, 2, 3})), expected);
  EXPECT_EQ(real_of(npy_bytes<std::uint8_t>("|u1", "(3,)", {1, 2, 3})), expected);
  EXPECT_EQ(real_of(npy_bytes<std::int16_t>(">i2", "(3,)", {1, 2, 3})), expected);
}

TEST(NpyFile, ReadsComplexNumbersOfBothWidths) {
  for (const std::string& bytes :
       {npy_bytes<double>("<c16", "(2,)", {1, 2, 3, 4}), npy_bytes<double>(">c16", "(2,)", {1, 2, 3, 4}),
        npy_bytes<float>("<c8", "(2,)", {1, 2, 3, 4}), npy_bytes<float>(">c8", "(2,)", {1, 2, 3, 4})}) {
    const NumberArray array = read(bytes);
    EXPECT_TRUE(array.is_complex);
    EXPECT_EQ(array.shape, (Shape{2}));
    EXPECT_EQ(array.real, (Doubles{1, 3}));
    EXPECT_EQ(array.imaginary, (Doubles{2, 4}));
  }
}

// The element at (i, j, k) is 100 i + 10 j + k.
TEST(NpyFile, FortranOrderBecomesCOrder) {
  Doubles c_order, fortran_order, fortran_complex;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) c_order.push_back(100 * i + 10 * j + k);
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 2; ++i) fortran_order.push_back(100 * i + 10 * j + k);
  EXPECT_EQ(read(npy_bytes("<f8", "(2, 3, 4)", c_order)).real, c_order);
  const NumberArray array = read(npy_bytes("<f8", "(2, 3, 4)", fortran_order, true));
  EXPECT_EQ(array.real, c_order);
  EXPECT_EQ(array.shape, (Shape{2, 3, 4}));
  for (const double x : fortran_order) fortran_complex.insert(fortran_complex.end(), {x, -x});
  const NumberArray complex = read(npy_bytes("<c16", "(2, 3, 4)", fortran_complex, true));
  EXPECT_EQ(complex.real, c_order);
  EXPECT_EQ(complex.imaginary[7], -c_order[7]);
  EXPECT_EQ(read(npy_bytes<double>("<f8", "(2, 3)", {1, 4, 2, 5, 3, 6}, true)).real, (Doubles{1, 2, 3, 4, 5, 6}));
}

TEST(NpyFile, EveryMistakeHasItsMessage) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, std::string>> cases = {
      {npy_bytes<double>("<f8", "(3,)", {1, nan, 3}), "f: entry 2: nan is not a finite number"},
      {npy_bytes<double>("<f8", "(2, 2)", {1, 2, -inf, 3}), "f: row 2, column 1: -inf is not a finite number"},
      {npy_bytes<double>("<f8", "(2, 2)", {1, 2, inf, 3}, true), "f: row 1, column 2: inf is not a finite number"},
      {npy_bytes<double>("<f8", "(2, 1, 2)", {1, 2, 3, inf}),
       "f: matrix 2, row 1, column 2: inf is not a finite number"},
      {npy_bytes<double>("<c16", "(2,)", {1, 2, 3, nan}), "f: entry 2: nan is not a finite number"},
      {npy_bytes<double>("<f8", "()", {1}), "f: the shape (); one to three dimensions can be read"},
      {npy_bytes<double>("<f8", "(1, 1, 1, 1)", {1}), "f: the shape (1, 1, 1, 1); one to three dimensions can be read"},
      {npy_bytes<double>("<f8", "(0, 3)", {}), "f: the shape (0, 3) has no elements"},
      {npy_bytes<char>("|S1", "(1,)", {'a'}),
       "f: elements of the type '|S1'; float32, float64, whole numbers of 8 to 64 bits and bool can be read"},
      {npy_bytes<double>("<f8", "(3,)", {1, 2}),
       "f: 16 bytes of elements, but the shape (3,) of '<f8' has 24 (truncated file?)"},
      {"no array", "f: does not begin like a .npy file"},
  };
  for (const auto& [bytes, message] : cases) EXPECT_EQ(refusal(bytes), message);
}

TEST(NpyFile, FilesPlainAndPacked) {
  const TemporaryFolder folder;
  const Doubles values{1, 2, 3, 4, 5, 6};
  write_npy(folder.path("a.npy"), values, {2, 3});
  EXPECT_EQ(folder.files(), 1U) << "no temporary file stays";
  EXPECT_EQ(read_npy(folder.path("a.npy")).real, values);
  const std::string bytes = folder.read("a.npy");
  for (const std::string& packed : {gzip(bytes), xz(bytes)})
    EXPECT_EQ(read_npy(folder.write("b", packed)).shape, (Shape{2, 3}));
  const std::string cut = folder.write("cut.npy", bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(message_of([&] { static_cast<void>(read_npy(cut)); }), cut + ": ends early (truncated file?)");
  EXPECT_EQ(message_of([&] { write_npy(folder.path("a.npy"), values, {5}); }),
            "shape: (5) breaks the rule: sizes whose product is 6, the number of values");
  EXPECT_EQ(folder.read("a.npy"), bytes) << "what stood there stays";
  EXPECT_EQ(message_of([&] { write_npy(folder.path("no/x.npy"), values, {6}); }),
            "cannot write '" + folder.path("no/x.npy") + "': No such file or directory");
}

// Bit for bit, any finite numbers and any sizes.
RC_GTEST_PROP(NpyFile, ReadsWhatWasWritten, ()) {
  Shape shape;
  std::size_t size = 1;
  const int dimensions = *rc::gen::inRange(1, 4);
  for (int axis = 0; axis < dimensions; ++axis) {
    shape.push_back(*rc::gen::inRange(1, 5));
    size *= static_cast<std::size_t>(shape.back());
  }
  const auto number = rc::gen::suchThat(
      rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t bits) { return std::bit_cast<double>(bits); }),
      [](double x) { return std::isfinite(x); });
  const auto parts = *rc::gen::container<Doubles>(2 * size, number);
  std::vector<Complex> values;
  for (std::size_t k = 0; k < size; ++k) values.emplace_back(parts[2 * k], parts[2 * k + 1]);
  const NumberArray complex = read(written(values, shape));
  RC_ASSERT(complex.shape == shape && complex.is_complex);
  for (std::size_t k = 0; k < size; ++k) {
    RC_ASSERT(std::bit_cast<std::uint64_t>(complex.real[k]) == std::bit_cast<std::uint64_t>(parts[2 * k]));
    RC_ASSERT(std::bit_cast<std::uint64_t>(complex.imaginary[k]) == std::bit_cast<std::uint64_t>(parts[2 * k + 1]));
  }
  RC_ASSERT(read(written(complex.real, shape)).real == complex.real);
}

}  // namespace npy_file_test
}  // namespace pdbfw::test
