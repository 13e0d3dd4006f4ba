// Files of feature maps: what each of them holds, and the rules that all of them keep.
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "io/bytes/byte_streams.hpp"
#include "io/features/features_text.hpp"
#include "io/message.hpp"
#include "io/temporary_folder.hpp"
#include "pdbfw/features.hpp"
#include "support/tables.hpp"

namespace pdbfw::test {
namespace feature_map_file_test {

struct Mistake {
  std::string piece, by, message;
};

// One format: a good text, its reader and its writer.
template <class Map>
class MapFile {
 public:
  using Parse = Map (*)(std::string_view, const std::string&);
  using Write = void (*)(TextSink&, const Map&);

  MapFile(std::string text, Parse parse, Write write) : text_(std::move(text)), parse_(parse), write_(write) {}

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] Map map() const { return map(text_); }
  [[nodiscard]] Map map(std::string_view text) const { return parse_(text, "f"); }

  [[nodiscard]] std::string text_of(const Map& map) const {
    MemorySink sink;
    write_(sink, map);
    return sink.text();
  }

  // The text with one piece replaced gives that message.
  void expect_mistakes(std::initializer_list<Mistake> mistakes) const {
    EXPECT_EQ(message_of([&] { (void)map(""); }), "f: the file is empty");
    for (const Mistake& mistake : mistakes) {
      std::string text = text_;
      const std::size_t at = text.find(mistake.piece);
      ASSERT_NE(at, std::string::npos) << mistake.piece;
      text.replace(at, mistake.piece.size(), mistake.by);
      EXPECT_EQ(message_of([&] { (void)map(text); }), mistake.message);
    }
  }

  void expect_windows_lines_read() const {
    std::string text = text_;
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 3))
      text.replace(at, 1, " \r\n");
    EXPECT_EQ(text_of(map(text)), text_);
  }

  void expect_truncations_seen() const {
    for (std::size_t size = 1; size + 1 < text_.size(); ++size)
      EXPECT_NE(message_of([&] { (void)map(text_.substr(0, size)); }), "") << size;
  }

 private:
  std::string text_;
  Parse parse_;
  Write write_;
};

const MapFile<Normalisation> kNormalisation(
    "pdbfw-normalisation 1\n"
    "rows l2\n"
    "columns standardise\n"
    "width 2\n"
    "0.5 2\n"
    "-3 1e-300\n"
    "end\n",
    &parse_features<Normalisation>, &write_features_to<Normalisation>);

TEST(NormalisationFile, HoldsWhatItSays) {
  const Normalisation map = kNormalisation.map();
  EXPECT_EQ(map.options.rows, Normalisation::Rows::l2);
  EXPECT_EQ(map.options.columns, Normalisation::Columns::standardise);
  EXPECT_EQ(map.centre, (std::vector<double>{0.5, -3}));
  EXPECT_EQ(map.scale, (std::vector<double>{2, 1e-300}));
  EXPECT_EQ(kNormalisation.text_of(map), kNormalisation.text());
}

TEST(NormalisationFile, WhatWasLearntComesBack) {
  const MatrixPtr A = dense<double>(random_table(9, 4, 1));
  for (const Normalisation::Columns rule : {Normalisation::Columns::none, Normalisation::Columns::maximum,
                                            Normalisation::Columns::deviation, Normalisation::Columns::standardise}) {
    const Normalisation map = Normalisation::learn(*A, {Normalisation::Rows::l2, rule});
    const TemporaryFolder folder;
    write_features(folder.path("map"), map);
    EXPECT_EQ(folder.files(), 1U);
    const Normalisation back = read_features<Normalisation>(folder.path("map"));
    EXPECT_EQ(back.options.columns, rule);
    EXPECT_EQ(back.centre, map.centre);
    EXPECT_EQ(back.scale, map.scale);
    EXPECT_EQ(table_of(*back.apply(*A)), table_of(*map.apply(*A)));
  }
}

TEST(NormalisationFile, BlanksAndWindowsLineEndsAreFine) { kNormalisation.expect_windows_lines_read(); }

