#include "cli/ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "cli/options.hpp"
#include "pdbfw/errors.hpp"

namespace pdbfw::cli {
namespace {

using Ways = unsigned;
constexpr Ways set_of(Way way) { return 1U << static_cast<unsigned>(way); }
constexpr Ways kOne = set_of(Way::one_model), kRest = set_of(Way::one_vs_rest), kJoint = set_of(Way::joint),
               kMatrix = set_of(Way::matrix), kFolds = set_of(Way::folds);
constexpr Ways kModels = kOne | kRest | kJoint | kMatrix, kAll = kModels | kFolds;

struct Row {
  std::string_view option;
  Ways obeyed;                            // by one process
  Ways by_team = obeyed;                  // and by several
  fmt::string_view rule = "none for {}";  // where it is not obeyed; {}: the way
};

// Besides the fields of the table in src/apps/fields.cpp, which all ways obey but for those that stand here.
constexpr auto kRows = std::to_array<Row>({
    {"DATA", kAll},
    {"MODEL", kModels},
    // How the data are read.
    {"--values", kAll},
    {"--data-format", kAll},
    {"--labels", kAll},
    {"--label-column", kAll},
    {"--header", kAll},
    {"--classes", kAll},
    {"--memory", kOne | kRest | kFolds},
    {"--targets", kJoint | kMatrix, kMatrix, "only for --set trace"},
    // What is learnt.
    {"--intercept", kAll & ~kMatrix},
    {"--class-weight", kAll & ~kMatrix},
    {"--standardise", kOne | kFolds, 0},
    {"--atoms", kOne | kRest, 0, "only for --set polytope"},
    {"--sample-weight", kAll & ~kMatrix},
    {"--penalty-weight", kOne | kFolds, 0},
    {"--free-features", kOne | kFolds, 0},
    {"--alpha", kOne, kOne, "a radius for {}"},
    {"--probabilities", kOne | kRest},
    // LIBLINEAR's words; the two that mean something else here are refused for everyone, with what to use.
    {"-s", kOne | kFolds},
    {"-c", kOne | kFolds},
    {"-B", kOne | kFolds},
    {"-R", kOne | kFolds},
    {"-w", kOne | kFolds},
    {"-v", kFolds, 0},
    {"-n", kAll},
    {"-e", kOne | kFolds},
    // How it goes.
    {"--start", kModels},
    {"--checkpoint", kOne | kMatrix},
    {"--checkpoint-every", kOne | kMatrix},
    {"--resume", kOne | kMatrix},
    {"--patience", kAll},
    // What is written and told.
    {"--format", kModels},
    {"--no-proof", kModels},
    {"--trace", kOne | kJoint | kMatrix},
    {"--json", kAll},
    {"--quiet", kAll},
});

Row row_of(std::string_view option) {
  const auto* const found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.option == option; });
  if (found != kRows.end()) return *found;
  const Field* const field = field_of(option);
  if (field == nullptr) return {option, 0, 0};
  return {option, field->group == Field::Group::research ? kAll & ~kJoint : kAll};
}

std::string_view text_of(Way way) {
  switch (way) {
    case Way::one_model:
      return "one model of two classes or numbers";
    case Way::one_vs_rest:
      return "each of several classes against the rest";
    case Way::joint:
      return "classes learnt jointly";
    case Way::matrix:
      return "the set trace";
    case Way::folds:
      return "cross-validation, which writes no model";
  }
  return {};
}

// "max_seconds" for "--max-seconds"; "-v" and "DATA" stay.
std::string field_name(std::string_view option) {
  if (!option.starts_with("--")) return std::string(option);
  std::string name(option.substr(2));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// A field that has its default value asks for nothing.
bool asks_for_something(const CLI::Option& option, const Request& request) {
  const Field* const field = field_of(option.get_name());
  if (field == nullptr || field->group == Field::Group::research) return true;
  return field->text(request) != field->text(Request{});
}

}  // namespace

void require_obeyed(const CLI::App& parser, const Request& request, Way way, bool has_team) {
  const Formulation& f = request.formulation;
  if (has_team && way == Way::joint)
    throw InputError(f.set == kPerClass ? "set" : "loss", fmt::format("'{}'", f.set == kPerClass ? f.set : f.loss),
                     "not for several processes");
  for (const CLI::Option* const option : parser.get_options()) {
    if (option->count() == 0 || !asks_for_something(*option, request)) continue;
    const Row row = row_of(option->get_name());
    const bool is_obeyed = (row.obeyed & set_of(way)) != 0;
    if (is_obeyed && (!has_team || (row.by_team & set_of(way)) != 0)) continue;
    const bool is_flag = option->get_items_expected_max() == 0;
    throw InputError(field_name(option->get_name()), is_flag ? "given" : fmt::format("'{}'", option->results().back()),
                     is_obeyed ? "none for several processes" : fmt::format(fmt::runtime(row.rule), text_of(way)));
  }
}

}  // namespace pdbfw::cli
