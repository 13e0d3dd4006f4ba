// The one table of options. A row is: name, group, rule, meaning, how to read it, how to write it.
#include "pdbfw/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "base/names.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kAuto = "auto";

// The rules, as they stand in messages and in the reference.
constexpr std::string_view kPositive = "a finite number > 0";
constexpr std::string_view kLimit = "a number >= 0, or inf";
constexpr std::string_view kUpToOne = "a number in (0, 1]";
constexpr std::string_view kCount = "an integer >= 0";
constexpr std::string_view kThreads = "an integer, 1 .. 1024";
constexpr std::string_view kSeed = "an integer, 0 .. 2^64 - 1";
constexpr std::string_view kRidge = "a finite number >= 0, or one followed by /n";
constexpr std::string_view kAutoOrCount = "auto, or an integer >= 1";
constexpr std::string_view kAutoOrUpToOne = "auto, or a number in (0, 1]";
constexpr std::string_view kAutoOrPositive = "auto, or a finite number > 0";

[[noreturn]] void refuse(std::string_view name, std::string_view text, std::string_view rule) {
  constexpr std::size_t kLongestQuote = 64;
  throw InputError(name, fmt::format("'{}'", text.substr(0, kLongestQuote)), rule);
}

// std::from_chars takes a minus but no plus; data files may have one, and so may options. A second sign stays wrong.
std::string_view without_plus(std::string_view text) {
  const bool has_plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return text.substr(has_plus ? 1 : 0);
}

