#include <gtest/gtest.h>

#include <limits>

#include "data/labels.hpp"
#include "io/message.hpp"
#include "pdbfw/dataset.hpp"

namespace pdbfw::test {
namespace label_lists_test {

TEST(EncodeClasses, NumbersThemByTheirValues) {
  const Classes classes = encode_classes(std::vector<double>{9, 2, 5, 2, -1.5});
  EXPECT_EQ(classes.index, (std::vector<Index>{3, 1, 2, 1, 0}));
  EXPECT_EQ(classes.original, (std::vector<double>{-1.5, 2, 5, 9}));
}

TEST(EncodeClasses, KnownClassesKeepTheirPlaces) {
  const Classes classes = encode_classes(std::vector<double>{7, 2, 5, 6}, std::vector<double>{5, 2});
  EXPECT_EQ(classes.original, (std::vector<double>{5, 2, 6, 7}));
  EXPECT_EQ(classes.index, (std::vector<Index>{3, 1, 0, 2}));
  EXPECT_EQ(encode_classes(std::vector<double>{2}, std::vector<double>{5, 2}).index, (std::vector<Index>{1}));
}

TEST(EncodeClasses, Mistakes) {
  const auto refusal = [](const std::vector<double>& target) {
    return message_of([&] { static_cast<void>(encode_classes(target)); });
  };
  EXPECT_EQ(refusal({}), "targets: none breaks the rule: at least one sample of each of two classes");
  EXPECT_EQ(refusal({3, 3}), "targets: only 3 breaks the rule: at least two classes; this data has one");
  EXPECT_EQ(refusal({3, std::numeric_limits<double>::infinity()}), "targets: inf breaks the rule: finite numbers");
  EXPECT_EQ(refusal({3, std::numeric_limits<double>::quiet_NaN()}), "targets: nan breaks the rule: finite numbers");
  EXPECT_EQ(message_of([] {
              static_cast<void>(encode_classes(std::vector<double>{1}, std::vector<double>{4, 1, 4}));
            }),
            "classes: 4 twice breaks the rule: all different");
}

TEST(PlaceLabels, KnownLabelsKeepTheirPlacesAndOthersFollow) {
  MultilabelDataset data;
  data.ids = {3, 17, 40, 50};
  data.labels = {{0, 3, 3, 4}, {0, 1, 3, 2}};
  data = place_labels(std::move(data), std::vector<Index>{40, 8, 3});
  EXPECT_EQ(data.ids, (std::vector<Index>{40, 8, 3, 17, 50}));
  EXPECT_EQ(data.labels.offsets, (std::vector<Index>{0, 3, 3, 4}));
  EXPECT_EQ(data.labels.place, (std::vector<Index>{2, 3, 4, 0}));
  EXPECT_EQ(message_of([&] {
              static_cast<void>(place_labels(data, std::vector<Index>{1, 1}));
            }),
            "labels: 1 twice breaks the rule: all different");
}

}  // namespace label_lists_test
}  // namespace pdbfw::test