TEST(NormalisationFile, EveryMistakeHasAPlaceAndARule) {
  kNormalisation.expect_mistakes({
      {"pdbfw-normalisation 1", "x", "f:1:1: 'x' does not start a normalisation ('pdbfw-normalisation 1')"},
      {"normalisation 1", "normalisation", "f:1:20: version '' is not known; this pdbfw reads version 1"},
      {"rows l2", "rows l1", "f:2:1: rows: 'l1' breaks the rule: one of none, l2 (did you mean 'l2'?)"},
      {"rows l2", "row l2", "f:2:1: 'row' where the key 'rows' must be"},
      {"standardise", "standardize",
       "f:3:1: columns: 'standardize' breaks the rule: one of none, maximum, deviation, standardise (did you mean "
       "'standardise'?)"},
      {"standardise", "none", "f:4:1: width 2 is not 0, but there is no rule for the columns"},
      {"standardise", "maximum", "f:5:1: centre 0.5 is not 0, but nothing is centred"},
      {"width 2", "width 3", "f:7:1: centre 'end' is not a number"},
      {"width 2", "width 9223372036854775807", "f:7:1: centre 'end' is not a number"},
      {"width 2", "width 1", "f:6:1: '-3' where the key 'end' must be"},
      {"0.5 2", "0.5", "f:5:4: scale '' is not a number"},
      {"0.5 2", "0.5 0", "f:5:1: scale 0 is not above 0"},
      {"0.5 2", "nan 2", "f:5:1: centre 'nan' is not a finite number"},
      {"0.5 2", "0.5 2 3", "f:5:7: '3' is one word too many"},
      {"end\n", "end\nx\n", "f:8:1: text after the line 'end'"},
      {"end\n", "", "f:7:1: the file ends before its line 'end' (truncated file?)"},
  });
}

TEST(NormalisationFile, EveryTruncationIsSeen) { kNormalisation.expect_truncations_seen(); }

TEST(NormalisationFile, WrongMapsAreNotWritten) {
  Normalisation map = kNormalisation.map();
  map.scale[0] = 0;
  const TemporaryFolder folder;
  EXPECT_EQ(message_of([&] { write_features(folder.path("map"), map); }),
            "scale: centre 0.5, scale 0 breaks the rule: finite numbers, scale > 0, and centre 0 unless standardise");
  EXPECT_EQ(folder.files(), 0U);
}

const MapFile<RandomBinning> kBinning(
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
    "end\n",
    &parse_features<RandomBinning>, &write_features_to<RandomBinning>);

TEST(RandomBinningFile, HoldsWhatItSays) {
  const RandomBinning map = kBinning.map();
  EXPECT_EQ(map.gamma, 0.5);
  EXPECT_EQ(map.columns, 2);
  EXPECT_EQ(map.features(), 2);
  ASSERT_EQ(map.grids.size(), 2U);
  EXPECT_EQ(map.grids[0].pitch, (std::vector<double>{1.25, 4}));
  EXPECT_EQ(map.grids[0].shift, (std::vector<double>{0.75, 0}));
  EXPECT_EQ(map.grids[0].bins[0], (RandomBinning::Bin{0x0011223344556677, 0x8899aabbccddeeff}));
  EXPECT_EQ(map.grids[1].shift[1], 5e-324);
  EXPECT_EQ(kBinning.text_of(map), kBinning.text());
}

