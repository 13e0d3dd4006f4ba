// Unknown names get the nearest known one, and only when it is near.
#include "base/names.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "io/message.hpp"

namespace pdbfw {
namespace names_test {

constexpr std::array<std::string_view, 4> kKnown{"smooth_hinge", "squared", "squared_hinge", "huber"};

TEST(Names, FindTheSmallestEditDistance) {
  EXPECT_EQ(nearest_name("squard", kKnown), "squared");
  EXPECT_EQ(nearest_name("hubber", kKnown), "huber");
  EXPECT_EQ(nearest_name("hbuer", kKnown), "huber");
  EXPECT_EQ(nearest_name("smoth_hinge", kKnown), "smooth_hinge");
  EXPECT_EQ(nearest_name("squared-hinge", kKnown), "squared_hinge");
}

TEST(Names, FindAPartOfAName) { EXPECT_EQ(nearest_name("hinge", kKnown), "smooth_hinge"); }

TEST(Names, FindAKnownNameItself) {
  for (const std::string_view name : kKnown) EXPECT_EQ(nearest_name(name, kKnown), name);
}

TEST(Names, SuggestNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("zzzzzzzz", kKnown), "");
  EXPECT_EQ(nearest_name("", kKnown), "");
  EXPECT_EQ(nearest_name("squared", {}), "");
  EXPECT_EQ(nearest_name(std::string(1'000'000, 'h'), kKnown), "");  // and takes no time
}

TEST(Names, UnknownOneIsQuotedWithTheChoiceAndTheNearest) {
  EXPECT_EQ(test::message_of([] { throw_unknown_name("loss", "squard", kKnown); }),
            "loss: 'squard' breaks the rule: one of smooth_hinge, squared, squared_hinge, huber "
            "(did you mean 'squared'?)");
  EXPECT_EQ(test::message_of([] { throw_unknown_name("loss", "zzzzzzzz", kKnown); }),
            "loss: 'zzzzzzzz' breaks the rule: one of smooth_hinge, squared, squared_hinge, huber");
}

TEST(Names, LongOnesAreCutInTheMessage) {
  const std::string message = test::message_of([] { throw_unknown_name("set", std::string(10'000, 'x'), kKnown); });
  EXPECT_LT(message.size(), 200U);
}

}  // namespace names_test
}  // namespace pdbfw
