// pdbfw complete RATINGS
#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>

#include "base/clock.hpp"
#include "cli/commands.hpp"
#include "cli/matrix_flags.hpp"
#include "cli/report.hpp"
#include "core/spectral_set.hpp"
#include "pdbfw/data_file.hpp"
#include "pdbfw/model.hpp"
#include "pdbfw/recovery.hpp"

namespace pdbfw::cli {
namespace {

struct CompleteOptions : MatrixFlags {
  std::string ratings;
  std::string format = "auto", header = "auto", repeated = "error";
  std::string loss = "squared", means = "both";
  double holdout = 0.1;
  std::string test, pairs, output = "-", factors, model, clip;
  bool leaves_out_proof = false;

  [[nodiscard]] std::string name() const { return ratings == "-" ? "standard input" : ratings; }  // for messages

  [[nodiscard]] RatingsOptions reading() const {
    constexpr std::array kFormats = {DataFormat::automatic, DataFormat::csv, DataFormat::matrix_market};
    return {.format = kFormats[chosen("data_format", format, {"auto", "csv", "matrix_market"})],
            .header = static_cast<ReadOptions::Header>(chosen("header", header, {"auto", "yes", "no"})),
            .repeated = static_cast<RatingsOptions::Repeated>(chosen("repeated", repeated, {"error", "mean", "last"}))};
  }
  // Files beside RATINGS are recognised by themselves.
  [[nodiscard]] RatingsOptions reading_others() const {
    return {.header = ReadOptions::Header::automatic, .repeated = reading().repeated};
  }
};

using Range = std::array<double, 2>;

Range parse_clip(const std::string& text) {
  constexpr std::string_view kRule = "two numbers LOW,HIGH with LOW < HIGH";
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text.empty()) return {-kInfinity, kInfinity};
  const Range range = parse_pair("clip", text, kRule);
  if (!(range[0] < range[1])) throw InputError("clip", fmt::format("'{}'", text), kRule);
  return range;
}

CompletionOptions completion_options(const CompleteOptions& options) {
  return {.loss = std::array{"squared", "huber"}[chosen("loss", options.loss, {"squared", "huber"})],
          .huber_width = options.fields.request().formulation.huber_width,
          .means = static_cast<Means>(chosen("means", options.means, {"none", "rows", "columns", "both"})),
          .radius = options.radius(),
          .ridge = options.ridge(),
          .holdout = options.holdout,
          .settings = options.settings()};
}

void check_early(const CompleteOptions& options) {
  static_cast<void>(parse_clip(options.clip));
  if (options.loss != "huber" && options.fields.given("huber_width"))
    throw InputError("huber_width", "given", "only for --loss huber");
  if (options.model.empty() && options.leaves_out_proof) throw InputError("no_proof", "given", "only with --model");
  if (options.pairs.empty() && options.output != "-")
    throw InputError("output", fmt::format("'{}'", options.output), "only with --predict");
  if (options.output == "-" && !options.pairs.empty() && options.is_json)
    throw InputError("output", "'-'", "a file, because --json uses standard output");
  for (const auto& [option, path] : {std::pair("test", options.test), std::pair("predict", options.pairs)})
    if (path == "-" && options.ratings == "-")
      throw InputError(option, "'-'", "a file when the ratings come from standard input");
  require_writable("output", options.output);
  std::vector<NamedOutput> outputs{{"output", options.output == "-" ? "" : options.output}, {"model", options.model}};
  for (const NamedOutput& file : factor_outputs(options.factors)) outputs.push_back(file);
  for (const char* ending : {".row_means.npy", ".column_means.npy", ".rows.txt", ".columns.txt"})
    if (!options.factors.empty()) outputs.push_back({"factors", options.factors + ending});
  require_outputs(outputs, {options.ratings, options.test, options.pairs});
}

// Where the ids of other ratings stand; -1 for those that are new.
std::vector<Index> places(const Ids& known, const Ids& others, const std::vector<Index>& at) {
  std::unordered_map<std::string, Index> place;
  for (Index i = 0; i < known.count; ++i) place.emplace(known.name(i), i);
  std::vector<Index> of_id(static_cast<std::size_t>(others.count), -1);
  for (Index i = 0; i < others.count; ++i)
    if (const auto found = place.find(others.name(i)); found != place.end())
      of_id[static_cast<std::size_t>(i)] = found->second;
  std::vector<Index> out;
  out.reserve(at.size());
  for (const Index i : at) out.push_back(of_id[static_cast<std::size_t>(i)]);
  return out;
}

struct Test {
  Completion::HeldOut error;
  Index unknown = 0;  // ratings whose row or column is new
};

Test judge(const Ratings& test, const Ratings& ratings, const Completion& done, const Range& range) {
  const std::vector<Index> row = places(ratings.rows, test.rows, test.row);
  const std::vector<Index> column = places(ratings.columns, test.columns, test.column);
  std::vector<double> guesses = predict(done.means, done.result.X, row, column);
  for (double& guess : guesses) guess = std::clamp(guess, range[0], range[1]);
  Test out{compare(guesses, test.value)};
  for (std::size_t k = 0; k < row.size(); ++k)
    if (row[k] < 0 || column[k] < 0) ++out.unknown;
  return out;
}

// row<TAB>column<TAB>prediction
std::string prediction_lines(const Ratings& ratings, const Pairs& pairs, const Completion& done, const Range& range) {
  const std::vector<double> guesses = predict(done.means, done.result.X, pairs.row, pairs.column);
  std::string lines;
  for (std::size_t k = 0; k < guesses.size(); ++k)
    lines += fmt::format("{}\t{}\t{}\n", ratings.rows.name(pairs.row[k]), ratings.columns.name(pairs.column[k]),
                         std::clamp(guesses[k], range[0], range[1]));
  return lines;
}

std::string id_lines(const Ids& ids) {
  std::string lines;
  for (Index i = 0; i < ids.count; ++i) lines += ids.name(i) + "\n";
  return lines;
}

// Null where nothing was told from these ratings.
void add_error(MatrixReport& report, const std::string& name, const std::optional<Completion::HeldOut>& error) {
  if (!error) return report.add(name, "", {});
  report.add(
      name,
      fmt::format("{}: RMSE {:.6g}, MAE {:.6g}", counted(error->entries, "rating", "ratings"), error->rmse, error->mae),
      {{"ratings", error->entries}, {"rmse", error->rmse}, {"mae", error->mae}});
}

MatrixReport report_of(const CompleteOptions& options, const Ratings& ratings, const Completion& done,
                       const std::optional<Test>& test) {
  const double share = static_cast<double>(ratings.value.size()) / static_cast<double>(ratings.rows.count) /
                       static_cast<double>(ratings.columns.count);
  std::string radius = fmt::format("{:.6g}", done.radius);
  if (!done.trials.empty()) radius += fmt::format(", the best of {} on the ratings held out", done.trials.size());
  MatrixReport report({{"ratings", fmt::format("{}: {}, {}, {}, {:.3g} % of all entries", options.name(),
                                               counted(std::ssize(ratings.value), "rating", "ratings"),
                                               counted(ratings.rows.count, "row", "rows"),
                                               counted(ratings.columns.count, "column", "columns"), 100 * share)},
                       {"radius", radius}},
                      done.problem, done.result);
  report.object["means"] = {{"removed", options.means}, {"mean", done.means.mean}};
  report.object["trials"] = steps_json(done.trials, "error", &Completion::Trial::error);
  add_error(report, "fit", compare(predict(done.means, done.result.X, ratings.row, ratings.column), ratings.value));
  add_error(report, "held out", done.held_out);
  add_error(report, "test", test ? std::optional(test->error) : std::nullopt);
  if (test) report.object["test"]["unknown"] = test->unknown;
  if (test && test->unknown > 0)
    report.facts.back().second +=
        fmt::format("; {} with a row or a column that is new", counted(test->unknown, "rating", "ratings"));
  return report;
}

// What --factors adds to the factors: guess = row_means_i + column_means_j + X_ij, and the ids.
void add_means(const std::string& prefix, const Ratings& ratings, const TwoWayMeans& means, OutputFiles& files) {
  Vector row_means = Eigen::Map<const Vector>(means.row.data(), ratings.rows.count);
  row_means.array() += means.mean;
  files.add(prefix + ".row_means.npy", row_means);
  files.add(prefix + ".column_means.npy", Vector(Eigen::Map<const Vector>(means.column.data(), ratings.columns.count)));
  files.add(prefix + ".rows.txt", id_lines(ratings.rows));
  files.add(prefix + ".columns.txt", id_lines(ratings.columns));
}

Model make_model(const Ratings& ratings, const Completion& done, const CompletionOptions& how, bool has_proof) {
  Model model;
  model.kind = ModelKind::matrix;
  model.formulation = {.loss = how.loss,
                       .set = std::string(done.problem.set->name()),
                       .radius = done.radius,
                       .ridge = {done.problem.ridge, false},
                       .huber_width = how.huber_width};
  model.map = done.problem.map->name();
  model.samples = done.problem.n();
  model.factors = done.result.X;
  model.row_names = ratings.rows.names;
  model.column_names = ratings.columns.names;
  model.mean = done.means.mean;
  if (how.means != Means::none) {
    model.row_means = done.means.row;
    model.column_means = done.means.column;
  }
  model.statuses = {done.result.status};
  model.certificates = {done.result.certificate};
  if (has_proof) model.matrix_proof = done.result.Y;
  return model;
}

int complete_ratings(const CompleteOptions& options) {
  const CompletionOptions how = completion_options(options);
  const RatingsOptions reading = options.reading();
  const Range range = parse_clip(options.clip);
  check_early(options);

  const Stopwatch load;
  const Ratings ratings = read_ratings(options.ratings, reading);
  Ratings test;
  if (!options.test.empty()) test = read_ratings(options.test, options.reading_others());
  Pairs pairs;
  if (!options.pairs.empty())
    pairs = read_pairs(options.pairs, ratings.rows, ratings.columns, options.reading_others());
  const double load_seconds = load.seconds();

  // Until all is written: a Ctrl-C in between must not cost it.
  const InterruptGuard interrupt;
  const Stopwatch watch;
  const Completion done = watched(options.shows_progress(), interrupt,
                                  [&](const Callback& callback) { return complete(ratings.entries(), how, callback); });
  const double seconds = watch.seconds();

  OutputFiles files;
  if (!options.model.empty()) files.add(options.model, make_model(ratings, done, how, !options.leaves_out_proof));
  add_factors(options.factors, done.result.X, files);
  if (!options.factors.empty()) add_means(options.factors, ratings, done.means, files);
  if (!options.pairs.empty()) files.add(options.output, prediction_lines(ratings, pairs, done, range));
  files.commit();
  MatrixReport report = report_of(
      options, ratings, done, options.test.empty() ? std::nullopt : std::optional(judge(test, ratings, done, range)));
  report.add_seconds(load_seconds, seconds, done.result);
  report.add_file("model", options.model);
  report.add_file("factors", options.factors, ".*");
  if (options.output != "-") report.facts.emplace_back("predictions", options.output);
  report.object["output"] = options.output == "-" ? Json() : Json(options.output);
  options.tell(report, files, !options.pairs.empty() && options.output == "-");
  return done.result.status == Status::converged ? kSuccess : kStopped;
}

// What is fitted, and what to.
void add_fit_flags(CLI::App& parser, CompleteOptions& options) {
  const Flags add(parser, kMatrixHeading);
  options.add(parser,
              "auto: the one with the smallest error on\nthe ratings held out, found on a path of growing radii");
  add.text("--loss", "NAME", options.loss, "How a guess that misses is charged.\n(squared | huber; default squared)");
  options.fields.add(parser, "huber_width");
  add.text("--means", "NAME", options.means,
           "The means that are removed first and put back in the end.\n(none | rows | columns | both; default both)");
  add.number("holdout", options.holdout, "a number in [0, 1)",
             "The share of the ratings that a first fit does not see, to tell its error;\nthe last fit sees all. 0: no "
             "first fit.\n(a number in [0, 1); default 0.1)");
  add.text("--data-format", "NAME", options.format, "Of RATINGS.\n(auto | csv | matrix_market; default auto)");
  add.text(
      "--header", "NAME", options.header,
      "Whether the first line holds names; auto: it does if its value is no number.\n(auto | yes | no; default auto)");
  add.text(
      "--repeated", "NAME", options.repeated,
      "Of a pair that stands on several lines: a mistake, the mean of the values,\nor the last one.\n(error | mean "
      "| last; default error)");
}

// What is done with the fit.
void add_output_flags(CLI::App& parser, CompleteOptions& options) {
  const Flags add(parser);
  add.text("--test", "FILE", options.test, "Ratings to tell the error on; the fit does not see them");
  add.text("--predict", "PAIRS", options.pairs, "Lines `row column`: the entries that are asked for");
  add.text("--output", "FILE", options.output,
           "Where their guesses go, as lines row<TAB>column<TAB>guess; default -,\nstandard output");
  add.text("--clip", "LOW,HIGH", options.clip, "Guesses below LOW are LOW, those above HIGH are HIGH");
  add.text("--factors", "PREFIX", options.factors,
           "Write PREFIX.U.npy, .s.npy, .V.npy, .row_means.npy, .column_means.npy, and\nthe ids as "
           "PREFIX.rows.txt and .columns.txt");
  add.text("--model", "FILE", options.model, "Write the model, in factors (docs/model-file.md)");
  add.flag("--no-proof", options.leaves_out_proof, "Leave the dual point out of the model: a smaller file");
}

}  // namespace

Command add_complete(CLI::App& tool) {
  const auto [parser, options] = new_command<CompleteOptions>(
      tool, "complete", "Guess the entries of a matrix that are not known from those that are");
  Flags(*parser).argument(
      "RATINGS", options->ratings,
      "Lines `row column value` (CSV, tabs or blanks; ids may be any text) or a\nMatrix Market file; "
      "plain or compressed; - is standard input");
  add_fit_flags(*parser, *options);
  add_output_flags(*parser, *options);
  return command_of(
      parser, options, complete_ratings,
      "Exit code: 0 converged, 2 stopped before the tolerance (files are written all the same), 1 error: nothing is\n"
      "written. Ctrl-C stops cleanly with the best so far.\n\n"
      "Example:\n"
      "  pdbfw complete ratings.csv --test later.csv --predict wanted.txt --output guesses.txt --clip 1,5");
}

}  // namespace pdbfw::cli
