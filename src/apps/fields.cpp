// The one table of options. A row is: name, group, member, rule, meaning.
#include "pdbfw/fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "apps/low_rank_registry.hpp"
#include "apps/registry.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "pdbfw/low_rank.hpp"
#include "pdbfw/solve.hpp"

namespace pdbfw {
namespace {

constexpr std::string_view kAuto = "auto";
constexpr Field::Group kModel = Field::Group::model, kSolving = Field::Group::solving,
                       kResearch = Field::Group::research;

using Names = std::vector<std::string_view>;

// What a field takes: how messages and the reference say so, how it is read and written, and whether a value that did
// not come from text is one.

struct OneOf {
  Names names;

  [[nodiscard]] std::string values() const { return fmt::format("{}", fmt::join(names, " | ")); }
  void read(std::string_view field, std::string_view text, std::string& name) const {
    check(field, text);
    name = text;
  }
  [[nodiscard]] static std::string text(const std::string& name) { return name; }
  void check(std::string_view field, std::string_view name) const { static_cast<void>(place_of(field, name, names)); }
};

struct YesOrNo {
  [[nodiscard]] static std::string values() { return "yes | no"; }
  static void read(std::string_view field, std::string_view text, bool& is_so) {
    OneOf{{"yes", "no"}}.check(field, text);
    is_so = text == "yes";
  }
  [[nodiscard]] static std::string text(bool is_so) { return is_so ? "yes" : "no"; }
  static void check(std::string_view, bool) {}
};

// Of a type that reads and writes itself, and is judged with the problem.
struct Own {
  std::string_view rule;

  [[nodiscard]] std::string values() const { return std::string(rule); }
  template <class Value>
  static void read(std::string_view, std::string_view text, Value& value) {
    value = Value::parse(text);
  }
  template <class Value>
  [[nodiscard]] static std::string text(const Value& value) {
    return value.text();
  }
  template <class Value>
  static void check(std::string_view, const Value&) {}
};

struct Range {
  std::string_view rule;
  double smallest;
  bool takes_smallest = true;
  double largest = std::numeric_limits<double>::infinity();
  bool takes_auto = false;  // where the solver may choose

