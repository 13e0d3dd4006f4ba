// What the tool trains is what a C++ program gets from `fit`: the same model file, byte by byte.
#include "pdbfw/fit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/random.hpp"
#include "io/temporary_folder.hpp"

namespace pdbfw {
namespace {

constexpr int kRows = 60;
constexpr int kFeatures = 12;

// Rows in LIBSVM's format, whose targets follow the first features: one of several classes, or a number if there are 0.
std::string rows_of(Index classes) {
  Random random(7);
  std::string text;
  for (int i = 0; i < kRows; ++i) {
    std::string features;
    double score = 0;
    for (int j = 1; j <= kFeatures; ++j) {
      const double value = random.normal();
      if (j <= 3) score += value;
      features += fmt::format(" {}:{:.6f}", j, value);
    }
    const Index place = std::clamp(static_cast<Index>(score) + classes / 2, Index{0}, std::max(classes, Index{1}) - 1);
    text += classes == 0 ? fmt::format("{:.6f}", score) : fmt::format("{}", place);
    text += features + "\n";
  }
  return text;
}

void expect_same_model(Index classes, const std::string& flags, const Formulation& formulation) {
  SCOPED_TRACE(flags);
  const test::TemporaryFolder folder;
  const std::string data = folder.write("data.txt", rows_of(classes));
  const std::string command =
      fmt::format("'{}' train '{}' '{}' --quiet --tol 1e-6 {}", PDBFW_TOOL, data, folder.path("by_tool"), flags);
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Fitted fitted = fit(read_samples(data), formulation, {.settings = {.tol = 1e-6}});
  EXPECT_TRUE(fitted.has_converged);
  write_model(folder.path("by_library"), fitted.model);
  EXPECT_EQ(folder.read("by_tool"), folder.read("by_library"));
}

TEST(ToolAndLibrary, OneVector) {
  expect_same_model(2, "", {});
  expect_same_model(2, "--loss logistic --radius 3 --ridge 1/n --intercept yes --class-weight balanced",
                    {.loss = "logistic",
                     .radius = 3,
                     .ridge = {1, true},
                     .intercept = true,
                     .class_weight = ClassWeight::parse("balanced")});
  expect_same_model(0, "--loss squared --radius 2 --standardise yes",
                    {.loss = "squared", .radius = 2, .standardise = true});
}

TEST(ToolAndLibrary, SeveralClasses) {
  expect_same_model(4, "--loss squared_hinge --radius 2", {.loss = "squared_hinge", .radius = 2});
  expect_same_model(4, "--loss softmax --radius 5", {.loss = "softmax", .radius = 5});
}

TEST(ToolAndLibrary, Matrices) {
  expect_same_model(4, "--set trace --loss softmax --radius 5", {.loss = "softmax", .set = "trace", .radius = 5});
}

}  // namespace
}  // namespace pdbfw
