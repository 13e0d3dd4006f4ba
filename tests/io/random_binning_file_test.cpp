#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "io/message.hpp"
#include "io/random_binning_text.hpp"
#include "io/temporary_folder.hpp"
#include "io/text_sink.hpp"
#include "pdbfw/features.hpp"

namespace pdbfw::test {
namespace random_binning_file_test {

const std::string kText =
    "pdbfw-random-binning 1\n"
    "gamma 0.5\n"
    "columns 2\n"
    "grids 2\n"
    "bins 2\n"
    "1.25 0.75\n"
    "4 0\n"
    "00112233445566778899aabbccddeeff\n"
    "0123456789abcdef0123456789abcdef\n"
    "bins 0\n"
    "0.1 0.05\n"
    "1e-300 5e-324\n"
    "end\n";

std::string text_of(const RandomBinning& map) {
  MemorySink sink;
  write_random_binning_to(sink, map);
  return sink.text();
}

TEST(RandomBinningFile, HoldsWhatItSays) {
  const RandomBinning map = parse_random_binning(kText, "f");
  EXPECT_EQ(map.gamma, 0.5);
  EXPECT_EQ(map.columns, 2);
  EXPECT_EQ(map.features(), 2);
  ASSERT_EQ(map.grids.size(), 2U);
  EXPECT_EQ(map.grids[0].pitch, (std::vector<double>{1.25, 4}));
  EXPECT_EQ(map.grids[0].shift, (std::vector<double>{0.75, 0}));
  EXPECT_EQ(map.grids[0].bins[0], (BinHash{0x0011223344556677, 0x8899aabbccddeeff}));
  EXPECT_EQ(map.grids[1].shift[1], 5e-324);
  EXPECT_EQ(text_of(map), kText);
}

TEST(RandomBinningFile, WhatWasLearntComesBackAndGivesTheSameFeatures) {
  const std::vector<double> value = {0.1, 1.0 / 3, -2, 5e-9, 7, 1e10};
  const MatrixPtr A = borrow_dense_rows<double>(3, 2, value);
  for (const bool scale : {false, true}) {
    const RandomBinning map = learn_random_binning(*A, {.grids = 20, .scale = scale, .seed = 11});
    const TemporaryFolder folder;
    write_random_binning(folder.path("map"), map);
    EXPECT_EQ(folder.files(), 1U);
    const RandomBinning back = read_random_binning(folder.path("map"));
    EXPECT_EQ(text_of(back), folder.read("map"));
    EXPECT_EQ(back.gamma, map.gamma);
    for (std::size_t g = 0; g < 20; ++g) {
      EXPECT_EQ(back.grids[g].pitch, map.grids[g].pitch);
      EXPECT_EQ(back.grids[g].shift, map.grids[g].shift);
      EXPECT_EQ(back.grids[g].bins, map.grids[g].bins);
    }
    using Rows = SparseLines<double, std::int32_t>;
    const MatrixPtr before = map.apply(*A), after = back.apply(*A);
    EXPECT_TRUE(std::ranges::equal(std::get<Rows>(before->by_row()).at, std::get<Rows>(after->by_row()).at));
  }
}

TEST(RandomBinningFile, BlanksAndWindowsLineEndsAreFine) {
  std::string text = kText;
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 3))
    text.replace(at, 1, " \r\n");
  EXPECT_EQ(text_of(parse_random_binning(text, "f")), kText);
}

// The message for the text with one piece replaced.
std::string mistake(const std::string& piece, const std::string& by) {
  std::string text = kText;
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  text.replace(at, piece.size(), by);
  return message_of([&] { (void)parse_random_binning(text, "f"); });
}

