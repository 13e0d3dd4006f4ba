#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/message.hpp"
#include "io/random_fourier_text.hpp"
#include "io/temporary_folder.hpp"
#include "io/text_sink.hpp"
#include "pdbfw/features.hpp"
#include "support/tables.hpp"

namespace pdbfw::test {
namespace random_fourier_file_test {

const std::string kText =
    "pdbfw-random-fourier 1\n"
    "kernel laplacian\n"
    "gamma 0.5\n"
    "columns 2\n"
    "features 6\n"
    "1.25 -0.75 3\n"
    "0 1e-300 0.1\n"
    "end\n";

std::string text_of(const RandomFourier& map) {
  MemorySink sink;
  write_random_fourier_to(sink, map);
  return sink.text();
}

TEST(RandomFourierFile, HoldsWhatItSays) {
  const RandomFourier map = parse_random_fourier(kText, "f");
  EXPECT_EQ(map.kernel, Kernel::laplacian);
  EXPECT_EQ(map.gamma, 0.5);
  EXPECT_EQ(map.columns, 2);
  EXPECT_EQ(map.features, 6);
  EXPECT_EQ(map.frequency, (std::vector<double>{1.25, -0.75, 3, 0, 1e-300, 0.1}));
  EXPECT_EQ(text_of(map), kText);
}

TEST(RandomFourierFile, WhatWasLearntComesBack) {
  const MatrixPtr A = dense<double>(random_table(9, 4, 1));
  const RandomFourier map = learn_random_fourier(*A, {.features = 20, .scale = true});
  const TemporaryFolder folder;
  write_random_fourier(folder.path("map"), map);
  EXPECT_EQ(folder.files(), 1U);
  const RandomFourier back = read_random_fourier(folder.path("map"));
  EXPECT_EQ(back.gamma, map.gamma);
  EXPECT_EQ(back.frequency, map.frequency);
  EXPECT_EQ(table_of(*back.apply(*A)), table_of(*map.apply(*A)));
}

// The message for the text with one piece replaced.
std::string mistake(const std::string& piece, const std::string& by) {
  std::string text = kText;
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  text.replace(at, piece.size(), by);
  return message_of([&] { (void)parse_random_fourier(text, "f"); });
}

TEST(RandomFourierFile, EveryMistakeHasAPlaceAndARule) {
  EXPECT_EQ(message_of([] { (void)parse_random_fourier("", "f"); }), "f: the file is empty");
  EXPECT_EQ(mistake("pdbfw-random-fourier 1", "pdbfw-random-binning 1"),
            "f:1:1: 'pdbfw-random-binning' does not start a map of random Fourier features ('pdbfw-random-fourier 1')");
  EXPECT_EQ(mistake("fourier 1", "fourier 2"), "f:1:22: version '2' is not known; this pdbfw reads version 1");
  EXPECT_EQ(mistake("kernel", "kern"), "f:2:1: 'kern' where the key 'kernel' must be");
  EXPECT_EQ(mistake("laplacian", "laplace"),
            "f:2:1: kernel: 'laplace' breaks the rule: one of gaussian, laplacian (did you mean 'laplacian'?)");
  EXPECT_EQ(mistake("laplacian", "laplacian x"), "f:2:18: 'x' is one word too many");
  EXPECT_EQ(mistake("gamma 0.5", "gamma 0"), "f:3:1: gamma 0 is not above 0");
  EXPECT_EQ(mistake("columns 2", "columns x"), "f:4:9: columns 'x' is not a whole number from 0 to 2^63 - 1");
  EXPECT_EQ(mistake("columns 2", "columns 1"), "f:7:1: '0' where the key 'end' must be");
  EXPECT_EQ(mistake("columns 2", "columns 9223372036854775807"), "f:8:1: frequency 'end' is not a number");
  EXPECT_EQ(mistake("features 6", "features 5"), "f:5:1: features: 5 breaks the rule: an even number, 2 .. 1000000");
  EXPECT_EQ(mistake("features 6", "features 4"), "f:6:12: '3' is one word too many");
  EXPECT_EQ(mistake("features 6", "features 1000000"), "f:6:13: frequency '' is not a number");
  EXPECT_EQ(mistake("-0.75", "inf"), "f:6:6: frequency 'inf' is not a finite number");
  EXPECT_EQ(mistake("end\n", "end\n\n"), "f:9:1: text after the line 'end'");
}

TEST(RandomFourierFile, EveryTruncationIsSeen) {
  for (std::size_t size = 1; size + 1 < kText.size(); ++size)
    EXPECT_NE(message_of([&] { (void)parse_random_fourier(kText.substr(0, size), "f"); }), "") << size;
  EXPECT_EQ(mistake("end\n", ""), "f:8:1: the file ends before its line 'end' (truncated file?)");
}

TEST(RandomFourierFile, WrongMapsAreNotWritten) {
  RandomFourier map = parse_random_fourier(kText, "f");
  map.frequency.pop_back();
  const TemporaryFolder folder;
  EXPECT_EQ(message_of([&] { write_random_fourier(folder.path("map"), map); }),
            "frequency: 5 numbers breaks the rule: 3 for each of the 2 columns");
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace random_fourier_file_test
}  // namespace pdbfw::test
