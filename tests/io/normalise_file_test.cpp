#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/message.hpp"
#include "io/normalise_text.hpp"
#include "io/temporary_folder.hpp"
#include "io/text_sink.hpp"
#include "pdbfw/features.hpp"
#include "support/tables.hpp"

namespace pdbfw::test {
namespace normalise_file_test {

const std::string kText =
    "pdbfw-normalisation 1\n"
    "rows l2\n"
    "columns standardise\n"
    "width 2\n"
    "0.5 2\n"
    "-3 1e-300\n"
    "end\n";

std::string text_of(const Normalisation& map) {
  MemorySink sink;
  write_normalisation_to(sink, map);
  return sink.text();
}

TEST(NormalisationFile, HoldsWhatItSays) {
  const Normalisation map = parse_normalisation(kText, "f");
  EXPECT_EQ(map.options.rows, RowRule::l2);
  EXPECT_EQ(map.options.columns, ColumnRule::standardise);
  EXPECT_EQ(map.centre, (std::vector<double>{0.5, -3}));
  EXPECT_EQ(map.scale, (std::vector<double>{2, 1e-300}));
  EXPECT_EQ(text_of(map), kText);
}

TEST(NormalisationFile, WhatWasLearntComesBack) {
  const MatrixPtr A = dense<double>(random_table(9, 4, 1));
  for (const ColumnRule rule :
       {ColumnRule::none, ColumnRule::maximum, ColumnRule::deviation, ColumnRule::standardise}) {
    const Normalisation map = learn_normalisation(*A, {RowRule::l2, rule});
    const TemporaryFolder folder;
    write_normalisation(folder.path("map"), map);
    EXPECT_EQ(folder.files(), 1U);
    const Normalisation back = read_normalisation(folder.path("map"));
    EXPECT_EQ(back.options.columns, rule);
    EXPECT_EQ(back.centre, map.centre);
    EXPECT_EQ(back.scale, map.scale);
    EXPECT_EQ(table_of(*back.apply(*A)), table_of(*map.apply(*A)));
  }
}

// The message for the text with one piece replaced.
std::string mistake(const std::string& piece, const std::string& by) {
  std::string text = kText;
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  text.replace(at, piece.size(), by);
  return message_of([&] { (void)parse_normalisation(text, "f"); });
}

TEST(NormalisationFile, EveryMistakeHasAPlaceAndARule) {
  EXPECT_EQ(message_of([] { (void)parse_normalisation("", "f"); }), "f: the file is empty");
  EXPECT_EQ(mistake("pdbfw-normalisation 1", "x"),
            "f:1:1: 'x' does not start a normalisation ('pdbfw-normalisation 1')");
  EXPECT_EQ(mistake("normalisation 1", "normalisation"), "f:1:20: version '' is not known; this pdbfw reads version 1");
  EXPECT_EQ(mistake("rows l2", "rows l1"), "f:2:1: rows: 'l1' breaks the rule: one of none, l2 (did you mean 'l2'?)");
  EXPECT_EQ(mistake("rows l2", "row l2"), "f:2:1: 'row' where the key 'rows' must be");
  EXPECT_EQ(mistake("standardise", "standardize"),
            "f:3:1: columns: 'standardize' breaks the rule: one of none, maximum, deviation, standardise (did you mean "
            "'standardise'?)");
  EXPECT_EQ(mistake("standardise", "none"), "f:4:1: width 2 is not 0, but there is no rule for the columns");
  EXPECT_EQ(mistake("standardise", "maximum"), "f:5:1: centre 0.5 is not 0, but nothing is centred");
  EXPECT_EQ(mistake("width 2", "width 3"), "f:7:1: centre 'end' is not a number");
  EXPECT_EQ(mistake("width 2", "width 9223372036854775807"), "f:7:1: centre 'end' is not a number");
  EXPECT_EQ(mistake("width 2", "width 1"), "f:6:1: '-3' where the key 'end' must be");
  EXPECT_EQ(mistake("0.5 2", "0.5"), "f:5:4: scale '' is not a number");
  EXPECT_EQ(mistake("0.5 2", "0.5 0"), "f:5:1: scale 0 is not above 0");
  EXPECT_EQ(mistake("0.5 2", "nan 2"), "f:5:1: centre 'nan' is not a finite number");
  EXPECT_EQ(mistake("0.5 2", "0.5 2 3"), "f:5:7: '3' is one word too many");
  EXPECT_EQ(mistake("end\n", "end\nx\n"), "f:8:1: text after the line 'end'");
}

TEST(NormalisationFile, EveryTruncationIsSeen) {
  for (std::size_t size = 1; size + 1 < kText.size(); ++size)
    EXPECT_NE(message_of([&] { (void)parse_normalisation(kText.substr(0, size), "f"); }), "") << size;
  EXPECT_EQ(mistake("end\n", ""), "f:7:1: the file ends before its line 'end' (truncated file?)");
}

TEST(NormalisationFile, WrongMapsAreNotWritten) {
  Normalisation map = parse_normalisation(kText, "f");
  map.scale[0] = 0;
  const TemporaryFolder folder;
  EXPECT_EQ(message_of([&] { write_normalisation(folder.path("map"), map); }),
            "scale: centre 0.5, scale 0 breaks the rule: finite numbers, scale > 0, and centre 0 unless standardise");
  EXPECT_EQ(folder.files(), 0U);
}

}  // namespace normalise_file_test
}  // namespace pdbfw::test