TEST(RandomBinningFile, EveryMistakeHasAPlaceAndARule) {
  EXPECT_EQ(message_of([] { (void)parse_random_binning("", "f"); }), "f: the file is empty");
  EXPECT_EQ(mistake("pdbfw-random-binning 1", "pdbfw-model 1"),
            "f:1:1: 'pdbfw-model' does not start a map of random binning ('pdbfw-random-binning 1')");
  EXPECT_EQ(mistake("binning 1", "binning 2"), "f:1:22: version '2' is not known; this pdbfw reads version 1");
  EXPECT_EQ(mistake("binning 1", "binning 1 2"), "f:1:24: '2' is one word too many");
  EXPECT_EQ(mistake("gamma 0.5", "gama 0.5"), "f:2:1: 'gama' where the key 'gamma' must be");
  EXPECT_EQ(mistake("gamma 0.5", "gamma x"), "f:2:7: gamma 'x' is not a number");
  EXPECT_EQ(mistake("gamma 0.5", "gamma -1"), "f:2:1: gamma -1 is not above 0");
  EXPECT_EQ(mistake("gamma 0.5", "gamma 1 1"), "f:2:9: '1' is one word too many");
  EXPECT_EQ(mistake("columns 2", "columns -2"), "f:3:9: columns '-2' is not a whole number from 0 to 2^63 - 1");
  EXPECT_EQ(mistake("columns 2", "columns 1"), "f:7:1: bin '4' is not of 32 hexadecimal digits");
  EXPECT_EQ(mistake("columns 2", "columns 9223372036854775807"),
            "f:8:1: pitch '00112233445566778899aabbccddeeff' is not a number");
  EXPECT_EQ(mistake("grids 2", "grids 0"), "f:4:1: a map has at least one grid");
  EXPECT_EQ(mistake("grids 2", "grids 1"), "f:10:1: 'bins' where the key 'end' must be");
  EXPECT_EQ(mistake("grids 2", "grids 9223372036854775807"), "f:13:1: 'end' where the key 'bins' must be");
  EXPECT_EQ(mistake("bins 2", "bins 9223372036854775807"), "f:10:1: bin 'bins' is not of 32 hexadecimal digits");
  EXPECT_EQ(mistake("1.25 0.75", "1.25"), "f:6:5: shift '' is not a number");
  EXPECT_EQ(mistake("1.25 0.75", "1.25 nan"), "f:6:6: shift 'nan' is not a finite number");
  EXPECT_EQ(mistake("1.25 0.75", "1e999 0"), "f:6:1: pitch '1e999' is beyond the largest double, about 1.8e308");
  EXPECT_EQ(mistake("1.25 0.75", "1.25 1.25"),
            "f:6:1: pitch 1.25, shift 1.25: a shift is at least 0 and below its pitch");
  EXPECT_EQ(mistake("1.25 0.75", "1.25 -1"), "f:6:1: pitch 1.25, shift -1: a shift is at least 0 and below its pitch");
  EXPECT_EQ(mistake("1.25 0.75", "1.25 0.75 3"), "f:6:11: '3' is one word too many");
  EXPECT_EQ(mistake("0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdex"),
            "f:9:1: bin '0123456789abcdef0123456789abcdex' is not of 32 hexadecimal digits");
  EXPECT_EQ(mistake("0123456789abcdef0123456789abcdef", "-123456789abcdef0123456789abcdef"),
            "f:9:1: bin '-123456789abcdef0123456789abcdef' is not of 32 hexadecimal digits");
  EXPECT_EQ(mistake("0123456789abcdef0123456789abcdef", "00112233445566778899aabbccddeeff"),
            "f:9:1: this bin stands twice in its grid");
  EXPECT_EQ(mistake("\nbins 0", " 1\nbins 0"), "f:9:34: '1' is one word too many");
  EXPECT_EQ(mistake("end\n", "end 1\n"), "f:13:5: '1' is one word too many");
  EXPECT_EQ(mistake("end\n", "end\n\n"), "f:14:1: text after the line 'end'");
}

TEST(RandomBinningFile, EveryTruncationIsSeen) {
  for (std::size_t size = 1; size + 1 < kText.size(); ++size)
    EXPECT_NE(message_of([&] { (void)parse_random_binning(kText.substr(0, size), "f"); }), "") << size;
  EXPECT_EQ(mistake("end\n", ""), "f:13:1: the file ends before its line 'end' (truncated file?)");
}

TEST(RandomBinningFile, WrongMapsAreNotWritten) {
  RandomBinning map = parse_random_binning(kText, "f");
  map.grids[0].pitch[0] = 0;
  const TemporaryFolder folder;
  EXPECT_EQ(message_of([&] { write_random_binning(folder.path("map"), map); }),
            "grids: pitch 0, shift 0.75 breaks the rule: finite numbers, 0 <= shift < pitch");
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace random_binning_file_test
}  // namespace pdbfw::test