template <class Number>
std::optional<Number> parse(std::string_view with_sign) {
  const std::string_view text = without_plus(with_sign);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The number in the text, if it is above 0 and at most `largest`. NaN fails both comparisons.
double parse_positive(std::string_view name, std::string_view text, double largest, std::string_view rule) {
  const std::optional<double> value = parse<double>(text);
  if (!value || !(*value > 0 && *value <= largest)) refuse(name, text, rule);
  return *value;
}

constexpr double kLargest = std::numeric_limits<double>::max();

double parse_limit(std::string_view name, std::string_view text) {
  const std::optional<double> value = parse<double>(text);
  if (!value || !(*value >= 0)) refuse(name, text, kLimit);
  return *value;
}

struct IndexRange {
  Index smallest = 1;
  Index largest = std::numeric_limits<Index>::max();
};

Index parse_integer(std::string_view name, std::string_view text, IndexRange range, std::string_view rule) {
  const std::optional<Index> value = parse<Index>(text);
  if (!value || *value < range.smallest || *value > range.largest) refuse(name, text, rule);
  return *value;
}

std::string parse_name(std::string_view name, std::string_view text, const std::vector<std::string_view>& known) {
  if (std::find(known.begin(), known.end(), text) == known.end()) throw_unknown_name(name, text, known);
  return std::string(text);
}

std::vector<std::string_view> step_names() { return {"adaptive", "theory"}; }

std::vector<std::string_view> rule_names() { return {"gs_r", "random", "cyclic", "full"}; }

std::string alternatives(const std::vector<std::string_view>& names) {
  return fmt::format("{}", fmt::join(names, " | "));
}

template <class Value>
std::string text_or_auto(const std::optional<Value>& value) {
  return value ? fmt::format("{}", *value) : std::string(kAuto);
}

// The names of both families; some losses and solvers have the same name in the two.
std::vector<std::string_view> united(std::vector<std::string_view> names, const std::vector<std::string_view>& more) {
  for (const std::string_view name : more)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::vector<std::string_view> all_losses() { return united(loss_names(), low_rank::loss_names()); }
std::vector<std::string_view> all_sets() { return united(set_names(), {kPolytope, kPerClass, kTrace}); }
std::vector<std::string_view> all_solvers() { return united(solver_names(), low_rank::solver_names()); }

std::vector<Field> model_fields() {
  static const std::string losses = alternatives(all_losses());
  static const std::string sets = alternatives(all_sets());
  return {
      {"loss", Field::Group::model, losses,
       "How a prediction that misses its target is charged. softmax and multiclass_hinge learn several classes "
       "jointly, "
       "on the sets l1, l1_per_class and trace; the multilabel losses are for the set trace.",
       [](Request& r, std::string_view t) { r.formulation.loss = parse_name("loss", t, all_losses()); },
       [](const Request& r) { return r.formulation.loss; }},
      {"set", Field::Group::model, sets,
       "Where the weights must lie; nonnegative: none below 0, and their sum at most the radius; a polytope is the "
       "hull "
       "of the rows of --atoms. l1_per_class: of classes learnt jointly, a ball for the weights of each. trace: a "
       "matrix "
       "of weights, one "
       "column "
       "for each label or class, whose singular values sum to at most the radius.",
       [](Request& r, std::string_view t) { r.formulation.set = parse_name("set", t, all_sets()); },
       [](const Request& r) { return r.formulation.set; }},
      {"radius", Field::Group::model, kPositive,
       "The size of the set; a smaller one gives fewer non-zeros, or a lower rank. The polytope's atoms are multiplied "
       "by it, by 1 if "
       "it is not given.",
       [](Request& r, std::string_view t) { r.formulation.radius = parse_positive("radius", t, kLargest, kPositive); },
       [](const Request& r) { return fmt::format("{}", r.formulation.radius); }},
      {"ridge", Field::Group::model, kRidge,
       "The weight of half the squared length of the weights; n is the number of rows.",
       [](Request& r, std::string_view t) { r.formulation.ridge = Ridge::parse(without_plus(t)); },
       [](const Request& r) { return r.formulation.ridge.text(); }},
      {"intercept", Field::Group::model, "yes | no",
       "Whether an intercept is learnt too, which neither the set nor the ridge holds back. Not for the set trace.",
       [](Request& r, std::string_view t) {
         r.formulation.intercept = parse_name("intercept", t, {"yes", "no"}) == "yes";
       },
       [](const Request& r) { return std::string(r.formulation.intercept ? "yes" : "no"); }},
      {"standardise", Field::Group::model, "yes | no",
       "Whether the set and the ridge see every feature divided by its standard deviation; the weights are those of "
       "the "
       "features as they are. Zeros stay zeros. Not for the sets trace and polytope.",
       [](Request& r, std::string_view t) {
         r.formulation.standardise = parse_name("standardise", t, {"yes", "no"}) == "yes";
       },
       [](const Request& r) { return std::string(r.formulation.standardise ? "yes" : "no"); }},
      {"class_weight", Field::Group::model, "none | balanced | NUMBER,NUMBER",
       "What a row counts by its label: a number for the smaller label and one for the larger, or what gives both the "
       "same weight "
       "in all.",
       [](Request& r, std::string_view t) { r.formulation.class_weight = ClassWeight::parse(t); },
       [](const Request& r) { return r.formulation.class_weight.text(); }},
      {"smoothing", Field::Group::model, kUpToOne,
       "The losses smooth_hinge, multilabel_smooth_hinge and multiclass_hinge: the width of their curved piece.",
       [](Request& r, std::string_view t) { r.formulation.smoothing = parse_positive("smoothing", t, 1, kUpToOne); },
       [](const Request& r) { return fmt::format("{}", r.formulation.smoothing); }},
      {"huber_width", Field::Group::model, kPositive, "Loss huber: the error at which it turns from squared to linear.",
       [](Request& r, std::string_view t) {
         r.formulation.huber_width = parse_positive("huber_width", t, kLargest, kPositive);
       },
       [](const Request& r) { return fmt::format("{}", r.formulation.huber_width); }},
  };
}

std::vector<Field> solving_fields() {
  static const std::string solvers = alternatives(all_solvers());
  constexpr Index kMostThreads = 1024;
  return {
      {"tol", Field::Group::solving, kPositive, "Stop when the certified relative duality gap is at most this.",
       [](Request& r, std::string_view t) { r.settings.tol = parse_positive("tol", t, kLargest, kPositive); },
       [](const Request& r) { return fmt::format("{}", r.settings.tol); }},
      {"solver", Field::Group::solving, solvers, "The algorithm; auto picks one.",
       [](Request& r, std::string_view t) { r.settings.solver = parse_name("solver", t, all_solvers()); },
       [](const Request& r) { return r.settings.solver; }},
      {"max_iterations", Field::Group::solving, kCount, "Stop after so many iterations.",
       [](Request& r, std::string_view t) {
         r.settings.max_iterations = parse_integer("max_iterations", t, {0}, kCount);
       },
       [](const Request& r) { return fmt::format("{}", r.settings.max_iterations); }},
      {"max_seconds", Field::Group::solving, kLimit, "Stop after so many seconds of solving.",
       [](Request& r, std::string_view t) { r.settings.max_seconds = parse_limit("max_seconds", t); },
       [](const Request& r) { return fmt::format("{}", r.settings.max_seconds); }},
      {"max_passes", Field::Group::solving, kLimit,
       "Stop after so many passes over the data; one product with the matrix is one pass.",
       [](Request& r, std::string_view t) { r.settings.max_passes = parse_limit("max_passes", t); },
       [](const Request& r) { return fmt::format("{}", r.settings.max_passes); }},
      {"threads", Field::Group::solving, kThreads, "How many threads may work; the result is the same for any number.",
       [](Request& r, std::string_view t) {
         r.settings.threads = static_cast<int>(parse_integer("threads", t, {1, kMostThreads}, kThreads));
       },
       [](const Request& r) { return fmt::format("{}", r.settings.threads); }},
      {"seed", Field::Group::solving, kSeed, "Of the random choices; the same seed gives the same bits.",
       [](Request& r, std::string_view t) {
         const std::optional<std::uint64_t> value = parse<std::uint64_t>(t);
         if (!value) refuse("seed", t, kSeed);
         r.settings.seed = *value;
       },
       [](const Request& r) { return fmt::format("{}", r.settings.seed); }},
  };
}

std::optional<Index> parse_block(std::string_view name, std::string_view text) {
  if (text == kAuto) return std::nullopt;
  return parse_integer(name, text, {}, kAutoOrCount);
}

std::optional<double> parse_step(std::string_view name, std::string_view text, double largest, std::string_view rule) {
  if (text == kAuto) return std::nullopt;
  return parse_positive(name, text, largest, rule);
}

std::vector<Field> research_fields() {
  static const std::string steps = alternatives(step_names());
  static const std::string rules = alternatives(rule_names());
  return {
      {"steps", Field::Group::research, steps, "Steps found while running, or those of the method's own paper.",
       [](Request& r, std::string_view t) { r.settings.steps = parse_name("steps", t, step_names()); },
       [](const Request& r) { return r.settings.steps; }},
      {"block_primal", Field::Group::research, kAutoOrCount,
       "The paper's s: non-zeros of a primal step, at most the features.",
       [](Request& r, std::string_view t) { r.settings.block_primal = parse_block("block_primal", t); },
       [](const Request& r) { return text_or_auto(r.settings.block_primal); }},
      {"block_dual", Field::Group::research, kAutoOrCount, "The paper's k: rows of a dual step, at most the rows.",
       [](Request& r, std::string_view t) { r.settings.block_dual = parse_block("block_dual", t); },
       [](const Request& r) { return text_or_auto(r.settings.block_dual); }},
      {"block_rule", Field::Group::research, rules,
       "Which rows a dual step takes: the k that change most, k drawn anew, the next k, or all.",
       [](Request& r, std::string_view t) { r.settings.block_rule = parse_name("block_rule", t, rule_names()); },
       [](const Request& r) { return r.settings.block_rule; }},
      {"eta", Field::Group::research, kAutoOrUpToOne, "The primal step.",
       [](Request& r, std::string_view t) { r.settings.eta = parse_step("eta", t, 1, kAutoOrUpToOne); },
       [](const Request& r) { return text_or_auto(r.settings.eta); }},
      {"delta", Field::Group::research, kAutoOrPositive, "The dual proximal step.",
       [](Request& r, std::string_view t) { r.settings.delta = parse_step("delta", t, kLargest, kAutoOrPositive); },
       [](const Request& r) { return text_or_auto(r.settings.delta); }},
      {"step_scale", Field::Group::research, kPositive, "Multiplies the step constant of a baseline's own rule.",
       [](Request& r, std::string_view t) {
         r.settings.step_scale = parse_positive("step_scale", t, kLargest, kPositive);
       },
       [](const Request& r) { return fmt::format("{}", r.settings.step_scale); }},
  };
}

std::vector<Field> all_fields() {
  std::vector<Field> all = model_fields();
  for (const std::vector<Field>& group : {solving_fields(), research_fields()})
    all.insert(all.end(), group.begin(), group.end());
  return all;
}

}  // namespace

std::span<const Field> fields() {
  static const std::vector<Field> all = all_fields();
  return all;
}

const Field& field(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Field& candidate : fields()) {
    if (candidate.name == name) return candidate;
    known.push_back(candidate.name);
  }
  throw_unknown_name("option", name, known);
}

}  // namespace pdbfw