TEST(RandomBinningFile, WhatWasLearntComesBackAndGivesTheSameFeatures) {
  const std::vector<double> value = {0.1, 1.0 / 3, -2, 5e-9, 7, 1e10};
  const MatrixPtr A = borrow_dense_rows<double>(3, 2, value);
  for (const bool scale : {false, true}) {
    const RandomBinning map = RandomBinning::learn(*A, {.grids = 20, .scale = scale, .seed = 11});
    const TemporaryFolder folder;
    write_features(folder.path("map"), map);
    EXPECT_EQ(folder.files(), 1U);
    const RandomBinning back = read_features<RandomBinning>(folder.path("map"));
    EXPECT_EQ(kBinning.text_of(back), folder.read("map"));
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

TEST(RandomBinningFile, BlanksAndWindowsLineEndsAreFine) { kBinning.expect_windows_lines_read(); }

TEST(RandomBinningFile, EveryMistakeHasAPlaceAndARule) {
  kBinning.expect_mistakes({
      {"pdbfw-random-binning 1", "pdbfw-model 1",
       "f:1:1: 'pdbfw-model' does not start a map of random binning ('pdbfw-random-binning 1')"},
      {"binning 1", "binning 2", "f:1:22: version '2' is not known; this pdbfw reads version 1"},
      {"binning 1", "binning 1 2", "f:1:24: '2' is one word too many"},
      {"gamma 0.5", "gama 0.5", "f:2:1: 'gama' where the key 'gamma' must be"},
      {"gamma 0.5", "gamma x", "f:2:7: gamma 'x' is not a number"},
      {"gamma 0.5", "gamma -1", "f:2:1: gamma -1 is not above 0"},
      {"gamma 0.5", "gamma 1 1", "f:2:9: '1' is one word too many"},
      {"columns 2", "columns -2", "f:3:9: columns '-2' is not a whole number from 0 to 2^63 - 1"},
      {"columns 2", "columns 1", "f:7:1: bin '4' is not of 32 hexadecimal digits"},
      {"columns 2", "columns 9223372036854775807", "f:8:1: pitch '00112233445566778899aabbccddeeff' is not a number"},
      {"grids 2", "grids 0", "f:4:1: a map has at least one grid"},
      {"grids 2", "grids 1", "f:10:1: 'bins' where the key 'end' must be"},
      {"grids 2", "grids 9223372036854775807", "f:13:1: 'end' where the key 'bins' must be"},
      {"bins 2", "bins 9223372036854775807", "f:10:1: bin 'bins' is not of 32 hexadecimal digits"},
      {"1.25 0.75", "1.25", "f:6:5: shift '' is not a number"},
      {"1.25 0.75", "1.25 nan", "f:6:6: shift 'nan' is not a finite number"},
      {"1.25 0.75", "1e999 0", "f:6:1: pitch '1e999' is beyond the largest double, about 1.8e308"},
      {"1.25 0.75", "1.25 1.25", "f:6:1: pitch 1.25, shift 1.25: a shift is at least 0 and below its pitch"},
      {"1.25 0.75", "1.25 -1", "f:6:1: pitch 1.25, shift -1: a shift is at least 0 and below its pitch"},
      {"1.25 0.75", "1.25 0.75 3", "f:6:11: '3' is one word too many"},
      {"0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdex",
       "f:9:1: bin '0123456789abcdef0123456789abcdex' is not of 32 hexadecimal digits"},
      {"0123456789abcdef0123456789abcdef", "-123456789abcdef0123456789abcdef",
       "f:9:1: bin '-123456789abcdef0123456789abcdef' is not of 32 hexadecimal digits"},
      {"0123456789abcdef0123456789abcdef", "00112233445566778899aabbccddeeff",
       "f:9:1: this bin stands twice in its grid"},
      {"\nbins 0", " 1\nbins 0", "f:9:34: '1' is one word too many"},
      {"end\n", "end 1\n", "f:13:5: '1' is one word too many"},
      {"end\n", "end\n\n", "f:14:1: text after the line 'end'"},
      {"end\n", "", "f:13:1: the file ends before its line 'end' (truncated file?)"},
  });
}

TEST(RandomBinningFile, EveryTruncationIsSeen) { kBinning.expect_truncations_seen(); }

TEST(RandomBinningFile, WrongMapsAreNotWritten) {
  RandomBinning map = kBinning.map();
  map.grids[0].pitch[0] = 0;
  const TemporaryFolder folder;
  EXPECT_EQ(message_of([&] { write_features(folder.path("map"), map); }),
            "grids: pitch 0, shift 0.75 breaks the rule: finite numbers, 0 <= shift < pitch");
  EXPECT_EQ(folder.files(), 0U);
}

const MapFile<RandomFourier> kFourier(
    "pdbfw-random-fourier 1\n"
    "kernel laplacian\n"
    "gamma 0.5\n"
    "columns 2\n"
    "features 6\n"
    "1.25 -0.75 3\n"
    "0 1e-300 0.1\n"
    "end\n",
    &parse_features<RandomFourier>, &write_features_to<RandomFourier>);

TEST(RandomFourierFile, HoldsWhatItSays) {
  const RandomFourier map = kFourier.map();
  EXPECT_EQ(map.kernel, RandomFourierOptions::Kernel::laplacian);
  EXPECT_EQ(map.gamma, 0.5);
  EXPECT_EQ(map.columns, 2);
  EXPECT_EQ(map.features, 6);
  EXPECT_EQ(map.frequency, (std::vector<double>{1.25, -0.75, 3, 0, 1e-300, 0.1}));
  EXPECT_EQ(kFourier.text_of(map), kFourier.text());
}

TEST(RandomFourierFile, WhatWasLearntComesBack) {
  const MatrixPtr A = dense<double>(random_table(9, 4, 1));
  const RandomFourier map = RandomFourier::learn(*A, {.features = 20, .scale = true});
  const TemporaryFolder folder;
  write_features(folder.path("map"), map);
  EXPECT_EQ(folder.files(), 1U);
  const RandomFourier back = read_features<RandomFourier>(folder.path("map"));
  EXPECT_EQ(back.gamma, map.gamma);
  EXPECT_EQ(back.frequency, map.frequency);
  EXPECT_EQ(table_of(*back.apply(*A)), table_of(*map.apply(*A)));
}

TEST(RandomFourierFile, BlanksAndWindowsLineEndsAreFine) { kFourier.expect_windows_lines_read(); }

TEST(RandomFourierFile, EveryMistakeHasAPlaceAndARule) {
  kFourier.expect_mistakes({
      {"pdbfw-random-fourier 1", "pdbfw-random-binning 1",
       "f:1:1: 'pdbfw-random-binning' does not start a map of random Fourier features ('pdbfw-random-fourier 1')"},
      {"fourier 1", "fourier 2", "f:1:22: version '2' is not known; this pdbfw reads version 1"},
      {"kernel", "kern", "f:2:1: 'kern' where the key 'kernel' must be"},
      {"laplacian", "laplace",
       "f:2:1: kernel: 'laplace' breaks the rule: one of gaussian, laplacian (did you mean 'laplacian'?)"},
      {"laplacian", "laplacian x", "f:2:18: 'x' is one word too many"},
      {"gamma 0.5", "gamma 0", "f:3:1: gamma 0 is not above 0"},
      {"columns 2", "columns x", "f:4:9: columns 'x' is not a whole number from 0 to 2^63 - 1"},
      {"columns 2", "columns 1", "f:7:1: '0' where the key 'end' must be"},
      {"columns 2", "columns 9223372036854775807", "f:8:1: frequency 'end' is not a number"},
      {"features 6", "features 5", "f:5:1: features: 5 breaks the rule: an even number, 2 .. 1000000"},
      {"features 6", "features 4", "f:6:12: '3' is one word too many"},
      {"features 6", "features 1000000", "f:6:13: frequency '' is not a number"},
      {"-0.75", "inf", "f:6:6: frequency 'inf' is not a finite number"},
      {"end\n", "end\n\n", "f:9:1: text after the line 'end'"},
      {"end\n", "", "f:8:1: the file ends before its line 'end' (truncated file?)"},
  });
}

TEST(RandomFourierFile, EveryTruncationIsSeen) { kFourier.expect_truncations_seen(); }

TEST(RandomFourierFile, WrongMapsAreNotWritten) {
  RandomFourier map = kFourier.map();
  map.frequency.pop_back();
  const TemporaryFolder folder;
  EXPECT_EQ(message_of([&] { write_features(folder.path("map"), map); }),
            "frequency: 5 numbers breaks the rule: 3 for each of the 2 columns");
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace feature_map_file_test
}  // namespace pdbfw::test
