// The table of options: every row reads what it writes and refuses what breaks its rule.
#include "pdbfw/fields.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace pdbfw {
namespace fields_test {

std::string message_of(std::string_view name, std::string_view text) {
  Request request;
  try {
    field(name).set(request, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(Fields, AreThoseOfTheModelAndTheSolvers) {
  std::vector<std::string_view> names;
  for (const Field& row : fields()) names.push_back(row.name);
  const std::vector<std::string_view> expected = {
      "loss",         "set",        "radius",      "ridge", "intercept", "standardise",
      "class_weight", "smoothing",  "huber_width", "tol",   "solver",    "max_iterations",
      "max_seconds",  "max_passes", "threads",     "seed",  "steps",     "block_primal",
      "block_dual",   "block_rule", "eta",         "delta", "step_scale"};
  EXPECT_EQ(names, expected);
}

TEST(Fields, ReadBackTheirDefaults) {
  for (const Field& row : fields()) {
    const Request untouched;
    Request request;
    const std::string text = row.text(untouched);
    ASSERT_NO_THROW(row.set(request, text)) << row.name << " = " << text;
    EXPECT_EQ(row.text(request), text) << row.name;
  }
}

TEST(Fields, ReadBackWhatWasSet) {
  const std::vector<std::pair<std::string_view, std::string>> samples = {{"loss", "logistic"},
                                                                         {"set", "simplex"},
                                                                         {"radius", "0.1"},
                                                                         {"intercept", "yes"},
                                                                         {"class_weight", "balanced"},
                                                                         {"class_weight", "1,0.5"},
                                                                         {"ridge", "10/n"},
                                                                         {"ridge", "0.25"},
                                                                         {"smoothing", "0.5"},
                                                                         {"huber_width", "2.5"},
                                                                         {"tol", "1e-300"},
                                                                         {"solver", "pdbfw"},
                                                                         {"max_iterations", "7"},
                                                                         {"max_seconds", "1.5"},
                                                                         {"max_passes", "inf"},
                                                                         {"threads", "4"},
                                                                         {"steps", "theory"},
                                                                         {"block_primal", "12"},
                                                                         {"block_dual", "auto"},
                                                                         {"block_rule", "cyclic"},
                                                                         {"eta", "0.125"},
                                                                         {"delta", "3e+20"},
                                                                         {"ridge", "0"},
                                                                         {"ridge", "0/n"},
                                                                         {"max_seconds", "inf"},
                                                                         {"block_primal", "auto"},
                                                                         {"eta", "auto"},
                                                                         {"delta", "auto"},
                                                                         {"step_scale", "0.25"},
                                                                         {"smoothing", "1"},
                                                                         {"radius", "0.1000000001"},
                                                                         {"max_passes", "1e+30"},
                                                                         {"seed", "18446744073709551615"}};
  for (const auto& [name, text] : samples) {
    Request request;
    ASSERT_NO_THROW(field(name).set(request, text)) << name << " = " << text;
    EXPECT_EQ(field(name).text(request), text) << name;
  }
}

TEST(Fields, RefuseWhatBreaksTheirRuleAndNameIt) {
  const std::vector<std::pair<std::string_view, std::string_view>> bad = {
      {"radius", "0"},          {"radius", "-1"},       {"radius", "inf"},       {"radius", "nan"},
      {"radius", "1x"},         {"radius", ""},         {"radius", " 1"},        {"radius", "1e999"},
      {"ridge", "-1"},          {"ridge", "-1/n"},      {"ridge", "/n"},         {"ridge", "1/m"},
      {"ridge", "inf"},         {"ridge", "nan/n"},     {"smoothing", "0"},      {"smoothing", "1.01"},
      {"huber_width", "0"},     {"tol", "0"},           {"tol", "-1e-4"},        {"tol", "inf"},
      {"max_iterations", "-1"}, {"max_seconds", "nan"}, {"max_seconds", "soon"}, {"max_passes", "-2"},
      {"threads", "0"},         {"threads", "1025"},    {"threads", "2.5"},      {"seed", "-1"},
      {"seed", "1e3"},          {"block_primal", "0"},  {"block_dual", "many"},  {"eta", "0"},
      {"eta", "1.5"},           {"delta", "0"},         {"delta", "inf"},        {"step_scale", "0"},
      {"step_scale", "-1"},     {"step_scale", "inf"},  {"step_scale", "nan"},   {"step_scale", "auto"}};
  for (const auto& [name, text] : bad) {
    const std::string message = message_of(name, text);
    EXPECT_TRUE(message.starts_with(std::string(name) + ": '" + std::string(text) + "' breaks the rule: "))
        << name << " = " << text << ": " << message;
  }
}

TEST(Fields, SuggestTheNearestName) {
  EXPECT_NE(message_of("loss", "smoth_hinge").find("did you mean 'smooth_hinge'?"), std::string::npos);
  EXPECT_NE(message_of("set", "simplx").find("did you mean 'simplex'?"), std::string::npos);
  EXPECT_NE(message_of("solver", "sequental").find("did you mean 'sequential'?"), std::string::npos);
  EXPECT_NE(message_of("steps", "adaptative").find("did you mean 'adaptive'?"), std::string::npos);
  EXPECT_NE(message_of("raduis", "1").find("did you mean 'radius'?"), std::string::npos);
}

TEST(Fields, LeaveTheRequestAloneWhenTheyRefuse) {
  for (const Field& row : fields()) {
    Request request;
    EXPECT_THROW(row.set(request, "?"), InputError) << row.name;
    EXPECT_EQ(row.text(request), row.text(Request{})) << row.name;
  }
}

TEST(Fields, StateARuleAndAMeaningInOneLine) {
  std::set<std::string_view> names;
  for (const Field& row : fields()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.values.empty()) << row.name;
    EXPECT_TRUE(row.meaning.ends_with('.')) << row.name;
    EXPECT_EQ(row.meaning.find('\n'), std::string_view::npos) << row.name;
  }
}

TEST(Ridge, IsAWeightOrAShareOfTheSamples) {
  EXPECT_EQ(Ridge::parse("0.5").weight(10), 0.5);
  EXPECT_EQ(Ridge::parse("5/n").weight(10), 0.5);
  EXPECT_EQ(Ridge::parse("1e-9/n").text(), "1e-09/n");
  EXPECT_EQ((Ridge{0.1, false}.text()), "0.1");
}

}  // namespace fields_test
}  // namespace pdbfw
