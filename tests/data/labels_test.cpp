// Two distinct targets become -1 and +1.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "io/message.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw {
namespace labels_test {

std::string refusal(const std::vector<double>& target) {
  return test::message_of([&] { (void)encode_labels(target); });
}

TEST(Labels, TheSmallerTargetBecomesMinusOne) {
  const Labels labels = encode_labels({2, 1, 1, 2});
  EXPECT_EQ(labels.sign, (std::vector<double>{1, -1, -1, 1}));
  EXPECT_EQ(labels.original, (std::array<double, 2>{1, 2}));
}

TEST(Labels, SignsStayWhatTheyAre) {
  EXPECT_EQ(encode_labels({1, -1}).sign, (std::vector<double>{1, -1}));
  EXPECT_EQ(encode_labels({0, 1, 0}).sign, (std::vector<double>{-1, 1, -1}));
}

TEST(Labels, PlusAndMinusZeroAreOneClass) {
  EXPECT_EQ(encode_labels({0.0, -0.0, 1.0}).sign, (std::vector<double>{-1, -1, 1}));
}

TEST(Labels, NeedTwoClasses) {
  EXPECT_EQ(refusal({}), "targets: none breaks the rule: at least one sample of each of two classes");
  EXPECT_EQ(refusal({1, 1}), "targets: only 1 breaks the rule: two classes; this data has one");
  EXPECT_EQ(
      refusal({3, 1, 2, 4}),
      "targets: 1, 2, 3 ... breaks the rule: two classes for this loss; for numbers use the loss squared or huber");
}

TEST(Labels, NeedFiniteTargets) {
  EXPECT_EQ(refusal({1, std::numeric_limits<double>::quiet_NaN()}), "targets: nan breaks the rule: finite numbers");
  EXPECT_EQ(refusal({1, -std::numeric_limits<double>::infinity()}), "targets: -inf breaks the rule: finite numbers");
}

}  // namespace labels_test
}  // namespace pdbfw