  [[nodiscard]] std::string values() const { return fmt::format("{}{}", takes_auto ? "auto, or " : "", rule); }
  // What is not a number fails both comparisons.
  [[nodiscard]] bool holds(double number) const {
    return (takes_smallest ? number >= smallest : number > smallest) && number <= largest;
  }
  template <class Number>
  void read(std::string_view field, std::string_view text, Number& number) const {
    constexpr std::size_t kLongestQuote = 64;
    const std::optional<Number> found = option_from<Number>(text);
    if (!found || !holds(static_cast<double>(*found)))
      throw InputError(field, fmt::format("'{}'", text.substr(0, kLongestQuote)), values());
    number = *found;
  }
  template <class Number>
  void read(std::string_view field, std::string_view text, std::optional<Number>& number) const {
    Number found{};
    if (text != kAuto) read(field, text, found);
    number = text == kAuto ? std::nullopt : std::optional(found);
  }
  template <class Number>
  [[nodiscard]] static std::string text(const Number& number) {
    return fmt::format("{}", number);
  }
  template <class Number>
  [[nodiscard]] static std::string text(const std::optional<Number>& number) {
    return number ? text(*number) : std::string(kAuto);
  }
  template <class Number>
  void check(std::string_view field, const Number& number) const {
    if (!holds(static_cast<double>(number))) throw InputError(field, text(number), rule);
  }
  template <class Number>
  void check(std::string_view field, const std::optional<Number>& number) const {
    if (number) check(field, *number);
  }
};
constexpr Range kPositive{"a finite number > 0", 0, false, std::numeric_limits<double>::max()};
constexpr Range kLimit{"a number >= 0, or inf", 0};
constexpr Range kUpToOne{"a number in (0, 1]", 0, false, 1};
constexpr Range kCount{"an integer >= 0", 0};
constexpr Range kAtLeastOne{"an integer >= 1", 1};
constexpr Range kThreads{"an integer, 1 .. 1024", 1, true, 1024};
constexpr Range kSeed{"an integer, 0 .. 2^64 - 1", 0};

constexpr Range auto_or(Range range) {
  range.takes_auto = true;
  return range;
}

template <class AnyRequest, class Value>
auto& member_of(AnyRequest& request, Value Formulation::*at) {
  return request.formulation.*at;
}
template <class AnyRequest, class Value>
auto& member_of(AnyRequest& request, Value Settings::*at) {
  return request.settings.*at;
}

template <class Member, class Kind>
Field field_of(std::string_view name, Field::Group group, Member at, const Kind& kind, std::string_view meaning) {
  return {name,
          group,
          kind.values(),
          meaning,
          [=](Request& request, std::string_view text) { kind.read(name, text, member_of(request, at)); },
          [=](const Request& request) { return kind.text(member_of(request, at)); },
          [=](const Request& request) { kind.check(name, member_of(request, at)); }};
}

// The names of both families; some losses and solvers have the same name in the two.
OneOf united(Names names, const Names& more) {
  for (const std::string_view name : more)
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return {names};
}

std::vector<Field> all_fields() {
  const OneOf losses = united(loss_names(), low_rank::loss_names()),
              sets = united(set_names(), {kPolytope, kPerClass, kTrace}),
              solvers = united(solver_names(), low_rank::solver_names());
  return {
      field_of("loss", kModel, &Formulation::loss, losses,
               "How a prediction that misses its target is charged. softmax and multiclass_hinge learn several classes "
               "jointly, on the sets l1, l1_per_class and trace; the multilabel losses are for the set trace."),
      field_of("set", kModel, &Formulation::set, sets,
               "Where the weights must lie; nonnegative: none below 0, and their sum at most the radius; a polytope is "
               "the hull of the rows of --atoms. l1_per_class: of classes learnt jointly, a ball for the weights of "
               "each. trace: a matrix of weights, one column for each label or class, whose singular values sum to at "
               "most the radius."),
      field_of("radius", kModel, &Formulation::radius, kPositive,
               "The size of the set; a smaller one gives fewer non-zeros, or a lower rank. The polytope's atoms are "
               "multiplied by it, by 1 if it is not given."),
      field_of("ridge", kModel, &Formulation::ridge, Own{"a finite number >= 0, or one followed by /n"},
               "The weight of half the squared length of the weights; n is the number of rows."),
      field_of(
          "intercept", kModel, &Formulation::intercept, YesOrNo{},
          "Whether an intercept is learnt too, which neither the set nor the ridge holds back. Not for the set trace."),
      field_of("standardise", kModel, &Formulation::standardise, YesOrNo{},
               "Whether the set and the ridge see every feature divided by its standard deviation; the weights are "
               "those of the features as they are. Zeros stay zeros. Not for the sets trace and polytope."),
      field_of("class_weight", kModel, &Formulation::class_weight, Own{"none | balanced | NUMBER,NUMBER"},
               "What a row counts by its label: a number for the smaller label and one for the larger, or what gives "
               "both the same weight in all."),
      field_of(
          "smoothing", kModel, &Formulation::smoothing, kUpToOne,
          "The losses smooth_hinge, multilabel_smooth_hinge and multiclass_hinge: the width of their curved piece."),
      field_of("huber_width", kModel, &Formulation::huber_width, kPositive,
               "Loss huber: the error at which it turns from squared to linear."),
      field_of("tol", kSolving, &Settings::tol, kPositive,
               "Stop when the certified relative duality gap is at most this."),
      field_of("solver", kSolving, &Settings::solver, solvers, "The algorithm; auto picks one."),
      field_of("max_iterations", kSolving, &Settings::max_iterations, kCount, "Stop after so many iterations."),
      field_of("max_seconds", kSolving, &Settings::max_seconds, kLimit, "Stop after so many seconds of solving."),
      field_of("max_passes", kSolving, &Settings::max_passes, kLimit,
               "Stop after so many passes over the data; one product with the matrix is one pass."),
      field_of("threads", kSolving, &Settings::threads, kThreads,
               "How many threads may work; the result is the same for any number."),
      field_of("seed", kSolving, &Settings::seed, kSeed, "Of the random choices; the same seed gives the same bits."),
      field_of("steps", kResearch, &Settings::steps, OneOf{{"adaptive", "theory"}},
               "Steps found while running, or those of the method's own paper."),
      field_of("block_primal", kResearch, &Settings::block_primal, auto_or(kAtLeastOne),
               "The paper's s: non-zeros of a primal step, at most the features."),
      field_of("block_dual", kResearch, &Settings::block_dual, auto_or(kAtLeastOne),
               "The paper's k: rows of a dual step, at most the rows."),
      field_of("block_rule", kResearch, &Settings::block_rule, OneOf{{"gs_r", "random", "cyclic", "full"}},
               "Which rows a dual step takes: the k that change most, k drawn anew, the next k, or all."),
      field_of("eta", kResearch, &Settings::eta, auto_or(kUpToOne), "The primal step."),
      field_of("delta", kResearch, &Settings::delta, auto_or(kPositive), "The dual proximal step."),
      field_of("step_scale", kResearch, &Settings::step_scale, kPositive,
               "Multiplies the step constant of a baseline's own rule."),
  };
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

void validate_numbers(const Settings& settings) {
  for (const Field& field : fields())
    if (field.group != kModel && field.name != "solver") field.check({{}, settings});
  if (!(settings.checkpoints.every_seconds >= 0))
    throw InputError("every_seconds", fmt::format("{}", settings.checkpoints.every_seconds), "a number >= 0");
}

}  // namespace pdbfw
